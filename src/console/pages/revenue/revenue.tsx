// What charging has brought in over a period: totals by currency, what guests have paid, and the sums by day, charger, site or tariff.

import { Link } from 'wouter-preact'
import { useQuery } from '../../client/address.js'
import { api, ask, type Schema } from '../../client/api.js'
import { dateText, numberText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { Button } from '../../parts/button.js'
import { Segmented } from '../../parts/chip.js'
import { csvText, saveFile } from '../../parts/download.js'
import { Fields } from '../../parts/fields.js'
import { Kpis } from '../../parts/kpi.js'
import { Amount, amountOf } from '../../parts/money.js'
import { PageHead, Panel } from '../../parts/panel.js'
import { PeriodFields, usePeriod } from '../../parts/period.js'
import { EmptyState, Loaded } from '../../parts/states.js'
import { type Column, Table } from '../../parts/table.js'

type Group = Schema<'RevenueGroup'>

const groupings = { day: 'Day', charge_point: 'Charger', site: 'Site', tariff: 'Tariff' } as const
type Grouping = keyof typeof groupings

const keyLinks: Readonly<Record<Grouping, ((key: string) => string) | undefined>> = {
  day: (key) => `/sessions?from=${key}&to=${key}`,
  charge_point: (key) => `/sessions?charger=${encodeURIComponent(key)}`,
  tariff: (key) => `/tariffs/${encodeURIComponent(key)}`,
  site: undefined,
}

function columnsFor(grouping: Grouping): readonly Column<Group>[] {
  const link = keyLinks[grouping]
  const money = (id: 'subtotal' | 'adjustments' | 'tax' | 'total', name: string, wideOnly = true): Column<Group> => ({
    id,
    name,
    width: '120px',
    align: 'end',
    wideOnly,
    cell: (row) => <Amount of={amountOf(row[id], row.currency)} {...(id === 'total' && { currency: row.currency })} />,
  })
  return [
    {
      id: 'key',
      name: groupings[grouping],
      width: 'minmax(120px, 2fr)',
      cell: ({ key }) =>
        key === null ? (
          <span class="dim">none</span>
        ) : link === undefined ? (
          <span class="mono">{key}</span>
        ) : (
          <Link class="link mono" href={link(key)}>
            {key}
          </Link>
        ),
    },
    { id: 'count', name: 'Sessions', width: '80px', align: 'end', cell: ({ count }) => numberText(count) },
    {
      id: 'energy',
      name: 'kWh',
      width: '110px',
      align: 'end',
      wideOnly: true,
      cell: ({ energy_kwh }) => numberText(energy_kwh, 3),
    },
    money('subtotal', 'Lines'),
    money('adjustments', 'Rules'),
    money('tax', 'Tax'),
    money('total', 'Total', false),
  ]
}

const exported = ['key', 'currency', 'count', 'energy_kwh', 'subtotal', 'adjustments', 'tax', 'total'] as const

export function Page() {
  const [by, setBy] = useQuery('by')
  const grouping: Grouping = by !== undefined && by in groupings ? (by as Grouping) : 'day'
  const { from, to } = usePeriod()
  const revenue = useResource(
    (signal) =>
      ask(
        api.GET('/api/v1/billing/revenue', {
          params: {
            query: {
              group_by: grouping,
              per_page: 1_000,
              ...(from !== undefined && { from }),
              ...(to !== undefined && { to }),
            },
          },
          signal,
        }),
      ),
    [grouping, from, to],
  )
  const groups = revenue.data?.groups ?? []
  return (
    <>
      <PageHead
        title="Revenue"
        about="Of sessions that ended in the period; of the last 30 days unless you choose others"
        actions={
          <Button
            icon="download"
            disabled={groups.length === 0}
            onClick={() =>
              saveFile(
                'revenue.csv',
                'text/csv',
                csvText([exported, ...groups.map((group) => exported.map((name) => group[name]))]),
              )
            }
          >
            CSV
          </Button>
        }
      >
        <Fields>
          <Segmented
            label="Sums by"
            value={grouping}
            options={(Object.keys(groupings) as Grouping[]).map((value) => ({ value, name: groupings[value] }))}
            onChange={setBy}
          />
          <PeriodFields />
        </Fields>
      </PageHead>
      <Loaded of={revenue}>
        {({ totals, guest_payments, groups: rows, total, ...period }) => (
          <>
            {totals.map(({ currency, count, energy_kwh, subtotal, adjustments, tax, total: sum }) => (
              <Kpis
                key={currency}
                of={[
                  {
                    name: 'Total',
                    value: <Amount of={amountOf(sum, currency)} />,
                    unit: currency,
                    about: `${dateText(period.from)} to ${dateText(period.to)}`,
                  },
                  { name: 'Sessions', value: numberText(count) },
                  { name: 'Energy', value: numberText(energy_kwh, 1), unit: 'kWh' },
                  { name: 'Lines', value: <Amount of={amountOf(subtotal, currency)} />, unit: currency },
                  {
                    name: 'Rules and disputes',
                    value: <Amount of={amountOf(adjustments, currency)} />,
                    unit: currency,
                  },
                  { name: 'Tax', value: <Amount of={amountOf(tax, currency)} />, unit: currency },
                ]}
              />
            ))}
            {guest_payments.map(({ currency, count, cost, captured_amount, refunded_amount, written_off_amount }) => (
              <Panel key={currency} title="Guests" hint={`${numberText(count)} charges`} padded>
                <p>
                  Their charges cost <Amount of={amountOf(cost, currency)} currency={currency} />. Captured{' '}
                  <Amount of={amountOf(captured_amount, currency)} />, refunded{' '}
                  <Amount of={amountOf(refunded_amount, currency)} />, written off{' '}
                  <Amount of={amountOf(written_off_amount, currency)} />.
                </p>
              </Panel>
            ))}
            <Panel class="fills">
              {rows.length === 0 ? (
                <EmptyState icon="coins" title="No session with a cost ended in this period" />
              ) : (
                <Table
                  label="Revenue"
                  columns={columnsFor(grouping)}
                  count={rows.length}
                  rowAt={(at) => rows[at] as Group}
                  keyOf={({ key, currency }) => `${key} ${currency}`}
                />
              )}
              {total > rows.length && (
                <p class="padded dim">
                  The first {numberText(rows.length)} of {numberText(total)}.
                </p>
              )}
            </Panel>
          </>
        )}
      </Loaded>
    </>
  )
}
