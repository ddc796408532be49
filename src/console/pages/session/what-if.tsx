// The same session under other terms: other tariffs, and without billing rules. Priced by the service; nothing is changed.

import { useQuery } from '../../client/address.js'
import type { Schema } from '../../client/api.js'
import { api, ask } from '../../client/api.js'
import { useResource } from '../../client/resource.js'
import { Field } from '../../parts/field.js'
import { Amount } from '../../parts/money.js'
import { Panel } from '../../parts/panel.js'
import { EmptyState, Loaded } from '../../parts/states.js'

type Session = Schema<'Session'>
type Variant = Schema<'PriceVariant'>

const most = 8

/** Those that were asked for; else the newest others in the currency. */
function chosenOf(
  tariffs: readonly Schema<'Tariff'>[],
  asked: readonly string[],
  own: string | null,
): readonly string[] {
  if (asked.length > 0) return asked.filter((id) => tariffs.some(({ tariff_id }) => tariff_id === id))
  return tariffs
    .map(({ tariff_id }) => tariff_id)
    .filter((id) => id !== own)
    .slice(0, 4)
}

export function WhatIf({ session, hasRules }: { readonly session: Session; readonly hasRules: boolean }) {
  const [compared, setCompared] = useQuery('compare')
  const { session_id, currency, tariff_id } = session
  const tariffs = useResource(
    async (signal) =>
      (
        await ask(
          api.GET('/api/v1/billing/tariffs', {
            params: { query: { per_page: 200, ...(currency !== null && { currency }) } },
            signal,
          }),
        )
      ).data,
    [session_id, currency],
  )
  const all = tariffs.data ?? []
  const chosen = chosenOf(all, compared?.split(',') ?? [], tariff_id).slice(0, most - 1)
  const priced = useResource(
    async (signal) => {
      const variants: Variant[] = chosen.map((id) => ({
        name: all.find((tariff) => tariff.tariff_id === id)?.name ?? id,
        tariff_id: id,
      }))
      if (hasRules) variants.push({ name: 'Without billing rules', rules: [] })
      if (variants.length === 0) return null
      return ask(
        api.POST('/api/v1/sessions/{session_id}/what-if', {
          params: { path: { session_id } },
          body: { variants },
          signal,
        }),
      )
    },
    [session_id, session.status, chosen.join(), hasRules],
    { enabled: tariffs.data !== undefined },
  )
  const others = all.filter((tariff) => !chosen.includes(tariff.tariff_id))
  return (
    <Panel
      title="What if"
      hint="the same session under other terms; changes nothing"
      class="what-if"
      actions={
        others.length > 0 &&
        chosen.length < most - 1 && (
          <Field
            label="Compare with another tariff"
            hideLabel
            value=""
            options={[
              { value: '', name: 'Add a tariff' },
              ...others.map(({ tariff_id: value, name }) => ({ value, name })),
            ]}
            onChange={(id) => setCompared([...chosen, id].join(','))}
          />
        )
      }
    >
      <Loaded of={tariffs} rows={3}>
        {() => (
          <Loaded of={priced} rows={3}>
            {(answer) =>
              answer === null ? (
                <EmptyState icon="calculator" title="There is no other tariff in this currency" />
              ) : (
                <Comparison of={answer} />
              )
            }
          </Loaded>
        )}
      </Loaded>
    </Panel>
  )
}

function Comparison({ of }: { readonly of: Schema<'SessionWhatIf'> }) {
  const highest = Math.max(Number(of.total ?? 0), ...of.variants.map(({ total }) => Number(total)), 0.000_1)
  const bar = (total: string) => (element: HTMLElement | null) => {
    element?.style.setProperty('transform', `scaleX(${Number(total) / highest})`)
  }
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Terms</th>
          <th scope="col">
            <span class="only-read">Compared</span>
          </th>
          <th scope="col" class="end">
            {of.currency ?? 'Total'}
          </th>
          <th scope="col" class="end">
            Difference
          </th>
        </tr>
      </thead>
      <tbody>
        {of.total !== null && (
          <tr class="own">
            <td>{of.final ? 'As it was priced' : 'As it is now'}</td>
            <td>
              <span class="bar">
                <i ref={bar(of.total)} />
              </span>
            </td>
            <td class="end">
              <Amount of={of.total} />
            </td>
            <td class="end" />
          </tr>
        )}
        {of.agreed_total !== null && (
          <tr class="own">
            <td>As it was agreed in a dispute</td>
            <td>
              <span class="bar">
                <i ref={bar(of.agreed_total)} />
              </span>
            </td>
            <td class="end">
              <Amount of={of.agreed_total} />
            </td>
            <td class="end" />
          </tr>
        )}
        {of.variants.map((variant, at) => (
          <tr key={at}>
            <td>
              {variant.name ?? variant.tariff_name}
              {variant.band !== null && <span class="dim">, band {variant.band}</span>}
            </td>
            <td>
              <span class="bar">
                <i ref={bar(variant.total)} />
              </span>
            </td>
            <td class="end">
              <Amount of={variant.total} />
            </td>
            <td class="end">{variant.difference === null ? '–' : <Amount of={variant.difference} signed />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
