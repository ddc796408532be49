// The price components of a tariff or of one of its bands: at most one of each type.

import { Field } from '../../parts/field.js'
import { type ComponentDraft, type ComponentsDraft, type ComponentType, componentTypes, placeOf } from './draft.js'

const names: Readonly<Record<ComponentType, string>> = {
  energy: 'Energy, a kWh',
  time: 'Time, an hour',
  idle: 'Idle time, an hour',
  flat: 'A session',
}

export function Components({
  label,
  place,
  value,
  onChange,
  disabled,
}: {
  /** Of which band. */
  readonly label: string
  /** Where they stand in what is sent. */
  readonly place: string
  readonly value: ComponentsDraft
  readonly onChange: (value: ComponentsDraft) => void
  readonly disabled: boolean
}) {
  const change = (type: ComponentType, part: Partial<ComponentDraft>): void =>
    onChange({ ...value, [type]: { ...value[type], ...part } })
  return (
    <div class="components" role="group" aria-label={label}>
      <span class="head">What costs</span>
      <span class="head">Price before tax</span>
      <span class="head">In steps of</span>
      <span class="head">Free minutes</span>
      {componentTypes.map((type) => {
        const { isUsed, price, step, grace } = value[type]
        const off = disabled || !isUsed
        const at = placeOf(type, value, place)
        const field = (name: string, part: string, text: string, set: (next: string) => void) => (
          <Field
            label={`${label}: ${names[type]}, ${name}`}
            hideLabel
            value={text}
            onChange={set}
            inputmode="decimal"
            disabled={off}
            {...(at !== undefined && { path: `${at}/${part}` })}
          />
        )
        return [
          <label key={type}>
            <input
              type="checkbox"
              checked={isUsed}
              disabled={disabled}
              onChange={(event) => change(type, { isUsed: event.currentTarget.checked })}
            />
            {names[type]}
          </label>,
          field('price', 'price', price, (next) => change(type, { price: next })),
          type === 'flat' ? (
            <span key="no-step" />
          ) : (
            field(type === 'energy' ? 'step in Wh' : 'step in seconds', 'step_size', step, (next) =>
              change(type, { step: next }),
            )
          ),
          type === 'idle' ? (
            field('free minutes', 'grace_minutes', grace, (next) => change(type, { grace: next }))
          ) : (
            <span key="no-grace" />
          ),
        ]
      })}
    </div>
  )
}
