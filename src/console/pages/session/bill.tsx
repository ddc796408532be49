// What a session costs, and why: every step of the bill with its exact amount, and the rules that changed nothing.

import type { Schema } from '../../client/api.js'
import { durationText, momentText, numberText, timeText } from '../../client/format.js'
import { Amount } from '../../parts/money.js'
import { Panel } from '../../parts/panel.js'

type Explanation = Schema<'CostExplanation'>
type Step = Explanation['steps'][number]
type TracedLine = Explanation['trace']['lines'][number]

const perUnit = { Wh: 'a kWh', s: 'an hour', session: 'a session' } as const

const quantityText = (value: number, unit: TracedLine['unit']): string =>
  unit === 'Wh' ? `${numberText(value, 3)} Wh` : unit === 's' ? durationText(value) : String(value)

function How({ line, trace }: { readonly line: TracedLine; readonly trace: Explanation['trace'] }) {
  const { unit, measured, grace, billed, price, exact_amount, step_size, step_applied } = line
  if (unit === 'session') return null
  const { first_sample: first, last_sample: last, samples } = trace.energy
  const isEnergy = unit === 'Wh'
  return (
    <>
      <div class="chain">
        {isEnergy && first !== null && last !== null && last.register_wh - first.register_wh === measured && (
          <>
            <span>
              {numberText(last.register_wh)} − {numberText(first.register_wh)}
            </span>
            <i>=</i>
          </>
        )}
        <span>{quantityText(measured, unit)}</span>
        {grace > 0 && (
          <>
            <i>−</i>
            <span>{durationText(grace)} grace</span>
          </>
        )}
        {billed !== measured && (
          <>
            <i>→</i>
            <span>{quantityText(billed, unit)}</span>
          </>
        )}
        <i>
          × {price} {perUnit[unit]} =
        </i>
        <span class="mono">{exact_amount}</span>
      </div>
      <p class="how">
        {step_size > 1 && step_applied && `Rounded up to steps of ${numberText(step_size)} ${unit}. `}
        {step_size > 1 && !step_applied && 'Not rounded up, as the idle time is. '}
        {isEnergy && samples > 0 && 'By the register at the start and at the end. '}
        {isEnergy && trace.energy.source === 'none' && 'Nothing was metered. '}
        {line.type === 'idle' &&
          trace.time.idle_spans
            .slice(0, 4)
            .map(({ from, to }) => `${timeText(from)} to ${timeText(to)}`)
            .join(', ')}
        {line.type === 'idle' && `${trace.time.idle_spans.length > 0 ? '. ' : ''}${heldText(trace)}`}
        {line.type === 'time' &&
          `From ${timeText(trace.time.started_at)} to ${timeText(trace.time.ended_at)}${trace.lines.some(({ type }) => type === 'idle') ? ', without idle time' : ''}.`}
      </p>
    </>
  )
}

/** Nothing where it was never so. */
function heldText({ time }: Explanation['trace']): string {
  const { suspended_by_charge_point_seconds: seconds } = time
  return seconds === 0 ? '' : `The ${durationText(seconds)} that the charger held the car back are not idle time.`
}

function StepRow({ step, trace }: { readonly step: Step; readonly trace: Explanation['trace'] }) {
  const line = step.line === null ? undefined : trace.lines[step.line]
  const isRule = step.kind === 'rule'
  return (
    <li data-step={step.kind}>
      <span class="name">
        {isRule ? 'Rule ' : ''}
        {isRule ? `“${step.name}”` : step.name}
      </span>
      <Amount of={step.amount} signed={isRule || step.kind === 'dispute'} />
      {line !== undefined && <How line={line} trace={trace} />}
      {step.effect !== null && (
        <p class="how">
          {step.effect.charAt(0).toUpperCase() + step.effect.slice(1)}.
          {Number(step.exact_amount) !== Number(step.amount) && (
            <>
              {' '}
              Before rounding <span class="mono">{step.exact_amount}</span>.
            </>
          )}
        </p>
      )}
    </li>
  )
}

export function Bill({ of }: { readonly of: Explanation }) {
  const { steps, trace, breakdown, rules_not_applied: unapplied, currency, total, final } = of
  const parts = steps.filter(({ kind }) => kind !== 'tax')
  const tax = steps.find(({ kind }) => kind === 'tax')
  const beforeTax = parts.at(-1)?.sum ?? '0'
  const subtotal = parts.filter(({ kind }) => kind === 'line').at(-1)?.sum ?? '0'
  const kwh = trace.energy.measured_wh / 1_000
  return (
    <Panel
      title="What it costs, and why"
      hint={final ? `final, priced ${momentText(of.priced_at)}` : `so far, as of ${timeText(of.priced_at)}`}
      class="bill"
    >
      <div class="total">
        <b>
          <Amount of={total} />
          <small> {currency}</small>
        </b>
        {kwh > 0 && <span class="dim">{numberText(breakdown.total / kwh, 3)} a kWh, all in</span>}
      </div>
      <p class="tariff">
        Tariff {trace.tariff.name}
        {trace.tariff.band !== null && `, band ${trace.tariff.band}`}, as it stood at the start. Hours and days are
        those of {trace.tariff.time_zone}.
      </p>
      <ol class="lines" aria-label="Steps of the bill">
        {parts.map((step, at) => (
          <StepRow key={at} step={step} trace={trace} />
        ))}
      </ol>
      {unapplied.length > 0 && (
        <ul class="lines" aria-label="Rules that changed nothing">
          {unapplied.map((rule) => (
            <li key={rule.rule_id} class="off">
              <span class="name">Rule “{rule.name}”</span>
              <span class="amount">did not run</span>
              <p class="how">{rule.words.join(' ')}</p>
            </li>
          ))}
        </ul>
      )}
      <dl class="sums">
        <dt>Sum of the lines</dt>
        <dd class="mono">{trace.rounding.exact_subtotal}</dd>
        <dd>
          <Amount of={subtotal} />
        </dd>
        <dt>After rules</dt>
        <dd class="mono" />
        <dd>
          <Amount of={beforeTax} />
        </dd>
        <dt>{tax?.name ?? 'Tax'}</dt>
        <dd class="mono">{tax?.exact_amount}</dd>
        <dd data-step="tax">
          <Amount of={tax?.amount ?? '0'} />
        </dd>
        <dt class="strong">Total, each step rounded half up</dt>
        <dd />
        <dd class="strong">
          <Amount of={total} />
        </dd>
      </dl>
      {trace.notes.length > 0 && (
        <ul class="notes">
          {trace.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
