// Transaction messages that match no session: kept until somebody attaches them to theirs.

import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { api, ask, type Schema } from '../../client/api.js'
import { momentText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { may } from '../../client/session.js'
import { Ask } from '../../parts/ask.js'
import { Button } from '../../parts/button.js'
import { Segmented } from '../../parts/chip.js'
import { Field } from '../../parts/field.js'
import { Fields } from '../../parts/fields.js'
import { Pager, useFilter, usePage } from '../../parts/pager.js'
import { PageHead, Panel } from '../../parts/panel.js'
import { EmptyState, Loaded } from '../../parts/states.js'
import { type Column, Table } from '../../parts/table.js'

type Unmatched = Schema<'UnmatchedTransaction'>

const perPage = 100

function Attach({
  of,
  close,
  reload,
}: {
  readonly of: Unmatched
  readonly close: () => void
  readonly reload: () => void
}) {
  const [sessionId, setSessionId] = useState('')
  return (
    <Ask
      title="Attach the StopTransaction to its session"
      does="Attach it"
      said="It is attached, and the session has been priced by it."
      disabled={sessionId.trim() === ''}
      close={close}
      run={async () => {
        await ask(
          api.POST('/api/v1/sessions/unmatched/{unmatched_id}/attach', {
            params: { path: { unmatched_id: of.unmatched_id } },
            body: { session_id: sessionId.trim() },
          }),
        )
        reload()
      }}
    >
      <p>It ends and prices the session as it would have done when it arrived. The session is of the same charger.</p>
      <pre class="mono">{JSON.stringify(of.payload, undefined, 2)}</pre>
      <Field
        label="Session"
        path="/session_id"
        value={sessionId}
        onChange={setSessionId}
        placeholder="ses_…"
        mono
        autofocus
      />
      <Link class="link" href={`/sessions?charger=${encodeURIComponent(of.charge_point_id)}`}>
        Sessions of {of.charge_point_id}
      </Link>
    </Ask>
  )
}

export function Page() {
  const [status, setStatus] = useFilter('status')
  const [charger, setCharger] = useFilter('charger')
  const [page] = usePage()
  const [attaching, setAttaching] = useState<Unmatched>()
  const shown = status === 'attached' ? 'attached' : 'open'
  const list = useResource(
    (signal) =>
      ask(
        api.GET('/api/v1/sessions/unmatched', {
          params: {
            query: {
              status: shown,
              page,
              per_page: perPage,
              ...(charger !== undefined && { charge_point_id: charger }),
            },
          },
          signal,
        }),
      ),
    [shown, charger, page],
  )
  const columns: readonly Column<Unmatched>[] = [
    { id: 'at', name: 'Arrived', width: '170px', cell: ({ received_at }) => momentText(received_at) },
    {
      id: 'charger',
      name: 'Charger',
      width: 'minmax(110px, 1fr)',
      cell: ({ charge_point_id }) => <span class="mono">{charge_point_id}</span>,
    },
    {
      id: 'why',
      name: 'Why it matches none',
      width: 'minmax(140px, 2fr)',
      wideOnly: true,
      cell: ({ why }) => <span title={why}>{why}</span>,
    },
    {
      id: 'payload',
      name: 'Message',
      width: 'minmax(120px, 2fr)',
      wideOnly: true,
      cell: ({ action, payload }) => (
        <span class="mono" title={JSON.stringify(payload)}>
          {action} {JSON.stringify(payload)}
        </span>
      ),
    },
    {
      id: 'do',
      name: 'Session',
      width: '110px',
      buttons: true,
      cell: (row) =>
        row.session_id !== null ? (
          <Link class="link" href={`/sessions/${row.session_id}`}>
            Its session
          </Link>
        ) : (
          may('write:sessions') && (
            <Button small onClick={() => setAttaching(row)}>
              Attach
            </Button>
          )
        ),
    },
  ]
  return (
    <>
      <PageHead title="Unmatched stops" about="StopTransactions that match no session are never dropped">
        <Fields>
          <Segmented
            label="State"
            value={shown}
            options={[
              { value: 'open', name: 'Open' },
              { value: 'attached', name: 'Attached' },
            ]}
            onChange={setStatus}
          />
          <Field label="Charger" value={charger ?? ''} onChange={setCharger} mono />
        </Fields>
      </PageHead>
      <Panel class="fills">
        <Loaded of={list}>
          {({ unmatched, total }) => (
            <>
              {unmatched.length === 0 ? (
                <EmptyState
                  icon="check"
                  title={shown === 'open' ? 'Every StopTransaction has its session' : 'None has been attached'}
                />
              ) : (
                <Table
                  label="Unmatched stops"
                  columns={columns}
                  count={unmatched.length}
                  rowAt={(at) => unmatched[at] as Unmatched}
                  keyOf={({ unmatched_id }) => unmatched_id}
                />
              )}
              <Pager total={total} perPage={perPage} of="messages" />
            </>
          )}
        </Loaded>
      </Panel>
      {attaching !== undefined && <Attach of={attaching} close={() => setAttaching(undefined)} reload={list.reload} />}
    </>
  )
}
