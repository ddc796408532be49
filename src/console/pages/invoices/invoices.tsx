// The monthly invoices: the list, one with its lines and sessions, and its PDF. A correction of an earlier month is a line of the next invoice.

import { Link } from 'wouter-preact'
import { useQuery } from '../../client/address.js'
import { api, ask, type Schema } from '../../client/api.js'
import { dateText, momentText, numberText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { Button } from '../../parts/button.js'
import { Facts } from '../../parts/facts.js'
import { Field } from '../../parts/field.js'
import { Fields } from '../../parts/fields.js'
import { Icon } from '../../parts/icon.js'
import { Amount, amountOf } from '../../parts/money.js'
import { Pager, useFilter, usePage } from '../../parts/pager.js'
import { PageHead, Panel } from '../../parts/panel.js'
import { EmptyState, Loaded } from '../../parts/states.js'
import { type Column, Table } from '../../parts/table.js'

type Invoice = Schema<'Invoice'>
type Item = Schema<'InvoiceItem'>

const perPage = 50
const itemsPerPage = 500

const total = ({ total: value, currency }: Invoice) => <Amount of={amountOf(value, currency)} currency={currency} />

const columns: readonly Column<Invoice>[] = [
  {
    id: 'number',
    name: 'Number',
    width: 'minmax(110px, 1fr)',
    cell: ({ number }) => <span class="mono">{number}</span>,
  },
  { id: 'month', name: 'Month', width: '90px', cell: ({ month }) => month },
  { id: 'issued', name: 'Issued', width: '120px', wideOnly: true, cell: ({ issued_at }) => dateText(issued_at) },
  {
    id: 'count',
    name: 'Sessions',
    width: '90px',
    align: 'end',
    wideOnly: true,
    cell: ({ count }) => numberText(count),
  },
  {
    id: 'energy',
    name: 'kWh',
    width: '110px',
    align: 'end',
    wideOnly: true,
    cell: ({ energy_kwh }) => numberText(energy_kwh, 3),
  },
  { id: 'total', name: 'Total', width: '140px', align: 'end', cell: total },
]

const kinds: Readonly<Record<Item['type'], string>> = {
  sessions: 'of the month',
  late_sessions: 'of earlier months, late',
  corrections: 'correction',
}

function itemColumns(currency: string): readonly Column<Item>[] {
  return [
    {
      id: 'session',
      name: 'Session',
      width: '180px',
      cell: ({ session_id, ended_at }) => (
        <Link class="link" href={`/sessions/${session_id}`}>
          {momentText(ended_at)}
        </Link>
      ),
    },
    {
      id: 'charger',
      name: 'Charger',
      width: 'minmax(100px, 1fr)',
      wideOnly: true,
      cell: ({ charge_point_id }) => <span class="mono">{charge_point_id}</span>,
    },
    { id: 'type', name: 'Kind', width: 'minmax(100px, 1fr)', cell: ({ type }) => kinds[type] },
    {
      id: 'tax',
      name: 'Tax',
      width: '90px',
      align: 'end',
      wideOnly: true,
      cell: ({ tax }) => <Amount of={amountOf(tax, currency)} />,
    },
    {
      id: 'total',
      name: 'Total',
      width: '110px',
      align: 'end',
      cell: (item) => <Amount of={amountOf(item.total, currency)} />,
    },
  ]
}

function One({ id, close }: { readonly id: string; readonly close: () => void }) {
  const path = { params: { path: { invoice_id: id } } }
  const invoice = useResource(
    (signal) => ask(api.GET('/api/v1/billing/invoices/{invoice_id}', { ...path, signal })),
    [id],
  )
  const items = useResource(
    (signal) =>
      ask(
        api.GET('/api/v1/billing/invoices/{invoice_id}/sessions', {
          params: { path: { invoice_id: id }, query: { per_page: itemsPerPage } },
          signal,
        }),
      ),
    [id],
  )
  return (
    <Loaded of={invoice}>
      {(data) => {
        const money = (value: number) => <Amount of={amountOf(value, data.currency)} currency={data.currency} />
        return (
          <Panel
            title={`Invoice ${data.number}`}
            hint={`${data.month}, issued ${dateText(data.issued_at)}`}
            actions={
              <>
                <a
                  class="button plain small"
                  href={`/api/v1/billing/invoices/${id}/pdf`}
                  target="_blank"
                  rel="noreferrer"
                >
                  <Icon name="download" small />
                  PDF
                </a>
                <Button kind="ghost" small icon="x" label="Close the invoice" onClick={close} />
              </>
            }
          >
            <div class="padded stack">
              <Facts
                of={[
                  { name: 'From', value: data.issuer.legal_name ?? data.issuer.name },
                  { name: 'To', value: data.recipient.legal_name ?? data.recipient.name },
                  { name: 'Lines', value: money(data.subtotal) },
                  { name: 'Rules and disputes', value: money(data.adjustments) },
                  ...data.taxes.map(({ tax_percentage, tax, net }) => ({
                    name: `Tax, ${tax_percentage} % of ${amountOf(net, data.currency)}`,
                    value: money(tax),
                  })),
                  {
                    name: 'Rounding of the single sessions',
                    value: data.rounding === 0 ? undefined : money(data.rounding),
                  },
                  { name: 'Total', value: money(data.total) },
                ]}
              />
              <ul>
                {data.lines.map((line, at) => (
                  <li key={at}>
                    {line.tariff_name}: {numberText(line.count)} {kinds[line.type]}, {numberText(line.energy_kwh, 3)}{' '}
                    kWh, {money(line.total)} with tax
                  </li>
                ))}
              </ul>
            </div>
            <Loaded of={items}>
              {({ data: rows, total: count }) => (
                <>
                  <Table
                    label="What the invoice bills"
                    fits
                    columns={itemColumns(data.currency)}
                    count={rows.length}
                    rowAt={(at) => rows[at] as Item}
                    keyOf={({ session_id, type }, at) => `${session_id} ${type} ${at}`}
                  />
                  {count > rows.length && (
                    <p class="padded dim">
                      The first {numberText(rows.length)} of {numberText(count)}.
                    </p>
                  )}
                </>
              )}
            </Loaded>
          </Panel>
        )
      }}
    </Loaded>
  )
}

export function Page() {
  const [month, setMonth] = useFilter('month')
  const [chosen, choose] = useQuery('invoice')
  const [page] = usePage()
  const isMonth = month !== undefined && /^\d{4}-(0[1-9]|1[0-2])$/.test(month)
  const list = useResource(
    (signal) =>
      ask(
        api.GET('/api/v1/billing/invoices', {
          params: { query: { page, per_page: perPage, ...(isMonth && { month }) } },
          signal,
        }),
      ),
    [isMonth && month, page],
  )
  return (
    <>
      <PageHead title="Invoices" about="One for each month and currency, an hour after the month has ended">
        <Fields>
          <Field label="Month" value={month ?? ''} onChange={setMonth} placeholder="2026-01" />
        </Fields>
      </PageHead>
      {chosen !== undefined && <One id={chosen} close={() => choose(undefined)} />}
      <Panel class="fills">
        <Loaded of={list}>
          {({ data, total: count }) => (
            <>
              {data.length === 0 ? (
                <EmptyState icon="receipt-text" title="There is no invoice yet">
                  <span>The first one is made an hour after the end of a month in which somebody charged.</span>
                </EmptyState>
              ) : (
                <Table
                  label="Invoices"
                  columns={columns}
                  count={data.length}
                  rowAt={(at) => data[at] as Invoice}
                  keyOf={({ invoice_id }) => invoice_id}
                  open={({ invoice_id }) => choose(invoice_id, true)}
                />
              )}
              <Pager total={count} perPage={perPage} of="invoices" />
            </>
          )}
        </Loaded>
      </Panel>
    </>
  )
}
