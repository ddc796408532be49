// Asks partners in real time whether a driver may charge. All are asked at the same time, and none is waited for longer than the time of the question. One
// that has not answered several times in a row is not asked for a while, so that drivers do not wait for what will not come. What is known of that is
// in the memory of this process.

import type { OcpiAuthorization, OcpiAuthorizationResult } from '../ocpi/authorization-call.js'
import { isDelivered, type OcpiCall, type OcpiOutcome } from '../ocpi/call.js'
import type { JobOutcome } from '../runtime/actor/actor.js'
import type { Clock } from '../runtime/clock.js'
import { limits } from './limits.js'

export interface OcpiAuthorizations {
  ask(question: OcpiAuthorization): Promise<OcpiAuthorizationResult>
}

/** Of a partner that has not answered lately. */
interface Silence {
  failures: number
  /** Monotonic ms: it is not asked before. */
  until: number
}

export function createOcpiAuthorizations(
  call: (call: OcpiCall) => Promise<JobOutcome>,
  clock: Pick<Clock, 'monotonic'>,
): OcpiAuthorizations {
  /** By partner; the latest last. */
  const silences = new Map<string, Silence>()

  function noteSilence(partner: string): void {
    const failures = (silences.get(partner)?.failures ?? 0) + 1
    const over = failures - limits.ocpiSilentAnswers
    const pauseMs = over < 0 ? 0 : Math.min(limits.ocpiSilenceMs * 2 ** over, limits.ocpiLongestSilenceMs)
    silences.delete(partner)
    if (silences.size >= limits.ocpiSilentPartners) silences.delete(silences.keys().next().value as string)
    silences.set(partner, { failures, until: clock.monotonic() + pauseMs })
  }

  /** The first question after a pause finds out whether the partner is back; others do not wait with it. */
  function mayAsk(partner: string): boolean {
    const silence = silences.get(partner)
    if (silence === undefined || silence.failures < limits.ocpiSilentAnswers) return true
    if (silence.until > clock.monotonic()) return false
    silence.until = clock.monotonic() + limits.ocpiSilenceMs
    return true
  }

  /** Undefined where it has not come to an answer. That this process has no room for the call says nothing of the partner. */
  async function askOne(one: OcpiCall, withinMs: number): Promise<OcpiOutcome | undefined> {
    if (!mayAsk(one.owner)) return undefined
    let timer: NodeJS.Timeout | undefined
    const over = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), withinMs)
    })
    let isRefused = false
    const asked = call(one).then((made) => {
      isRefused = !made.ok && made.isRefused === true
      return made.ok ? (made.value as OcpiOutcome) : undefined
    })
    const outcome = await Promise.race([asked, over])
    clearTimeout(timer)
    if (isRefused) return undefined
    if (outcome === undefined || outcome.type === 'failed') noteSilence(one.owner)
    else silences.delete(one.owner)
    return outcome
  }

  return {
    async ask({ calls, withinMs }) {
      const outcomes: (OcpiOutcome | undefined)[] = calls.map(() => undefined)
      await new Promise<void>((resolve) => {
        let left = calls.length
        if (left === 0) resolve()
        for (const [at, one] of calls.entries())
          void askOne(one, withinMs).then((outcome) => {
            outcomes[at] = outcome
            left--
            if (left === 0 || allows(outcome)) resolve()
          })
      })
      return { outcomes: [...outcomes] }
    },
  }
}

function allows(outcome: OcpiOutcome | undefined): boolean {
  if (outcome === undefined || !isDelivered(outcome)) return false
  const { data } = outcome
  return typeof data === 'object' && data !== null && 'allowed' in data && data.allowed === 'ALLOWED'
}
