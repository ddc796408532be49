// The deliveries of an endpoint: what was sent, how often, and what was answered; one is sent again, and its payload shown.

import { useEffect } from 'preact/hooks'
import { useQuery } from '../../client/address.js'
import { api, ask, type Schema } from '../../client/api.js'
import { agoText, momentText, numberText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { may } from '../../client/session.js'
import { Button } from '../../parts/button.js'
import { Segmented, Tag, type TagKind } from '../../parts/chip.js'
import { Facts } from '../../parts/facts.js'
import { JsonView } from '../../parts/json-view.js'
import { Pager, useFilter, usePage } from '../../parts/pager.js'
import { Panel } from '../../parts/panel.js'
import { EmptyState, Loaded } from '../../parts/states.js'
import { type Column, type NarrowRow, Table } from '../../parts/table.js'
import { attempt } from '../../parts/toast.js'
import type { Endpoint } from './endpoint-dialogs.js'

type Delivery = Schema<'WebhookDelivery'>

const perPage = 50
const everySeconds = 5

const kinds: Readonly<Record<Delivery['status'], TagKind>> = {
  pending: 'info',
  succeeded: 'ok',
  delivered: 'ok',
  failed: 'bad',
}
const names: Readonly<Record<Delivery['status'], string>> = {
  pending: 'is sent again',
  succeeded: 'arrived',
  delivered: 'arrived',
  failed: 'failed',
}

const columns: readonly Column<Delivery>[] = [
  {
    id: 'status',
    name: 'State',
    width: '90px',
    cell: ({ status }) => <Tag kind={kinds[status]}>{names[status]}</Tag>,
  },
  { id: 'event', name: 'Event', width: 'minmax(140px, 1fr)', cell: ({ event }) => <span class="mono">{event}</span> },
  {
    id: 'answer',
    name: 'Answer',
    width: 'minmax(120px, 1fr)',
    cell: ({ http_status, error }) => (error === null ? (http_status ?? '') : <span title={error}>{error}</span>),
  },
  { id: 'attempts', name: 'Attempts', width: '80px', align: 'end', wideOnly: true, cell: ({ attempts }) => attempts },
  {
    id: 'last',
    name: 'Last',
    width: '110px',
    wideOnly: true,
    cell: ({ last_attempted_at: at }) => (at === null ? '' : agoText(at)),
  },
  {
    id: 'next',
    name: 'Next',
    width: '110px',
    wideOnly: true,
    cell: ({ next_retry_at: at }) => (at === null ? '' : agoText(at)),
  },
]

const narrow: NarrowRow<Delivery> = {
  title: ({ event }) => <span class="mono">{event}</span>,
  about: ({ http_status, error, last_attempted_at: at }) =>
    [error ?? (http_status === null ? '' : `HTTP ${http_status}`), at === null ? '' : agoText(at)]
      .filter((part) => part !== '')
      .join(', '),
  end: ({ status }) => <Tag kind={kinds[status]}>{names[status]}</Tag>,
}

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** When an event happened, ms: its id begins with it (ULID). */
function timeOf(eventId: string): number {
  let time = 0
  for (const digit of eventId.slice(4, 14)) time = time * 32 + digits.indexOf(digit)
  return time
}

/** The feed has what was sent, as long as events are stored. */
function Payload({ delivery }: { readonly delivery: Delivery }) {
  const event = useResource(
    async (signal) => {
      const from = new Date(timeOf(delivery.event_id) - 1_000).toISOString()
      const query = { from, types: [delivery.event], limit: 200 } as never
      const { data } = await ask(api.GET('/api/v1/events', { params: { query }, signal }))
      return data.find(({ id }) => id === delivery.event_id) ?? null
    },
    [delivery.event_id],
    { enabled: delivery.event !== 'webhook.test' },
  )
  if (delivery.event === 'webhook.test')
    return (
      <p class="dim">
        Nothing has happened: this was a test, whose content is not stored. It is not sent again; send another test.
      </p>
    )
  return (
    <Loaded of={event}>
      {(found) =>
        found === null ? (
          <p class="dim">The event is not stored any more.</p>
        ) : (
          <JsonView value={found} label="The event that was sent" />
        )
      }
    </Loaded>
  )
}

function Detail({
  delivery,
  close,
  reload,
}: {
  readonly delivery: Delivery
  readonly close: () => void
  readonly reload: () => void
}) {
  async function again(): Promise<void> {
    const params = { path: { endpoint_id: delivery.endpoint_id, delivery_id: delivery.id } }
    await attempt(
      () => ask(api.POST('/api/v1/webhooks/endpoints/{endpoint_id}/deliveries/{delivery_id}/replay', { params })),
      'It is being sent again.',
    )
    reload()
  }
  const at = (text: string | null) => (text === null ? undefined : momentText(text))
  const isTest = delivery.event === 'webhook.test'
  return (
    <Panel
      title={<span class="mono">{delivery.event}</span>}
      hint={<Tag kind={kinds[delivery.status]}>{names[delivery.status]}</Tag>}
      padded
      actions={<Button kind="ghost" small icon="x" label="Close the delivery" onClick={close} />}
    >
      <div class="stack">
        <Facts
          of={[
            { name: 'Attempts', value: delivery.attempts },
            { name: 'Answer', value: delivery.http_status === null ? undefined : `HTTP ${delivery.http_status}` },
            { name: 'Why it failed', value: delivery.error },
            { name: 'Last attempt', value: at(delivery.last_attempted_at) },
            { name: 'Next attempt', value: at(delivery.next_retry_at) },
            { name: 'Arrived', value: at(delivery.delivered_at) },
            {
              name: isTest ? 'Id that was sent' : 'Event',
              value: <span class="mono">{delivery.event_id}</span>,
            },
          ]}
        />
        {may('write:webhooks') && !isTest && (
          <div class="row-of">
            <Button icon="rotate-ccw" onClick={() => void again()}>
              Send it again
            </Button>
          </div>
        )}
        <Payload delivery={delivery} />
      </div>
    </Panel>
  )
}

function waitText({ waiting, retrying }: { readonly waiting: number; readonly retrying: number }): string {
  const told = [
    waiting > 0 && `${numberText(waiting)} ${waiting === 1 ? 'event waits' : 'events wait'} for the first attempt`,
    retrying > 0 && `${numberText(retrying)} ${retrying === 1 ? 'is' : 'are'} sent again later`,
  ].filter(Boolean)
  return told.join(', ') || 'Nothing waits'
}

/** `tests`: how many were sent from this page. Each shows up at once. */
export function Deliveries({ endpoint, tests }: { readonly endpoint: Endpoint; readonly tests: number }) {
  const [status, setStatus] = useFilter('status')
  const [chosen, choose] = useQuery('delivery')
  const [page] = usePage()
  const list = useResource(
    (signal) =>
      ask(
        api.GET('/api/v1/webhooks/endpoints/{endpoint_id}/deliveries', {
          params: {
            path: { endpoint_id: endpoint.id },
            query: { page, per_page: perPage, ...(status !== undefined && { status: status as Delivery['status'] }) },
          },
          signal,
        }),
      ),
    [endpoint.id, status, page],
    { everySeconds },
  )
  const { reload } = list
  useEffect(() => {
    if (tests > 0) reload()
  }, [tests])
  const delivery = list.data?.deliveries.find(({ id }) => id === chosen)
  return (
    <>
      {delivery !== undefined && <Detail delivery={delivery} close={() => choose(undefined)} reload={list.reload} />}
      <Panel
        class="fills"
        title="Deliveries"
        hint={list.data === undefined ? undefined : waitText(list.data)}
        actions={
          <Segmented
            label="State of deliveries"
            value={status ?? ''}
            options={[
              { value: '', name: 'All' },
              { value: 'failed', name: 'Failed' },
              { value: 'pending', name: 'Sent again' },
              { value: endpoint.payload_format === 'a' ? 'succeeded' : 'delivered', name: 'Arrived' },
            ]}
            onChange={setStatus}
          />
        }
      >
        <Loaded of={list}>
          {({ deliveries, total }) => (
            <>
              {deliveries.length === 0 ? (
                <EmptyState
                  icon="send"
                  title={status === undefined ? 'Nothing has been sent' : 'No delivery is in this state'}
                >
                  <span>Deliveries stand here from their first attempt on.</span>
                </EmptyState>
              ) : (
                <Table
                  label="Deliveries"
                  columns={columns}
                  narrow={narrow}
                  count={deliveries.length}
                  rowAt={(at) => deliveries[at] as Delivery}
                  keyOf={({ id }) => id}
                  open={({ id }) => choose(id, true)}
                />
              )}
              <Pager total={total} perPage={perPage} of="deliveries" />
            </>
          )}
        </Loaded>
      </Panel>
    </>
  )
}
