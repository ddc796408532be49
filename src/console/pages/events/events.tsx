// The feed of events: those of the last minutes and what comes, or those from a time on, page by page; the payload of one beside it.

import { useEffect, useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { useQuery } from '../../client/address.js'
import { api, ask, type Schema } from '../../client/api.js'
import { millisecondText, momentText } from '../../client/format.js'
import { openLive } from '../../client/live.js'
import { useResource } from '../../client/resource.js'
import { instantText } from '../../client/zone.js'
import { Button } from '../../parts/button.js'
import { Facts } from '../../parts/facts.js'
import { Field } from '../../parts/field.js'
import { JsonView } from '../../parts/json-view.js'
import { PageHead, Panel } from '../../parts/panel.js'
import { EmptyState, Loaded } from '../../parts/states.js'
import { type Column, type NarrowRow, Table } from '../../parts/table.js'

type Event = Schema<'FeedEvent'>
type Kind = { readonly event: string; readonly description: string }

const pageRows = 200
const shownRows = 500
/** Of so long ago where that fits a page; of a busy network, of less. The feed has the oldest first. */
const beforeMs = [15 * 60_000, 3 * 60_000, 30_000] as const

const columns: readonly Column<Event>[] = [
  {
    id: 'at',
    name: 'When',
    width: '110px',
    cell: ({ created_at: at }) => <span class="mono">{millisecondText(at)}</span>,
  },
  { id: 'event', name: 'Event', width: 'minmax(150px, 1fr)', cell: ({ event }) => <span class="mono">{event}</span> },
  {
    id: 'subject',
    name: 'Of',
    width: 'minmax(110px, 1fr)',
    cell: ({ subject }) => <span class="mono">{subject}</span>,
  },
  {
    id: 'data',
    name: 'What',
    width: 'minmax(120px, 3fr)',
    wideOnly: true,
    cell: ({ data }) => <span class="dim">{JSON.stringify(data)}</span>,
  },
]

const narrow: NarrowRow<Event> = {
  title: ({ event }) => <span class="mono">{event}</span>,
  about: ({ subject, created_at: at }) => `${subject}, ${millisecondText(at)}`,
}

function Detail({
  event,
  about,
  close,
}: {
  readonly event: Event
  readonly about: string | undefined
  readonly close: () => void
}) {
  const chargePoint = (event.data as { readonly charge_point_id?: unknown }).charge_point_id
  return (
    <Panel
      title={<span class="mono">{event.event}</span>}
      padded
      actions={
        <>
          <a class="link" href={`/docs/api/webhook-events#${event.event}`}>
            Its schema
          </a>
          <Button kind="ghost" small icon="x" label="Close" onClick={close} />
        </>
      }
    >
      <div class="stack">
        {about !== undefined && <p>{about}</p>}
        <Facts
          of={[
            { name: 'When', value: momentText(event.created_at) },
            {
              name: 'Charge point',
              value:
                typeof chargePoint !== 'string' ? undefined : (
                  <Link class="link mono" href={`/charge-points/${encodeURIComponent(chargePoint)}`}>
                    {chargePoint}
                  </Link>
                ),
            },
            { name: 'Id', value: <span class="mono">{event.id}</span> },
          ]}
        />
        <JsonView value={event.data} label="Data of the event" />
      </div>
    </Panel>
  )
}

export function Page() {
  const [type, setType] = useQuery('type')
  const [from, setFrom] = useQuery('from')
  const [cursor, setCursor] = useQuery('cursor')
  const [chosen, choose] = useQuery('event')
  const [live, setLive] = useState<readonly Event[]>([])
  const isLive = from === undefined && cursor === undefined
  const kinds = useResource(
    async (signal) => (await ask(api.GET('/api/v1/events/schemas', { signal }))).events as readonly Kind[],
    [],
  )
  const feed = useResource(
    async (signal) => {
      const read = (place: { readonly from: string } | { readonly cursor: string }) => {
        const query = { limit: pageRows, ...(type !== undefined && { types: [type] }), ...place } as never
        return ask(api.GET('/api/v1/events', { params: { query }, signal }))
      }
      if (cursor !== undefined) return read({ cursor })
      const begin = instantText(from)
      if (begin !== undefined) return read({ from: begin })
      const since = (ms: number) => read({ from: new Date(Date.now() - ms).toISOString() })
      let found = await since(beforeMs[0])
      for (const ms of beforeMs.slice(1)) if (found.has_more) found = await since(ms)
      return found
    },
    [type, from, cursor],
  )
  const names = kinds.data?.map(({ event }) => event).filter((name) => type === undefined || name === type)

  useEffect(() => {
    setLive([])
    if (!isLive || names === undefined) return undefined
    const query = type === undefined ? '' : `?types=${encodeURIComponent(type)}`
    return openLive({
      name: `events ${type ?? ''}`,
      path: () => `/api/v1/events/stream${query}`,
      events: names,
      take: ({ data }) => {
        const event = data as Event
        setLive((before) =>
          before.some(({ id }) => id === event.id) ? before : [event, ...before].slice(0, shownRows),
        )
      },
      onCut: feed.reload,
    })
  }, [isLive, type, names === undefined])

  /** The newest first while they come; as they happened from a time on. */
  function rowsOf(data: readonly Event[]): readonly Event[] {
    if (!isLive) return data
    const known = new Set(live.map(({ id }) => id))
    return [...live, ...data.filter(({ id }) => !known.has(id)).reverse()]
  }

  function begin(next: string): void {
    setCursor(undefined)
    setFrom(next)
  }

  return (
    <>
      <PageHead
        title="Events"
        about={isLive ? 'The last minutes, and what comes' : 'In their order, from a time on'}
        actions={
          <a class="link" href="/docs/api/webhook-events">
            Every event
          </a>
        }
      >
        <div class="filters">
          <Field
            label="Event"
            hideLabel
            value={type ?? ''}
            onChange={setType}
            options={[
              { value: '', name: 'Every event' },
              ...(kinds.data ?? []).map(({ event }) => ({ value: event, name: event })),
            ]}
          />
          <Field label="From" hideLabel type="datetime-local" value={from ?? ''} onChange={begin} />
          {!isLive && (
            <Button icon="radio" onClick={() => begin('')}>
              Now
            </Button>
          )}
        </div>
      </PageHead>
      <Loaded of={feed}>
        {({ data, has_more, next_cursor }) => {
          const rows = rowsOf(data)
          const event = rows.find(({ id }) => id === chosen)
          return (
            <>
              {event !== undefined && (
                <Detail
                  event={event}
                  about={kinds.data?.find((kind) => kind.event === event.event)?.description}
                  close={() => choose(undefined)}
                />
              )}
              <Panel class="fills">
                {rows.length === 0 ? (
                  <EmptyState
                    icon="radio"
                    title={isLive ? 'Nothing has happened in the last minutes' : 'Nothing since then'}
                  />
                ) : (
                  <Table
                    label="Events"
                    columns={columns}
                    narrow={narrow}
                    count={rows.length}
                    rowAt={(at) => rows[at] as Event}
                    keyOf={({ id }) => id}
                    open={({ id }) => choose(id, true)}
                  />
                )}
                {has_more && !isLive && (
                  <nav class="pager" aria-label="Pages of events">
                    <Button small icon="chevron-right" onClick={() => setCursor(next_cursor, true)}>
                      What came then
                    </Button>
                  </nav>
                )}
              </Panel>
            </>
          )
        }}
      </Loaded>
    </>
  )
}
