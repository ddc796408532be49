// The terms on which a site shares its power, as a form and as facts.

import { useState } from 'preact/hooks'
import { api, ask, type Schema } from '../../client/api.js'
import { powerText } from '../../client/format.js'
import { useUnsaved } from '../../client/unsaved.js'
import { Button } from '../../parts/button.js'
import { Facts } from '../../parts/facts.js'
import { Fields } from '../../parts/fields.js'
import { type FormField, numberIn, numberOrNull, PageForm, useForm, wordsIn } from '../../parts/form.js'
import { Icon } from '../../parts/icon.js'
import type { Site } from './here.js'
import {
  daysText,
  type Entry,
  entryOf,
  isSound,
  type ScheduleRow,
  ScheduleRows,
  scheduleRowOf,
} from './schedule-rows.js'
import { type Strategy, strategies, strategyName } from './strategies.js'

export type Configuration = Schema<'SmartChargingConfiguration'>
type Warning = Schema<'PowerWarning'>

const fieldsFor = (strategy: string | undefined, { max_grid_power_kw: grid }: Site): readonly FormField[] => [
  { name: 'strategy', label: 'How the power is shared', options: strategies },
  {
    name: 'max_power_kw',
    label: 'Power for charging, kW',
    isNumber: true,
    hint: `From the grid, at most ${grid} kW. Energy assets add to it.`,
  },
  {
    name: 'min_power_kw',
    label: 'Least power of a car, kW',
    isNumber: true,
    hint: 'A car that cannot have it waits for its turn. It is never less than 6 A on each phase.',
  },
  {
    name: 'max_current_per_phase_a',
    label: 'Current of each phase, A',
    isNumber: true,
    optional: true,
    hint: 'Leave it empty for no limit; 0 pauses all cars.',
  },
  ...(strategy === 'priority'
    ? [
        {
          name: 'priority_order',
          label: 'Order of the charge points',
          lines: 5,
          mono: true,
          hint: 'Their ids, the first priority first, one in a line. The others come after them.',
        },
      ]
    : []),
]

interface SharingFormProps {
  readonly site: Site
  /** What holds now; without it, the site has shared nothing yet. */
  readonly configuration?: Configuration
  readonly saved: () => void
}

export function SharingForm({ site, configuration, saved }: SharingFormProps) {
  const begin = {
    strategy: configuration?.strategy ?? 'equal',
    max_power_kw: String(configuration?.max_power_kw ?? site.max_grid_power_kw),
    min_power_kw: String(configuration?.min_power_kw ?? 1.4),
    max_current_per_phase_a: String(configuration?.max_current_per_phase_a ?? ''),
    priority_order: configuration?.priority_order.join('\n') ?? '',
  }
  const form = useForm((values) => fieldsFor(values.strategy, site), begin)
  const [rows, setRows] = useState<readonly ScheduleRow[]>(configuration?.schedule.map(scheduleRowOf) ?? [])
  const [keptRows, setKeptRows] = useState(rows)
  useUnsaved(JSON.stringify(rows) !== JSON.stringify(keptRows))
  const [warnings, setWarnings] = useState<readonly Warning[]>([])
  const chosen = form.values.strategy as Strategy
  const isScheduled = chosen === 'scheduled'

  return (
    <PageForm
      of={form}
      does={configuration === undefined ? 'Share the power' : 'Save'}
      said="The power is shared on these terms from now on."
      disabled={isScheduled && (rows.length === 0 || !rows.every(isSound))}
      run={async (values) => {
        const body = {
          strategy: chosen,
          max_power_kw: numberIn(values.max_power_kw),
          min_power_kw: numberIn(values.min_power_kw),
          max_current_per_phase_a: numberOrNull(values.max_current_per_phase_a),
          priority_order: wordsIn(values.priority_order),
          schedule: rows.filter(isSound).map(entryOf),
        }
        const params = { path: { site_id: site.site_id } }
        const stored = await ask(api.PUT('/api/v1/smart-charging/sites/{site_id}/config', { params, body }))
        setWarnings(stored.warnings)
        setKeptRows(rows)
        // What it warns of is read before the form is drawn anew.
        if (stored.warnings.length === 0) saved()
      }}
    >
      {isScheduled && <ScheduleRows rows={rows} change={setRows} />}
      {warnings.length > 0 && (
        <div class="banner" role="status">
          <Icon name="triangle-alert" />
          <ul>
            {warnings.map(({ code, message }) => (
              <li key={`${code} ${message}`}>{message}</li>
            ))}
          </ul>
          <Button small onClick={saved}>
            I have read it
          </Button>
        </div>
      )}
    </PageForm>
  )
}

const entryText = (entry: Entry): string =>
  `${daysText(entry.days)}, ${entry.start_time} to ${entry.end_time}: ${powerText(entry.max_power_kw * 1_000)}`

/** For those who may not change it. */
export function SharingFacts({ of }: { readonly of: Configuration }) {
  const amperes = of.max_current_per_phase_a
  return (
    <Facts
      of={[
        { name: 'How', value: strategyName(of.strategy) },
        { name: 'Power for charging', value: powerText(of.max_power_kw * 1_000) },
        { name: 'Least power of a car', value: powerText(of.min_power_kw * 1_000) },
        { name: 'Current of each phase', value: amperes === null ? 'without a limit' : `${amperes} A` },
        { name: 'Order', value: of.priority_order.length === 0 ? null : of.priority_order.join(', ') },
        {
          name: 'Schedule',
          value:
            of.schedule.length === 0 ? null : (
              <Fields>
                {of.schedule.map((entry) => (
                  <span key={entryText(entry)}>{entryText(entry)}</span>
                ))}
              </Fields>
            ),
        },
      ]}
    />
  )
}
