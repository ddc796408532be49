// The fleet of who is signed in, as every page of this tab sees it: read when the first page asks for it, kept current by the stream that the tabs of the browser share.

import { effect, signal } from '@preact/signals'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { type ApiError, api, ask, type Schema, sessionHeader } from './api.js'
import { createFleetStore, type FleetColumns, type FleetDictionaries } from './fleet-store.js'
import { liveStreams, openLive } from './live.js'
import { asApiError } from './resource.js'
import { lastSession, me, organizationId } from './session.js'

export const fleet = createFleetStore()

export type Totals = Omit<Schema<'FleetSummary'>, 'updated_at'>

export interface FleetStatus {
  /** Reading the first snapshot, or there. */
  readonly isReady: boolean
  readonly error: ApiError | undefined
  /** When the snapshot was made, ms. */
  readonly at: number | undefined
}

export const fleetStatus = signal<FleetStatus>({ isReady: false, error: undefined, at: undefined })
export const totals = signal<Totals | undefined>(undefined)
/** Charge points that are chosen, for commands and exports. */
export const chosen = signal<ReadonlySet<string>>(new Set())

interface Rows {
  readonly cursor: string
  readonly removed: readonly string[]
  readonly columns: FleetColumns
  readonly dictionaries: FleetDictionaries
}

const perPage = 20_000
const keptForMs = 60_000
/** Several tabs, and several pages, ask for a new snapshot at once: not all at the same moment. */
const reloadWithinMs = 3_000
const retryMs = 5_000
/** Where the stream is refused, for want of room for one more fleet, the snapshot is read again about so often. */
const cutMs = 60_000

const pageAfter = (
  after: string | undefined,
  sent: { readonly signal?: AbortSignal; readonly headers?: HeadersInit },
) =>
  api.GET('/api/v1/cpo/fleet/snapshot', {
    params: { query: { limit: perPage, ...(after !== undefined && { after }) } },
    ...sent,
  })

let ahead: { readonly page: ReturnType<typeof pageAfter>; readonly session: string } | undefined

const aheadForMs = 30_000

/** Asks for the first page of the fleet while it is not known yet who is signed in: for the session that this browser had last. */
export function readAhead(): void {
  const session = lastSession()
  if (session === undefined) return
  const page = pageAfter(undefined, { headers: { [sessionHeader]: session } })
  page.catch(() => undefined)
  const asked = { page, session }
  ahead = asked
  setTimeout(() => {
    if (ahead === asked) ahead = undefined
  }, aheadForMs)
}

/** What was asked for ahead, once, where it is of the session that there is. */
async function takeAhead() {
  const taken = ahead
  ahead = undefined
  if (taken === undefined || taken.session !== me.peek()?.session?.id) return undefined
  const { data } = await taken.page.catch(() => ({ data: undefined }))
  return data
}

let users = 0
let stop: (() => void) | undefined
let stopTimer: ReturnType<typeof setTimeout> | undefined
let of: string | undefined
const watched = { ids: [] as readonly string[] }
const restart: { current: (() => void) | undefined } = { current: undefined }

function start(): () => void {
  let cursor: string | undefined
  let isOver = false
  let isReading = false
  let mustReadAgain = false
  let waiting: Rows[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let cutTimer: ReturnType<typeof setTimeout> | undefined
  let close: (() => void) | undefined
  const abort = new AbortController()

  /** Older than what is there: told again to a tab that has joined. */
  const isOld = (message: Rows): boolean => cursor !== undefined && message.cursor < cursor

  function take(message: Rows): void {
    if (isReading) waiting.push(message)
    else apply(message)
  }

  function apply(message: Rows): void {
    if (isOld(message)) return
    cursor = message.cursor
    fleet.remove(message.removed)
    fleet.put(message.columns, message.dictionaries, false)
    if (message.removed.length > 0) forgetChosen(message.removed)
    fleet.changed()
  }

  async function read(): Promise<void> {
    if (isOver) return
    // Asked for meanwhile: the pages that are there may be older than what it is about.
    if (isReading) {
      mustReadAgain = true
      return
    }
    isReading = true
    mustReadAgain = false
    try {
      const first = cursor === undefined
      const ids = new Set<string>()
      let begin: string | undefined
      let at: number | undefined
      for (let after: string | null | undefined; after !== null; ) {
        const page = (await takeAhead()) ?? (await ask(pageAfter(after, { signal: abort.signal })))
        if (isOver) return
        begin ??= page.cursor
        at ??= Date.parse(page.as_of)
        for (const id of page.columns.charge_point_id) ids.add(id)
        fleet.put(page.columns, page.dictionaries, first)
        after = page.next
        // What there is shows while the rest is on its way.
        if (first) {
          fleet.changed()
          if (!fleetStatus.peek().isReady) fleetStatus.value = { isReady: true, error: undefined, at }
        }
      }
      fleet.keepOnly(ids)
      cursor = begin
      fleetStatus.value = { isReady: true, error: undefined, at }
      isReading = false
      const missed = waiting
      waiting = []
      for (const message of missed) apply(message)
      fleet.changed()
      if (first) open()
      if (mustReadAgain) readSoon(reloadWithinMs)
    } catch (error) {
      isReading = false
      if (isOver) return
      fleetStatus.value = { ...fleetStatus.peek(), error: asApiError(error) }
      readSoon(retryMs, retryMs)
    }
  }

  /** Not all browsers at the same moment. */
  function readSoon(withinMs: number, afterMs = 0): void {
    clearTimeout(timer)
    timer = setTimeout(read, afterMs + Math.random() * withinMs)
  }

  /** As long as the stream does not come back, what is shown is of the newest snapshot. */
  function onCut(): void {
    cutTimer ??= setTimeout(
      () => {
        cutTimer = undefined
        if (liveStreams.peek().get('fleet')?.state !== 'cut') return
        if (document.visibilityState === 'visible') void read()
        onCut()
      },
      cutMs * (1 + Math.random() / 2),
    )
  }

  function path(): string {
    const query = new URLSearchParams(cursor === undefined ? {} : { cursor })
    // The head of a request has a bound.
    let length = 0
    const ids = watched.ids.filter((id) => {
      length += id.length + 1
      return length < 2_000
    })
    if (ids.length > 0) query.set('watch', ids.join(','))
    return `/api/v1/cpo/fleet/stream?${query}`
  }

  function open(): void {
    close = openLive({
      name: 'fleet',
      path,
      events: ['rows', 'totals', 'reload'],
      restart,
      onCut,
      take({ type, data }) {
        if (type === 'rows') take(data as Rows)
        else if (type === 'totals') totals.value = data as Totals
        else readSoon(reloadWithinMs)
      },
    })
  }

  void read()
  ask(api.GET('/api/v1/cpo/fleet/summary', { signal: abort.signal })).then(
    ({ updated_at: _, ...summary }) => {
      totals.value ??= summary
    },
    () => undefined,
  )
  return () => {
    isOver = true
    abort.abort()
    clearTimeout(timer)
    clearTimeout(cutTimer)
    close?.()
    fleet.clear()
    totals.value = undefined
    chosen.value = new Set()
    fleetStatus.value = { isReady: false, error: undefined, at: undefined }
  }
}

function forgetChosen(ids: readonly string[]): void {
  if (!ids.some((id) => chosen.peek().has(id))) return
  chosen.value = new Set([...chosen.peek()].filter((id) => !ids.includes(id)))
}

/** Keeps the fleet as long as a page that uses it is shown, and a while longer. Who does not need it keeps it only where another page has had it read. */
export function useFleet(isNeeded = true): void {
  const mine = organizationId()
  // Before anything is painted: what has been asked for ahead is on the first picture.
  useLayoutEffect(() => {
    if (!isNeeded && (stop === undefined || of !== mine)) return undefined
    clearTimeout(stopTimer)
    if (of !== mine) {
      stop?.()
      stop = undefined
    }
    of = mine
    users++
    stop ??= start()
    return () => {
      if (--users > 0) return
      stopTimer = setTimeout(() => {
        stop?.()
        stop = undefined
      }, keptForMs)
    }
  }, [mine])
}

const changesEveryMs = 500

/** Another number whenever the charge point has changed; undefined where the fleet has not been read, or does not have it. Its power is kept current as well. */
export function useChanges(id: string): number | undefined {
  useFleet(false)
  const [stamp, setStamp] = useState(() => stampOf(id))
  useEffect(() => {
    setStamp(stampOf(id))
    if (stampOf(id) === undefined) return undefined
    watch([id])
    return onFleetChange(() => setStamp(stampOf(id)), changesEveryMs)
  }, [id])
  return stamp
}

function stampOf(id: string): number | undefined {
  const place = fleet.placeOf(id)
  return place === undefined ? undefined : fleet.stamps[place]
}

let watchTimer: ReturnType<typeof setTimeout> | undefined
const watchAfterMs = 3_000

/** Their power is wanted live. */
export function watch(ids: readonly string[]): void {
  if (ids.join() === watched.ids.join()) return
  watched.ids = ids
  clearTimeout(watchTimer)
  watchTimer = setTimeout(() => restart.current?.(), watchAfterMs)
}

/** `then` runs now, and whenever the fleet has changed, at most once in so many ms; but at once when the first of it has come. Returns what ends it. */
export function onFleetChange(then: () => void, everyMs: number): () => void {
  let last = Number.NEGATIVE_INFINITY
  let wasEmpty = true
  let isOver = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const run = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (isOver) return
    last = performance.now()
    wasEmpty = fleet.size === 0
    then()
  }
  const end = effect(() => {
    void fleet.version.value
    const isFirst = wasEmpty && fleet.size > 0
    wasEmpty = fleet.size === 0
    // Not within the effect: what `then` reads is nothing that it depends on.
    if (isFirst) queueMicrotask(run)
    else timer ??= setTimeout(run, Math.max(0, last + everyMs - performance.now()))
  })
  return () => {
    isOver = true
    end()
    clearTimeout(timer)
  }
}
