// What the charge point and the service have said to each other: a request and its answer in one row, what they mean, and the frames beside them. What is
// chosen and filtered stands in the address. Live, new messages come on top as they are answered.

import './messages.css'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { useQuery } from '../../client/address.js'
import { api, ask } from '../../client/api.js'
import { dateText, millisecondText, momentText, numberText, timeText } from '../../client/format.js'
import { useKeys } from '../../client/keys.js'
import { openLive } from '../../client/live.js'
import { useResource } from '../../client/resource.js'
import { isPhone } from '../../client/viewport.js'
import { instantOf } from '../../client/zone.js'
import { Button } from '../../parts/button.js'
import { Chip } from '../../parts/chip.js'
import { Facts } from '../../parts/facts.js'
import { Field } from '../../parts/field.js'
import { Icon } from '../../parts/icon.js'
import { Panel } from '../../parts/panel.js'
import { EmptyState, Loaded } from '../../parts/states.js'
import { type Column, type NarrowRow, Table } from '../../parts/table.js'
import { CaptureDialog } from './capture-dialog.js'
import { FrameView } from './frame-view.js'
import { useHere } from './here.js'
import { answerWords, type Message, nameOf, requestWords } from './message-words.js'

const perPage = 100
/** Of those that have come live. */
const keptLive = 500

type Kind = NonNullable<Message['kind'] | 'error' | 'deviation'>

const kinds: readonly { readonly value: Kind; readonly name: string }[] = [
  { value: 'transaction', name: 'Transactions' },
  { value: 'status', name: 'Status' },
  { value: 'meter', name: 'Meter values' },
  { value: 'command', name: 'From us' },
  { value: 'error', name: 'Errors' },
  { value: 'deviation', name: 'Deviations' },
  { value: 'connection', name: 'Connections' },
]

interface Gap {
  readonly from: string
  readonly to: string
  readonly heartbeats: number
  readonly meter_values: number
  readonly left_out: number
}

/** A row: a message, or what is not there one by one. */
type Row = Message | { readonly gap: Gap }

const isGap = (row: Row): row is { readonly gap: Gap } => 'gap' in row

function gapWords({ from, to, heartbeats, meter_values, left_out }: Gap): string {
  const parts = [
    heartbeats > 0 && `${numberText(heartbeats)} heartbeats`,
    meter_values > 0 && `${numberText(meter_values)} meter values`,
    left_out > 0 && `${numberText(left_out)} more messages`,
  ]
  return `${parts.filter(Boolean).join(', ')} between ${timeText(from)} and ${timeText(to)}, of which no more is kept`
}

const isToday = (at: string): boolean => dateText(at) === dateText(Date.now())
const whenText = (at: string): string => (isToday(at) ? millisecondText(at) : momentText(at))

const hasFailed = ({ answer_type }: Message): boolean => answer_type === 'error' || answer_type === 'timeout'

function Direction({ of: { kind, direction } }: { readonly of: Message }) {
  if (kind === 'connection') return null
  const isOurs = direction === 'out'
  return (
    <span class={isOurs ? 'from-us' : ''} title={isOurs ? 'From us' : 'From it'}>
      <Icon name={isOurs ? 'arrow-left' : 'arrow-right'} small />
      <span class="only-read">{isOurs ? 'from us' : 'from it'}</span>
    </span>
  )
}

const columns: readonly Column<Row>[] = [
  {
    id: 'at',
    name: 'When',
    width: '176px',
    wideOnly: true,
    cell: (row) => (isGap(row) ? '' : <span class="mono dim">{whenText(row.at)}</span>),
  },
  {
    id: 'direction',
    name: 'From',
    hideName: true,
    width: '24px',
    cell: (row) => (isGap(row) ? '' : <Direction of={row} />),
  },
  {
    id: 'action',
    name: 'Message',
    width: '170px',
    wideOnly: true,
    cell: (row) => (isGap(row) ? '' : <b>{nameOf(row)}</b>),
  },
  {
    id: 'what',
    name: 'What it says',
    width: 'minmax(160px, 2fr)',
    cell: (row) => (isGap(row) ? <span class="gap">{gapWords(row.gap)}</span> : requestWords(row)),
  },
  {
    id: 'answer',
    name: 'Answer',
    width: 'minmax(110px, 1fr)',
    wideOnly: true,
    cell: (row) => (isGap(row) ? '' : <span class={hasFailed(row) ? 'wrong' : ''}>{answerWords(row)}</span>),
  },
  {
    id: 'milliseconds',
    name: 'Took',
    width: '76px',
    align: 'end',
    wideOnly: true,
    cell: (row) =>
      isGap(row) || row.milliseconds === null ? '' : <span class="dim">{numberText(row.milliseconds)} ms</span>,
  },
  {
    id: 'marks',
    name: 'Deviates',
    hideName: true,
    width: '26px',
    cell: (row) =>
      isGap(row) || row.violations.length === 0 ? (
        ''
      ) : (
        <span class="marks" title={row.violations.map(({ meaning }) => meaning).join('\n')}>
          <Icon name="triangle-alert" small />
        </span>
      ),
  },
]

const narrow: NarrowRow<Row> = {
  title: (row) =>
    isGap(row) ? (
      <span class="gap">{gapWords(row.gap)}</span>
    ) : (
      <>
        <b>{nameOf(row)}</b> {requestWords(row)}
      </>
    ),
  about: (row) => (isGap(row) ? '' : `${whenText(row.at)} ${answerWords(row)}`),
  end: (row) => (isGap(row) ? '' : <Direction of={row} />),
}

/** Names a message in the address, wherever it is kept by the time that the link is opened. */
const markOf = ({ direction, message_id, action, at }: Message): string =>
  `${direction}-${message_id ?? action ?? ''}-${Math.round(Date.parse(at) / 10_000)}`

/** With what is not there one by one, in the order of time. */
function rowsOf(messages: readonly Message[], gaps: readonly Gap[]): readonly Row[] {
  const rows: Row[] = []
  let next = 0
  for (const message of messages) {
    for (; next < gaps.length && Date.parse((gaps[next] as Gap).to) > Date.parse(message.at); next++)
      rows.push({ gap: gaps[next] as Gap })
    rows.push(message)
  }
  return [...rows, ...gaps.slice(next).map((gap) => ({ gap }))]
}

/** The end of a minute, as the field has it. */
function endOf(minute: string | undefined): string | undefined {
  const at = instantOf(minute)
  return at === undefined ? undefined : new Date(at + 60_000).toISOString()
}

export function Page() {
  const { id } = useHere()
  const [kind, setKind] = useQuery('kind')
  const [until, setUntil] = useQuery('until')
  const [before, setBefore] = useQuery('before')
  const [chosen, choose] = useQuery('message')
  const [live, setLive] = useQuery('live')
  const [fresh, setFresh] = useState<readonly Message[]>([])
  const [dropped, setDropped] = useState(0)
  const [isRecording, setRecording] = useState(false)
  const isLive = live !== undefined
  const selected = kinds.find(({ value }) => value === kind)?.value
  const to = endOf(until)
  const messages = useResource(
    (signal) =>
      ask(
        api.GET('/api/v1/chargepoints/{charge_point_id}/messages', {
          params: {
            path: { charge_point_id: id },
            query: {
              limit: perPage,
              ...(selected !== undefined && { kind: [selected] }),
              ...(to !== undefined && !isLive && { to }),
              ...(before !== undefined && !isLive && { before }),
            },
          },
          signal,
        }),
      ),
    [id, selected, to, before, isLive],
  )

  useEffect(() => {
    setFresh([])
    setDropped(0)
    if (!isLive) return undefined
    const query = selected === undefined ? '' : `?kind=${selected}`
    return openLive({
      name: `messages ${id} ${selected ?? ''}`,
      path: () => `/api/v1/chargepoints/${encodeURIComponent(id)}/messages/stream${query}`,
      events: ['message', 'dropped'],
      take({ type, data }) {
        if (type === 'dropped') setDropped((count) => count + (data as { readonly count: number }).count)
        else setFresh((known) => [data as Message, ...known].slice(0, keptLive))
      },
      onCut: messages.reload,
    })
  }, [id, selected, isLive])

  const toggleLive = () => {
    setBefore(undefined)
    setUntil(undefined)
    setLive(isLive ? undefined : '1')
  }
  useKeys([{ keys: 'l', does: isLive ? 'Stop following messages' : 'Follow messages live', run: toggleLive }])

  const filter = (value: string | undefined) => {
    setBefore(undefined)
    setKind(value === kind ? undefined : value)
  }
  return (
    <>
      <div class="filters">
        {kinds.map(({ value, name }) => (
          <Chip key={value} pressed={kind === value} onClick={() => filter(value)}>
            {name}
          </Chip>
        ))}
        <Field
          label="Until"
          type="datetime-local"
          value={until ?? ''}
          disabled={isLive}
          onChange={(value) => {
            setBefore(undefined)
            setUntil(value)
          }}
        />
        <Button icon={isLive ? 'pause' : 'play'} pressed={isLive} onClick={toggleLive}>
          Live
        </Button>
        <Button icon="radio" onClick={() => setRecording(true)}>
          Record all…
        </Button>
      </div>
      <Loaded of={messages}>
        {({ data, gaps, next }) => {
          const known = new Set(data.map((one) => `${one.direction}/${one.message_id}/${one.request}`))
          const newer = fresh.filter((one) => !known.has(`${one.direction}/${one.message_id}/${one.request}`))
          const all = [...newer, ...data]
          return (
            <Shown
              rows={rowsOf(all, gaps)}
              message={chosen === undefined ? undefined : all.find((one) => markOf(one) === chosen)}
              choose={choose}
              dropped={dropped}
              isFiltered={kind !== undefined || until !== undefined}
              older={next === null || isLive ? undefined : () => setBefore(next, true)}
              newest={before === undefined ? undefined : () => setBefore(undefined, true)}
            />
          )
        }}
      </Loaded>
      {isRecording && <CaptureDialog id={id} close={() => setRecording(false)} />}
    </>
  )
}

interface ShownProps {
  readonly rows: readonly Row[]
  readonly message: Message | undefined
  readonly choose: (mark: string | undefined) => void
  readonly dropped: number
  readonly isFiltered: boolean
  readonly older: (() => void) | undefined
  readonly newest: (() => void) | undefined
}

function Shown({ rows, message, choose, dropped, isFiltered, older, newest }: ShownProps) {
  // Others come in above it: what is chosen is the message, and not its place.
  const chosenAt = message === undefined ? undefined : rows.indexOf(message)
  const keyOf = useMemo(() => (row: Row, at: number) => (isGap(row) ? `gap ${row.gap.to}` : `${row.id} ${at}`), [])
  return (
    <div class="messages">
      <Panel class="fills">
        {rows.length === 0 ? (
          <EmptyState icon="message-square" title={isFiltered ? 'No such messages' : 'Nothing has been said yet'}>
            <span>
              {older !== undefined
                ? 'There are none among those that were looked at: Older looks further back.'
                : isFiltered
                  ? 'Choose another kind, or a later time: the older ones are kept for a few days only, those of meter values and heartbeats for less.'
                  : 'Messages are here once the charge point has connected.'}
            </span>
          </EmptyState>
        ) : (
          <Table
            label="Messages"
            columns={columns}
            narrow={narrow}
            count={rows.length}
            rowAt={(at) => rows[at] as Row}
            keyOf={keyOf}
            open={(row) => !isGap(row) && choose(markOf(row))}
            {...(chosenAt !== undefined && {
              current: chosenAt,
              onCurrent: (at: number) => {
                const row = rows[at]
                if (row !== undefined && !isGap(row)) choose(markOf(row))
              },
            })}
          />
        )}
        {(older !== undefined || newest !== undefined || dropped > 0) && (
          <div class="pages">
            {dropped > 0 && <span class="dim">{numberText(dropped)} messages came too fast to be shown.</span>}
            {newest !== undefined && (
              <Button small icon="chevron-left" onClick={newest}>
                Newest
              </Button>
            )}
            {older !== undefined && (
              <Button small icon="chevron-right" onClick={older}>
                Older
              </Button>
            )}
          </div>
        )}
      </Panel>
      {message !== undefined && <Detail message={message} close={() => choose(undefined)} />}
    </div>
  )
}

function Detail({ message, close }: { readonly message: Message; readonly close: () => void }) {
  const { request, answer, violations, milliseconds, executed_by, executed_by_name, cut, source } = message
  useKeys([{ keys: 'Escape', does: 'Close the message', run: close }])
  // On a phone it is above the rows, which may have been scrolled to.
  useEffect(() => {
    if (isPhone.value) document.querySelector('.messages > .message')?.scrollIntoView()
  }, [markOf(message)])
  return (
    <Panel
      class="message"
      title={nameOf(message)}
      hint={momentText(message.at)}
      padded
      actions={<Button kind="ghost" small icon="x" label="Close" onClick={close} />}
    >
      <div class="stack">
        <Facts
          of={[
            { name: 'Says', value: requestWords(message) },
            { name: 'Answer', value: answerWords(message) },
            { name: 'Took', value: milliseconds === null ? undefined : `${numberText(milliseconds)} ms` },
            {
              name: 'By',
              value: executed_by === null ? undefined : <span title={executed_by}>{executed_by_name}</span>,
            },
            { name: 'Message id', value: message.message_id && <span class="mono">{message.message_id}</span> },
          ]}
        />
        {request !== null && <FrameView label="Request" frame={request} violations={violations} />}
        {answer !== null && <FrameView label="Answer" frame={answer} />}
        {request === null && source === 'meter' && (
          <p class="dim">
            Frames of meter values are kept in memory for a while, and in recordings. This is what was stored.
          </p>
        )}
        {cut && <p class="dim">The frame was longer than is kept of it.</p>}
        {violations.map(({ rule, path, meaning, received }, at) => (
          <p key={at} class="marks">
            <Icon name="triangle-alert" small /> <b>{meaning}</b> <span class="mono dim">{path ?? rule}</span>
            {received !== null && received !== undefined && <span class="mono"> {JSON.stringify(received)}</span>}
          </p>
        ))}
      </div>
    </Panel>
  )
}
