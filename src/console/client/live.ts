// Streams of the API, one of a kind in the whole browser: six open streams of one origin are all that HTTP/1.1 has room for. The tab that holds a lock reads
// the stream, and passes on what comes to the others. A tab that has been out of sight for a minute leaves the lock to one that is looked at.

import { signal } from '@preact/signals'
import { api, ask } from './api.js'
import { readEventStream, type StreamEvent, silentMs } from './event-stream.js'
import { me } from './session.js'

export interface LiveOptions {
  /** What the stream is of: tabs that give the same name share it. */
  readonly name: string
  /** Of the API, with its query; asked for each time that this tab begins to read. */
  readonly path: () => string
  /** The names of the events that it may have. */
  readonly events: readonly string[]
  /** In the order of the stream. A tab that joins is first given what came lately, which it may have already. */
  readonly take: (event: StreamEvent) => void
  /** It was cut, and may have missed something: when it is read again, `path` is asked for. */
  readonly onCut?: () => void
  /** It begins, in this tab or in another one: what came before is not told again. */
  readonly onBegin?: () => void
  /** Set while this tab reads the stream: calling it reads it anew, from the path as it is then. */
  readonly restart?: { current: (() => void) | undefined }
}

export type LiveState = 'waiting' | 'live' | 'cut'

export interface LiveStatus {
  readonly state: LiveState
  /** When the newest event came, ms; undefined before the first. */
  readonly at: number | undefined
}

/** What is open now, by name: what the bar at the top shows. */
export const liveStreams = signal<ReadonlyMap<string, LiveStatus>>(new Map())

const hiddenMs = 60_000
const checkMs = 10_000
const keptEvents = 120
const waitsMs = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000]

type Passed =
  | { readonly is: 'event'; readonly event: StreamEvent; readonly to?: string }
  | { readonly is: 'state'; readonly state: LiveState }
  | { readonly is: 'joined'; readonly tab: string }

/** Returns what ends it. */
export function openLive({ name, path, events, take, onCut, onBegin, restart }: LiveOptions): () => void {
  const shared = `ampshard ${me.peek()?.organization.id} ${name}`
  const tab = Math.random().toString(36).slice(2)
  const channel = new BroadcastChannel(shared)
  const kept: StreamEvent[] = []
  let isLeader = false
  let isOver = false
  let release: (() => void) | undefined
  let wanted: AbortController | undefined
  let hiddenTimer: ReturnType<typeof setTimeout> | undefined

  function note(change: Partial<LiveStatus>): void {
    const before = liveStreams.peek().get(name) ?? { state: 'waiting', at: undefined }
    liveStreams.value = new Map(liveStreams.peek()).set(name, { ...before, ...change })
  }

  function tell(state: LiveState): void {
    note({ state })
    channel.postMessage({ is: 'state', state } satisfies Passed)
    if (state === 'cut') onCut?.()
    if (state === 'live') onBegin?.()
  }

  function came(event: StreamEvent): void {
    note({ state: 'live', at: Date.now() })
    take(event)
  }

  channel.onmessage = ({ data }: MessageEvent<Passed>) => {
    if (data.is === 'joined') {
      if (!isLeader) return
      for (const event of kept) channel.postMessage({ is: 'event', event, to: data.tab } satisfies Passed)
      channel.postMessage({ is: 'state', state: liveStreams.peek().get(name)?.state ?? 'waiting' } satisfies Passed)
    } else if (isLeader || isOver) return
    else if (data.is === 'state') {
      note({ state: data.state })
      if (data.state === 'cut') onCut?.()
      if (data.state === 'live') onBegin?.()
    } else if (data.to === undefined || data.to === tab) came(data.event)
  }

  /** Reads the stream until it is released. */
  function lead(): Promise<void> {
    isLeader = true
    note({ state: 'waiting' })
    return new Promise((resolve) => {
      let attempt = 0
      let again: ReturnType<typeof setTimeout> | undefined
      let checks = 0
      let close: (() => void) | undefined
      /** Of the page's own clock. One stream after the other may be begun while the service is silent. */
      let heardAt = performance.now()
      const end = (): void => {
        clearTimeout(again)
        close?.()
        isLeader = false
        release = undefined
        if (restart !== undefined) restart.current = undefined
        resolve()
      }
      release = end
      /** Where the session has ended, it is told by this, and a stream of another one is not passed on. */
      const comeBack = (): void => {
        const check = async (): Promise<void> => {
          const mine = ++checks
          const signal = AbortSignal.timeout(checkMs)
          const isSame = await ask(api.GET('/api/v1/console/me', { signal })).then(
            () => true,
            () => false,
          )
          if (release !== end || mine !== checks) return
          heardAt = performance.now()
          if (isSame) read()
          else comeBack()
        }
        again = setTimeout(check, waitsMs[Math.min(attempt++, waitsMs.length - 1)])
      }
      const read = (): void => {
        const leftMs = Math.max(0, heardAt + silentMs - performance.now())
        close = readEventStream(path(), leftMs, {
          onHeard() {
            heardAt = performance.now()
          },
          onOpen() {
            attempt = 0
            tell('live')
          },
          onEvent(event) {
            if (!events.includes(event.type)) return
            kept.push(event)
            if (kept.length > keptEvents) kept.shift()
            channel.postMessage({ is: 'event', event } satisfies Passed)
            came(event)
          },
          onEnd() {
            // What is asked for again is asked for from where the page is by then.
            kept.length = 0
            tell('cut')
            comeBack()
          },
        })
      }
      read()
      if (restart !== undefined)
        restart.current = () => {
          clearTimeout(again)
          checks++
          close?.()
          read()
        }
    })
  }

  function want(): void {
    if (isOver || wanted !== undefined) return
    wanted = new AbortController()
    const { signal: aborted } = wanted
    // Where there are no locks, each tab reads for itself.
    if (navigator.locks === undefined) {
      void lead()
      return
    }
    navigator.locks
      .request(shared, { signal: aborted }, () => (aborted.aborted ? undefined : lead()))
      .catch(() => undefined)
    channel.postMessage({ is: 'joined', tab } satisfies Passed)
  }

  function leave(): void {
    wanted?.abort()
    wanted = undefined
    release?.()
  }

  function onVisibility(): void {
    clearTimeout(hiddenTimer)
    if (document.visibilityState === 'visible') want()
    else hiddenTimer = setTimeout(leave, hiddenMs)
  }

  note({})
  document.addEventListener('visibilitychange', onVisibility)
  want()
  return () => {
    isOver = true
    clearTimeout(hiddenTimer)
    document.removeEventListener('visibilitychange', onVisibility)
    leave()
    channel.close()
    const rest = new Map(liveStreams.peek())
    rest.delete(name)
    liveStreams.value = rest
  }
}
