// The rate bands of a tariff, and the schedule that picks one.

import { Button } from '../../parts/button.js'
import { Chip } from '../../parts/chip.js'
import { Field, type FieldProps } from '../../parts/field.js'
import { Panel } from '../../parts/panel.js'
import { toast } from '../../parts/toast.js'
import { Components } from './components.js'
import { type BandDraft, days, type EntryDraft, endHint, newBand, newEntry, type TariffDraft } from './draft.js'

const replaced = <Item,>(list: readonly Item[], at: number, item: Item | undefined): readonly Item[] =>
  list.flatMap((one, index) => (index !== at ? [one] : item === undefined ? [] : [item]))

export function Bands({
  draft,
  set,
  off,
}: {
  readonly draft: TariffDraft
  readonly set: (part: Partial<TariffDraft>) => void
  readonly off: boolean
}) {
  const change = (at: number, band: BandDraft | undefined): void => set({ bands: replaced(draft.bands, at, band) })
  return (
    <Panel
      title="Rate bands"
      hint="other prices for some hours"
      padded
      actions={
        !off && (
          <Button small icon="plus" onClick={() => set({ bands: [...draft.bands, newBand()] })}>
            Band
          </Button>
        )
      }
    >
      {draft.bands.length === 0 && <p class="dim">None: the tariff costs the same at any time.</p>}
      {draft.bands.map((band, at) => (
        <div key={at} class="stack">
          <div class="entry">
            <Field
              label="Name of the band"
              path={`/bands/${at}/band`}
              value={band.band}
              onChange={(name) => change(at, { ...band, band: name })}
              disabled={off}
            />
            {!off && (
              <Button small icon="trash" onClick={() => change(at, undefined)}>
                Remove
              </Button>
            )}
          </div>
          <Components
            label={`Band ${band.band === '' ? at + 1 : band.band}`}
            place={`/bands/${at}/components`}
            value={band.components}
            onChange={(components) => change(at, { ...band, components })}
            disabled={off}
          />
        </div>
      ))}
    </Panel>
  )
}

export function Schedule({
  draft,
  set,
  off,
}: {
  readonly draft: TariffDraft
  readonly set: (part: Partial<TariffDraft>) => void
  readonly off: boolean
}) {
  const bands = draft.bands.map(({ band }) => band).filter((band) => band !== '')
  const change = (at: number, entry: EntryDraft | undefined): void =>
    set({ schedule: replaced(draft.schedule, at, entry) })
  return (
    <Panel
      title="Schedule"
      hint="the first entry that holds when a session starts names its band"
      padded
      actions={
        !off &&
        bands.length > 0 && (
          <Button small icon="plus" onClick={() => set({ schedule: [...draft.schedule, newEntry(bands[0] ?? '')] })}>
            Entry
          </Button>
        )
      }
    >
      {draft.schedule.length === 0 && (
        <p class="dim">{bands.length === 0 ? 'It needs a band first.' : 'None: no band is ever used.'}</p>
      )}
      {draft.schedule.map((entry, at) => {
        const hint = endHint(entry)
        const known = bands.includes(entry.band) ? bands : [entry.band, ...bands]
        const field = (
          label: string,
          name: string,
          part: keyof Omit<EntryDraft, 'days'>,
          rest: Partial<FieldProps>,
        ) => (
          <Field
            label={label}
            path={`/schedule/${at}/${name}`}
            value={entry[part]}
            onChange={(text) => change(at, { ...entry, [part]: text })}
            disabled={off}
            {...rest}
          />
        )
        return (
          <div key={at} class="entry" role="group" aria-label={`Entry ${at + 1}`}>
            {field('Band', 'band', 'band', { options: known.map((value) => ({ value, name: value })) })}
            {field('From', 'start_time', 'start', { placeholder: '22:00' })}
            {field('Until', 'end_time', 'end', { placeholder: '06:00', ...(hint !== undefined && { hint }) })}
            {field('First day', 'from_date', 'from', { type: 'date' })}
            {field('Last day', 'to_date', 'to', { type: 'date' })}
            <div class="row-of">
              {days.map((day) => (
                <Chip
                  key={day}
                  pressed={entry.days.length === 0 || entry.days.includes(day)}
                  onClick={() => {
                    if (off) return
                    const all = entry.days.length === 0 ? days : entry.days
                    const chosen = all.includes(day) ? all.filter((one) => one !== day) : [...all, day]
                    // An entry without days would hold on all of them.
                    if (chosen.length === 0) return toast('An entry has a day: choose the other one first.', 'failed')
                    change(at, { ...entry, days: chosen.length === days.length ? [] : chosen })
                  }}
                >
                  {day}
                </Chip>
              ))}
              {!off && (
                <Button small icon="trash" onClick={() => change(at, undefined)}>
                  Remove
                </Button>
              )}
            </div>
          </div>
        )
      })}
    </Panel>
  )
}
