// One command to many charge points: bulk calls of the API, one after the other, each under an Idempotency-Key of its own, so that one that got no answer is asked again
// without being carried out twice. Runs go on while somebody looks at other pages; nothing is taken for done before the service has said what each charge point answered.

import { effect, type Signal, signal } from '@preact/signals'
import { type ApiError, api, ask, randomKey, type Schema } from './api.js'
import { type Ended, followAnswers } from './command-answers.js'
import { type Command, isTakenStatus, type Parameters } from './command-list.js'
import { delay } from './delay.js'
import { asApiError } from './resource.js'
import { me } from './session.js'
import { forget, tell } from './under-way.js'

/** `unknown`: the service has not said what became of it. `late`: it has answered after its time. */
export type Outcome =
  | 'waiting'
  | 'asked'
  | 'accepted'
  | 'rejected'
  | 'timeout'
  | 'late'
  | 'offline'
  | 'error'
  | 'unknown'
  | 'not-sent'

export interface Target {
  readonly id: string
  readonly outcome: Outcome
  readonly commandId: string | null
  readonly milliseconds: number | null
  /** A code, where there is no answer or it is an error. */
  readonly error: string | null
  /** The answer that came late. */
  readonly late: unknown
  /** How often it was asked. */
  readonly attempts: number
}

export type RunState =
  | { readonly is: 'running' }
  /** A call has failed, and is repeated then (ms). */
  | { readonly is: 'repeating'; readonly at: number; readonly error: ApiError }
  | { readonly is: 'stopping' }
  /** A call has failed for good; somebody has to say whether it is tried again. */
  | { readonly is: 'halted'; readonly error: ApiError }
  | { readonly is: 'ended' }

export interface CommandRun {
  readonly id: string
  readonly command: Command
  readonly parameters: Parameters
  /** Wall ms. */
  readonly at: number
  /** In the order in which they are asked. */
  readonly targets: Signal<readonly Target[]>
  readonly state: Signal<RunState>
  /** Of the calls that were answered. */
  readonly bulkIds: readonly string[]
  /** What is asked now is waited for; the rest is not asked. */
  stop(): void
  /** Asks these again, or for the first time; or goes on where it was halted. */
  send(ids?: readonly string[]): void
}

/** Of this tab, the newest first. */
export const runs = signal<readonly CommandRun[]>([])

/** Of one bulk command. */
const perCall = 100
const timeoutSeconds = 10
/** The service answers earlier, or not at all. */
const patienceMs = 60_000
const waitsMs = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000]
/** Answers that come late are looked for so often, and as long after the last call. */
const lateEveryMs = 3_000
const lateForMs = 600_000
const perPage = 200
const slackMs = 60_000
/** Runs that have ended and are kept to be looked at. */
const keptRuns = 20

export const isDone = ({ outcome }: Target): boolean =>
  outcome !== 'waiting' && outcome !== 'asked' && outcome !== 'unknown' && outcome !== 'not-sent'

function takes(answer: unknown): boolean {
  const status = (answer as { readonly status?: unknown } | null | undefined)?.status
  return typeof status !== 'string' || isTakenStatus(status)
}

export const isTaken = ({ outcome, late }: Target): boolean =>
  outcome === 'accepted' || (outcome === 'late' && takes(late))

/** It can be asked again: what it was asked has not been taken. */
export const isOpen = (target: Target): boolean =>
  !isTaken(target) && target.outcome !== 'waiting' && target.outcome !== 'asked'

type Result = Schema<'BulkCommandResult'>['results'][number]

interface Call {
  readonly key: string
  readonly ids: readonly string[]
}

const outcomes: Readonly<Record<Result['status'], Outcome>> = {
  Accepted: 'accepted',
  Rejected: 'rejected',
  Timeout: 'timeout',
  Offline: 'offline',
  Error: 'error',
}

/** In the history, an error says that it was not connected. */
function endOf({ command_id, status, response_time_ms, error }: Ended): Partial<Target> {
  return {
    outcome: error === 'charge_point_offline' ? 'offline' : outcomes[status],
    commandId: command_id,
    milliseconds: response_time_ms,
    error: error ?? null,
  }
}

/** The same call may succeed later: it has not been refused for what it says. */
function isPassing({ status, retryAfterSeconds }: ApiError): boolean {
  return status === 0 || status === 429 || status === 503 || (status === 409 && retryAfterSeconds !== undefined)
}

let count = 0

/** Begins at once. */
export function beginRun(command: Command, parameters: Parameters, ids: readonly string[]): CommandRun {
  const run = createRun(command, parameters, ids)
  const ended = runs.peek().filter(({ state }) => state.peek().is === 'ended')
  for (const old of ended.slice(keptRuns - 1)) drop(old)
  runs.value = [run, ...runs.peek()]
  run.send()
  return run
}

export function drop(run: CommandRun): void {
  run.stop()
  runs.value = runs.peek().filter((one) => one !== run)
  forget(run.id)
}

function createRun(command: Command, parameters: Parameters, ids: readonly string[]): CommandRun {
  const id = String(++count)
  const owner = me.peek()?.name
  const places = new Map([...new Set(ids)].map((one, at) => [one, at]))
  const targets = signal<readonly Target[]>(
    [...places.keys()].map((one) => ({
      id: one,
      outcome: 'waiting',
      commandId: null,
      milliseconds: null,
      error: null,
      late: null,
      attempts: 0,
    })),
  )
  const state = signal<RunState>({ is: 'ended' })
  const bulkIds: string[] = []
  let waiting: string[] = [...places.keys()]
  /** A call that got no answer: asked again under the same key, or never. */
  let pending: Call | undefined
  let isWanted = true
  let isLooking = false
  let wake: (() => void) | undefined
  /** No command of it is older, by the clock of the service. */
  let begunAt: string | undefined
  let lastCallAt = 0

  function set(ids: readonly string[], change: (target: Target) => Partial<Target>): void {
    const next = [...targets.peek()]
    for (const one of ids) {
      const at = places.get(one)
      const target = at === undefined ? undefined : next[at]
      if (at !== undefined && target !== undefined) next[at] = { ...target, ...change(target) }
    }
    targets.value = next
  }

  function note(next: RunState): void {
    state.value = next
    report()
  }

  function report(): void {
    if (!runs.peek().some((one) => one.id === id)) return
    const all = targets.peek()
    const done = all.filter(isDone)
    const now = state.peek().is
    tell({
      id,
      title: command.title,
      href: `/commands?run=${id}`,
      done: done.length,
      count: all.length,
      failed: done.filter((target) => !isTaken(target)).length,
      is: now === 'ended' ? 'ended' : now === 'halted' ? 'halted' : 'running',
    })
  }

  function callOf({ key, ids }: Call): Promise<Schema<'BulkCommandResult'>> {
    return ask(
      api.POST('/api/v1/cpo/commands/bulk', {
        body: {
          charge_point_ids: [...ids],
          command: command.name,
          parameters: { ...parameters },
          timeout_seconds: timeoutSeconds,
        },
        headers: { 'Idempotency-Key': key },
        signal: AbortSignal.timeout(patienceMs),
      }),
    )
  }

  /** Undefined where it was stopped before the service has answered. Throws what it is not to be asked again for. */
  async function answerOf(call: Call): Promise<Schema<'BulkCommandResult'> | undefined> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await callOf(call)
      } catch (failure) {
        const error = asApiError(failure)
        if (!isPassing(error) || attempt >= waitsMs.length) throw error
        if (!isWanted) return undefined
        const ms =
          error.retryAfterSeconds === undefined ? (waitsMs[attempt] as number) : error.retryAfterSeconds * 1_000
        note({ is: 'repeating', at: Date.now() + ms, error })
        await new Promise<void>((resolve) => {
          wake = resolve
          setTimeout(resolve, ms)
        })
        if (!isWanted) return undefined
        note({ is: 'running' })
      }
    }
  }

  function take({ results, executed_at, bulk_command_id }: Schema<'BulkCommandResult'>): void {
    // Their ids, by which the history is searched, are a little older.
    begunAt ??= new Date(Date.parse(executed_at) - slackMs).toISOString()
    bulkIds.push(bulk_command_id)
    // Those that somebody has had asked again since have been answered early.
    const left = results.filter((one) => !waiting.includes(one.charge_point_id))
    const by = new Map(left.map((one) => [one.charge_point_id, one]))
    set([...by.keys()], ({ id: of }) => endOf(by.get(of) as Result))
  }

  /** Of those that are asked: the answer to the call, which has them all, is what counts in the end. */
  function takeEarly(by: ReadonlyMap<string, Ended>): void {
    const asked = targets.peek().filter(({ id: of, outcome }) => outcome === 'asked' && by.has(of))
    if (asked.length === 0) return
    set(
      asked.map(({ id: of }) => of),
      ({ id: of }) => endOf(by.get(of) as Ended),
    )
    report()
  }

  /** The call has no answer: what was taken early may be of another one. */
  function setUnanswered(ids: readonly string[], outcome: Outcome): void {
    set(ids, () => ({ outcome, commandId: null, milliseconds: null, error: null }))
  }

  async function go(): Promise<void> {
    note({ is: 'running' })
    while (isWanted && (pending !== undefined || waiting.length > 0)) {
      const call = pending ?? nextCall()
      let isAnswered = false
      try {
        void followAnswers(command.name, call.ids, () => isAnswered, takeEarly)
        const answer = await answerOf(call)
        isAnswered = true
        if (answer === undefined) {
          setUnanswered(call.ids, 'unknown')
          break
        }
        lastCallAt = Date.now()
        pending = undefined
        take(answer)
        report()
      } catch (failure) {
        isAnswered = true
        const error = asApiError(failure)
        // A refusal has sent nothing; without an answer, nobody knows.
        setUnanswered(call.ids, isPassing(error) || error.status >= 500 ? 'unknown' : 'not-sent')
        if (isWanted) return note({ is: 'halted', error })
        break
      }
    }
    end()
  }

  function nextCall(): Call {
    const call = { key: randomKey(), ids: waiting.slice(0, perCall) }
    waiting = waiting.slice(perCall)
    set(call.ids, ({ attempts }) => ({ outcome: 'asked', attempts: attempts + 1, error: null, late: null }))
    pending = call
    return call
  }

  function end(): void {
    set(waiting, () => ({ outcome: 'not-sent' }))
    pending = undefined
    waiting = []
    note({ is: 'ended' })
    if (!isLooking) void lookForLate()
  }

  /** A page of those that timed out, and so many ms later the next one: their records are told when an answer has come after all. */
  async function lookForLate(): Promise<void> {
    isLooking = true
    const isDue = (): boolean =>
      targets.peek().some(({ outcome }) => outcome === 'timeout') &&
      runs.peek().some((one) => one.id === id) &&
      Date.now() - lastCallAt < lateForMs
    for (let page = 1; isDue(); ) {
      await delay(lateEveryMs)
      if (begunAt === undefined || document.visibilityState === 'hidden') continue
      const query = { command: command.name, status: 'Timeout' as const, from: begunAt, page, per_page: perPage }
      try {
        const found = await ask(api.GET('/api/v1/cpo/commands/history', { params: { query } }))
        page = page * perPage < found.total ? page + 1 : 1
        const late = new Map(
          found.commands.flatMap((one) => (one.late_response === null ? [] : [[one.command_id, one] as const])),
        )
        const answered = targets
          .peek()
          .filter(({ outcome, commandId }) => outcome === 'timeout' && commandId !== null && late.has(commandId))
        if (answered.length === 0) continue
        set(
          answered.map(({ id: of }) => of),
          ({ commandId }) => ({ outcome: 'late', late: late.get(commandId ?? '')?.late_response }),
        )
        report()
      } catch {
        // It is asked again.
      }
    }
    isLooking = false
  }

  const isGoing = (): boolean => state.peek().is !== 'ended' && state.peek().is !== 'halted'

  return {
    id,
    command,
    parameters,
    at: Date.now(),
    targets,
    state,
    bulkIds,
    stop() {
      if (state.peek().is === 'ended') return
      isWanted = false
      wake?.()
      if (isGoing()) note({ is: 'stopping' })
      else end()
    },
    send(ids = []) {
      // Nobody goes on with what another has begun.
      if (me.peek()?.name !== owner) return
      const again = ids.filter((one) => {
        const at = places.get(one)
        const target = at === undefined ? undefined : targets.peek()[at]
        // Of a call that is repeated under its key, or that nobody knows to have been answered, it is asked with that.
        const isPending = pending?.ids.includes(one) === true && (target === undefined || !isDone(target))
        return target !== undefined && isOpen(target) && !isPending
      })
      set(again, () => ({ outcome: 'waiting' }))
      waiting.push(...again)
      if (isGoing()) return
      if (pending !== undefined) set(pending.ids, () => ({ outcome: 'asked' }))
      isWanted = true
      if (pending !== undefined || waiting.length > 0) void go()
    },
  }
}

/** What somebody has begun ends with them: whoever signs in next sees nothing of it. */
let whose: string | undefined
effect(() => {
  const now = me.value
  if (now === undefined) return
  const name = `${now.organization.id} ${now.name}`
  if (whose !== undefined && whose !== name) for (const run of runs.peek()) drop(run)
  whose = name
})
