// Webhook endpoints: which there are, how each fares, and everything that can be done with one.

import { useState } from 'preact/hooks'
import { useQuery } from '../../client/address.js'
import { api, ask } from '../../client/api.js'
import { dateText, momentText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { may } from '../../client/session.js'
import { Ask } from '../../parts/ask.js'
import { Button } from '../../parts/button.js'
import { Tag, type TagKind } from '../../parts/chip.js'
import { Facts } from '../../parts/facts.js'
import { PageHead, Panel } from '../../parts/panel.js'
import { ShownOnce } from '../../parts/shown-once.js'
import { EmptyState, Loaded } from '../../parts/states.js'
import { type Column, Table } from '../../parts/table.js'
import { attempt, toast } from '../../parts/toast.js'
import { Deliveries } from './deliveries.js'
import { type Endpoint, EndpointDialog, ReplayDialog, RotateDialog } from './endpoint-dialogs.js'

const kinds: Readonly<Record<Endpoint['status'], TagKind>> = { active: 'ok', paused: 'plain', disabled: 'bad' }

function State({ of: { status, failing_since } }: { readonly of: Endpoint }) {
  if (status === 'active' && failing_since !== null) return <Tag kind="warn">failing</Tag>
  return <Tag kind={kinds[status]}>{status === 'disabled' ? 'switched off' : status}</Tag>
}

const columns: readonly Column<Endpoint>[] = [
  { id: 'status', name: 'State', width: '110px', narrow: 'end', cell: (endpoint) => <State of={endpoint} /> },
  {
    id: 'url',
    name: 'Address',
    width: 'minmax(160px, 2fr)',
    narrow: 'title',
    cell: ({ url }) => <span class="mono">{url}</span>,
  },
  {
    id: 'events',
    name: 'Events',
    width: 'minmax(140px, 1fr)',
    wideOnly: true,
    cell: ({ events }) => events.join(', '),
  },
  { id: 'for', name: 'For', width: 'minmax(100px, 1fr)', wideOnly: true, cell: ({ description }) => description },
  { id: 'made', name: 'Made', width: '110px', wideOnly: true, cell: ({ created_at: at }) => dateText(at) },
]

type Asked = 'change' | 'rotate' | 'replay' | 'delete'

function Detail({
  endpoint,
  close,
  reload,
  show,
  tested,
}: {
  readonly endpoint: Endpoint
  readonly close: () => void
  readonly reload: () => void
  readonly show: (secret: string) => void
  readonly tested: () => void
}) {
  const [asked, setAsked] = useState<Asked>()
  const [isTesting, setTesting] = useState(false)
  const params = { path: { endpoint_id: endpoint.id } }

  async function test(): Promise<void> {
    setTesting(true)
    await attempt(async () => {
      const { http_status, error } = await ask(api.POST('/api/v1/webhooks/endpoints/{endpoint_id}/test', { params }))
      if (error === null) toast(`The receiver has answered HTTP ${http_status}.`)
      else toast(`The test has failed: ${error}`, 'failed')
    })
    setTesting(false)
    tested()
    reload()
  }

  async function set(active: boolean): Promise<void> {
    await attempt(() => ask(api.PATCH('/api/v1/webhooks/endpoints/{endpoint_id}', { params, body: { active } })))
    reload()
  }

  const at = (text: string | null) => (text === null ? undefined : momentText(text))
  const { replay } = endpoint
  return (
    <Panel
      title={<span class="mono">{endpoint.url}</span>}
      hint={<State of={endpoint} />}
      padded
      actions={<Button kind="ghost" small icon="x" label="Close the endpoint" onClick={close} />}
    >
      <div class="stack">
        <Facts
          of={[
            { name: 'For', value: endpoint.description },
            { name: 'Events', value: <span class="mono">{endpoint.events.join(', ')}</span> },
            { name: 'Form', value: endpoint.payload_format.toUpperCase() },
            { name: 'Failing since', value: at(endpoint.failing_since) },
            {
              name: 'Switched off',
              value:
                endpoint.disabled_at === null
                  ? undefined
                  : `${momentText(endpoint.disabled_at)}: ${endpoint.disabled_reason === 'gone' ? 'the receiver has answered that it is gone' : 'every delivery has failed'}`,
            },
            { name: 'Secret of', value: at(endpoint.secret_rotated_at) },
            {
              name: 'Being sent again',
              value: replay === null ? undefined : `${replay.sent} events since ${momentText(replay.from)}`,
            },
            { name: 'Id', value: <span class="mono">{endpoint.id}</span> },
          ]}
        />
        {may('write:webhooks') && (
          <div class="row-of">
            <Button icon="send" busy={isTesting} onClick={() => void test()}>
              Send a test
            </Button>
            {endpoint.status === 'active' ? (
              <Button icon="pause" onClick={() => void set(false)}>
                Pause
              </Button>
            ) : (
              <Button icon="play" kind="primary" onClick={() => void set(true)}>
                Resume
              </Button>
            )}
            <Button icon="pencil" onClick={() => setAsked('change')}>
              Change
            </Button>
            <Button icon="rotate-ccw" onClick={() => setAsked('replay')}>
              Send events again
            </Button>
            <Button icon="key-round" onClick={() => setAsked('rotate')}>
              Another secret
            </Button>
            <Button icon="trash" kind="danger" onClick={() => setAsked('delete')}>
              Delete
            </Button>
          </div>
        )}
      </div>
      {asked === 'change' && <EndpointDialog endpoint={endpoint} close={() => setAsked(undefined)} done={reload} />}
      {asked === 'rotate' && <RotateDialog endpoint={endpoint} close={() => setAsked(undefined)} done={show} />}
      {asked === 'replay' && <ReplayDialog endpoint={endpoint} close={() => setAsked(undefined)} done={reload} />}
      {asked === 'delete' && (
        <Ask
          title="Delete the endpoint"
          does="Delete it"
          danger
          close={() => setAsked(undefined)}
          said="The endpoint is deleted."
          run={() => ask(api.DELETE('/api/v1/webhooks/endpoints/{endpoint_id}', { params }))}
          done={() => {
            close()
            reload()
          }}
        >
          <p>
            Nothing more is sent to <span class="mono">{endpoint.url}</span>, and its deliveries are forgotten.
          </p>
        </Ask>
      )}
    </Panel>
  )
}

export function Page() {
  const [chosen, choose] = useQuery('endpoint')
  const [, setDelivery] = useQuery('delivery')
  const [isMaking, setMaking] = useState(false)
  const [secret, setSecret] = useState<string>()
  const [tests, setTests] = useState(0)
  const list = useResource(
    async (signal) =>
      (await ask(api.GET('/api/v1/webhooks/endpoints', { params: { query: { per_page: 200 } }, signal }))).data,
    [],
    { everySeconds: 10 },
  )
  const endpoint = list.data?.find(({ id }) => id === chosen)
  return (
    <>
      <PageHead
        title="Webhooks"
        about="Who is sent events, and what became of each"
        actions={
          <>
            <a class="button plain" href="/docs/api/webhook-events">
              Every event
            </a>
            {may('write:webhooks') && (
              <Button kind="primary" icon="plus" onClick={() => setMaking(true)}>
                New endpoint
              </Button>
            )}
          </>
        }
      />
      {endpoint !== undefined && (
        <Detail
          key={endpoint.id}
          endpoint={endpoint}
          close={() => {
            setDelivery(undefined)
            choose(undefined)
          }}
          reload={list.reload}
          show={setSecret}
          tested={() => setTests((count) => count + 1)}
        />
      )}
      {endpoint !== undefined ? (
        <Deliveries endpoint={endpoint} tests={tests} />
      ) : (
        <Panel class="fills">
          <Loaded of={list}>
            {(rows) =>
              rows.length === 0 ? (
                <EmptyState icon="webhook" title="Nobody is sent events yet">
                  <span>An endpoint is an address of yours, to which events are posted as they happen.</span>
                </EmptyState>
              ) : (
                <Table
                  label="Endpoints"
                  columns={columns}
                  count={rows.length}
                  rowAt={(at) => rows[at] as Endpoint}
                  keyOf={({ id }) => id}
                  open={({ id }) => choose(id, true)}
                />
              )
            }
          </Loaded>
        </Panel>
      )}
      {isMaking && (
        <EndpointDialog
          close={() => setMaking(false)}
          done={({ id }, made) => {
            list.reload()
            choose(id, true)
            setSecret(made)
          }}
        />
      )}
      {secret !== undefined && (
        <ShownOnce title="The secret, shown this once" secret={secret} close={() => setSecret(undefined)}>
          <p>The receiver checks with it that a delivery comes from here. Keep it where the receiver reads it.</p>
        </ShownOnce>
      )}
    </>
  )
}
