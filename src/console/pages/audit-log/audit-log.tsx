// The audit log: every request that changed something and every command, whether or not it was accepted. What narrows it stands in the address; what is found
// is saved as a file.

import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { useQuery } from '../../client/address.js'
import { api, ask, type Schema } from '../../client/api.js'
import { momentText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { organizationId } from '../../client/session.js'
import { Button } from '../../parts/button.js'
import { Tag } from '../../parts/chip.js'
import { csvText, saveFile } from '../../parts/download.js'
import { Facts } from '../../parts/facts.js'
import { Field } from '../../parts/field.js'
import { JsonView } from '../../parts/json-view.js'
import { Pager, useFilter, usePage } from '../../parts/pager.js'
import { PageHead, Panel } from '../../parts/panel.js'
import { PeriodFields, usePeriod } from '../../parts/period.js'
import { EmptyState, Loaded } from '../../parts/states.js'
import { type Column, type NarrowRow, Table } from '../../parts/table.js'
import { toast, toastFailure } from '../../parts/toast.js'

type Entry = Schema<'AuditEntry'>

const perPage = 50
/** Of one file: as many as are read in a few seconds. */
const fileRows = 5_000
const pageOfFile = 200

/** `registerChargePoint` as people say it. */
const wordsOf = (action: string): string => {
  const words = action.replace(/[A-Z]+(?![a-z])|[A-Z]/g, (letters) => ` ${letters.toLowerCase()}`).trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const whoOf = ({ key_name, key_id, user_id, installer_id }: Entry): string =>
  user_id ?? key_name ?? key_id ?? installer_id ?? 'another organization, or the service'

const whatOf = ({ resources }: Entry): string => Object.values(resources).join(', ')

function Outcome({ status, error }: Pick<Entry, 'status' | 'error'>) {
  if (error === null) return <Tag kind="ok">done</Tag>
  return (
    <Tag kind={status >= 500 ? 'bad' : 'warn'} title={`HTTP ${status}`}>
      {error}
    </Tag>
  )
}

const columns: readonly Column<Entry>[] = [
  { id: 'at', name: 'When', width: '170px', cell: ({ occurred_at: at }) => momentText(at) },
  {
    id: 'action',
    name: 'What',
    width: 'minmax(160px, 1fr)',
    cell: ({ action }) => <span title={action}>{wordsOf(action)}</span>,
  },
  {
    id: 'of',
    name: 'Of',
    width: 'minmax(120px, 1.2fr)',
    wideOnly: true,
    cell: (entry) => <span class="mono">{whatOf(entry)}</span>,
  },
  { id: 'who', name: 'Who', width: 'minmax(120px, 1fr)', wideOnly: true, cell: (entry) => whoOf(entry) },
  {
    id: 'from',
    name: 'From',
    width: '130px',
    wideOnly: true,
    cell: ({ remote_address: from }) => <span class="mono">{from}</span>,
  },
  { id: 'outcome', name: 'Outcome', width: '150px', cell: (entry) => <Outcome {...entry} /> },
]

const narrow: NarrowRow<Entry> = {
  title: ({ action }) => wordsOf(action),
  about: (entry) => `${momentText(entry.occurred_at)}, ${whoOf(entry)}`,
  end: (entry) => <Outcome {...entry} />,
}

function Detail({ entry, close }: { readonly entry: Entry; readonly close: () => void }) {
  const chargePoint = entry.resources.charge_point_id
  return (
    <Panel
      title={wordsOf(entry.action)}
      hint={<Outcome {...entry} />}
      padded
      actions={<Button kind="ghost" small icon="x" label="Close" onClick={close} />}
    >
      <div class="stack">
        <Facts
          of={[
            { name: 'When', value: momentText(entry.occurred_at) },
            { name: 'Who', value: whoOf(entry) },
            { name: 'Key', value: entry.key_name === null ? undefined : `${entry.key_name} (${entry.key_id})` },
            { name: 'From', value: entry.remote_address },
            {
              name: 'Request',
              value: (
                <span class="mono">
                  {entry.method} {entry.path}
                </span>
              ),
            },
            { name: 'Answer', value: entry.error === null ? entry.status : `${entry.status} ${entry.error}` },
            {
              name: 'Charge point',
              value:
                chargePoint === undefined ? undefined : (
                  <Link class="link mono" href={`/charge-points/${encodeURIComponent(String(chargePoint))}`}>
                    {chargePoint}
                  </Link>
                ),
            },
            {
              name: 'Request id',
              value: entry.request_id === null ? undefined : <span class="mono">{entry.request_id}</span>,
            },
          ]}
        />
        {entry.request_body !== null && <JsonView value={entry.request_body} label="Body of the request" />}
      </div>
    </Panel>
  )
}

export function Page() {
  const [action, setAction] = useFilter('action')
  const [keyId, setKeyId] = useFilter('key')
  const [userId, setUserId] = useFilter('user')
  const [chosen, choose] = useQuery('entry')
  const [page] = usePage()
  const [isSaving, setSaving] = useState(false)
  const { from, to } = usePeriod()
  const query = {
    ...(action !== undefined && { action }),
    ...(keyId !== undefined && { key_id: keyId }),
    ...(userId !== undefined && { user_id: userId }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  }
  const log = useResource(
    (signal) =>
      ask(api.GET('/api/v1/org/audit-log', { params: { query: { ...query, page, per_page: perPage } }, signal })),
    [action, keyId, userId, from, to, page],
  )

  async function save(): Promise<void> {
    setSaving(true)
    try {
      const rows: Entry[] = []
      for (let at = 1; rows.length < fileRows; at++) {
        const { data, total } = await ask(
          api.GET('/api/v1/org/audit-log', { params: { query: { ...query, page: at, per_page: pageOfFile } } }),
        )
        rows.push(...data)
        if (data.length === 0 || rows.length >= total) break
      }
      const head = [
        'occurred_at',
        'action',
        'resources',
        'key_name',
        'key_id',
        'user_id',
        'remote_address',
        'method',
        'path',
        'status',
        'error',
        'request_id',
      ]
      const cells = rows.map((row) => [
        row.occurred_at,
        row.action,
        whatOf(row),
        row.key_name,
        row.key_id,
        row.user_id,
        row.remote_address,
        row.method,
        row.path,
        row.status,
        row.error,
        row.request_id,
      ])
      saveFile(`audit-log-${organizationId()}.csv`, 'text/csv', csvText([head, ...cells]))
      toast(`${rows.length} entries are saved.`)
    } catch (error) {
      toastFailure(error)
    } finally {
      setSaving(false)
    }
  }

  const entry = log.data?.data.find(({ id }) => id === chosen)
  return (
    <>
      <PageHead
        title="Audit log"
        about="Who changed what, and what was refused"
        actions={
          <Button icon="download" disabled={isSaving} onClick={() => void save()}>
            CSV
          </Button>
        }
      >
        <div class="filters">
          <Field
            label="Action"
            placeholder="registerChargePoint"
            value={action ?? ''}
            onChange={setAction}
            type="search"
          />
          <Field label="Id of the key" placeholder="key_…" value={keyId ?? ''} onChange={setKeyId} type="search" mono />
          <Field
            label="Id of the member"
            placeholder="usr_…"
            value={userId ?? ''}
            onChange={setUserId}
            type="search"
            mono
          />
          <PeriodFields />
        </div>
      </PageHead>
      {entry !== undefined && <Detail entry={entry} close={() => choose(undefined)} />}
      <Panel class="fills">
        <Loaded of={log}>
          {({ data, total }) => (
            <>
              {data.length === 0 ? (
                <EmptyState icon="scroll-text" title="Nothing fits">
                  <span>No entry of the log has all of this.</span>
                </EmptyState>
              ) : (
                <Table
                  label="Entries"
                  columns={columns}
                  narrow={narrow}
                  count={data.length}
                  rowAt={(at) => data[at] as Entry}
                  keyOf={({ id }) => id}
                  open={({ id }) => choose(id, true)}
                />
              )}
              <Pager total={total} perPage={perPage} of="entries" />
            </>
          )}
        </Loaded>
      </Panel>
    </>
  )
}
