// Who is refused now: one line a charger, with what is wrong in words, and the way to what can be done about it.

import { useLocation } from 'wouter-preact'
import { useQuery } from '../../client/address.js'
import { api, ask, type Schema } from '../../client/api.js'
import { agoText, numberText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { Button } from '../../parts/button.js'
import { Chip, Tag } from '../../parts/chip.js'
import { PageHead, Panel } from '../../parts/panel.js'
import { EmptyState, Loaded } from '../../parts/states.js'
import { type Column, type NarrowRow, Table } from '../../parts/table.js'

type Refused = Schema<'RefusedChargePoint'>

/** What has none is no charge point that could be called by something. */
const hasId = ({ reason }: Refused): boolean => reason !== 'no_identity'

const idOf = (row: Refused) =>
  hasId(row) ? <span class="mono">{row.charge_point_id}</span> : `Address from ${row.remote_address}`

const standingOf = (row: Refused): string => (hasId(row) ? 'not registered' : 'no id')

const columns: readonly Column<Refused>[] = [
  {
    id: 'id',
    name: 'Charger',
    width: 'minmax(150px, 1fr)',
    cell: (row) => (
      <>
        {idOf(row)} {!row.registered && <Tag kind="bad">{standingOf(row)}</Tag>}
      </>
    ),
  },
  {
    id: 'cause',
    name: 'What is wrong',
    width: 'minmax(190px, 2fr)',
    cell: ({ cause, remedy }) => <span title={remedy}>{cause}</span>,
  },
  {
    id: 'reason',
    name: 'Refused as',
    width: '170px',
    wideOnly: true,
    cell: ({ reason }) => <span class="mono dim">{reason}</span>,
  },
  {
    id: 'from',
    name: 'From',
    width: '130px',
    wideOnly: true,
    cell: ({ remote_address }) => <span class="mono">{remote_address}</span>,
  },
  {
    id: 'attempts',
    name: 'In 24 h',
    width: '70px',
    align: 'end',
    wideOnly: true,
    cell: ({ attempts }) => numberText(attempts),
  },
  { id: 'last', name: 'Last', width: '110px', cell: ({ last_attempted_at }) => agoText(last_attempted_at) },
]

const narrow: NarrowRow<Refused> = {
  title: (row) => <b>{idOf(row)}</b>,
  about: ({ cause }) => cause,
  wraps: 'about',
  end: (row) =>
    row.registered ? (
      <span class="dim">{agoText(row.last_attempted_at)}</span>
    ) : (
      <Tag kind="bad">{standingOf(row)}</Tag>
    ),
}

/** Beyond so many, the first of them are shown. */
const mostPages = 5

async function readAll(signal: AbortSignal) {
  const rows: Refused[] = []
  let after: string | undefined
  for (let page = 0; page < mostPages; page++) {
    const query = { limit: 200, ...(after !== undefined && { after }) }
    const { data, next } = await ask(api.GET('/api/v1/cpo/refused-charge-points', { params: { query }, signal }))
    rows.push(...data)
    if (next === null) return { rows: newestFirst(rows), isCut: false }
    after = next
  }
  return { rows: newestFirst(rows), isCut: true }
}

const newestFirst = (rows: readonly Refused[]): readonly Refused[] =>
  [...rows].sort((one, other) => (one.last_attempted_at < other.last_attempted_at ? 1 : -1))

export function Page() {
  const [, navigate] = useLocation()
  const [kind, setKind] = useQuery('kind')
  const refused = useResource(readAll, [], { everySeconds: 10 })
  const groups = {
    fix: ({ comes_back }: Refused) => !comes_back,
    unknown: (row: Refused) => !row.registered && hasId(row),
    waiting: ({ comes_back }: Refused) => comes_back,
  }
  const keep = kind === undefined ? undefined : groups[kind as keyof typeof groups]
  return (
    <>
      <PageHead title="Refused" about="Chargers that tried to connect in the last 24 hours and were not let in" />
      <Panel class="fills">
        <Loaded of={refused}>
          {({ rows, isCut }) => {
            const shown = keep === undefined ? rows : rows.filter(keep)
            const chip = (name: keyof typeof groups, words: string) => (
              <Chip
                pressed={kind === name}
                count={rows.filter(groups[name]).length}
                onClick={() => setKind(kind === name ? undefined : name)}
              >
                {words}
              </Chip>
            )
            return (
              <>
                <header class="row-of chips">
                  {chip('fix', 'Somebody has to do something')}
                  {chip('unknown', 'Not registered')}
                  {chip('waiting', 'Come back by themselves')}
                  {isCut && (
                    <span class="dim">There are more: the first {numberText(rows.length)} by their ids are here.</span>
                  )}
                </header>
                {shown.length === 0 && rows.length > 0 ? (
                  <EmptyState icon="circle-check" title="None of those who are refused">
                    <Button onClick={() => setKind(undefined)}>Show all</Button>
                  </EmptyState>
                ) : shown.length === 0 ? (
                  <EmptyState icon="circle-check" title="Nobody is refused">
                    A charger whose TLS handshake fails is never seen here: nothing in it says which one it is.
                  </EmptyState>
                ) : (
                  <Table
                    label="Refused charge points"
                    columns={columns}
                    narrow={narrow}
                    count={shown.length}
                    rowAt={(at) => shown[at] as Refused}
                    keyOf={({ charge_point_id, registered }) => `${charge_point_id} ${registered}`}
                    open={({ charge_point_id }) => navigate(`/charge-points/${encodeURIComponent(charge_point_id)}`)}
                  />
                )}
              </>
            )
          }}
        </Loaded>
      </Panel>
    </>
  )
}
