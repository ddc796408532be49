// Reads a charge point's identity from the request target, tolerating what real firmware sends (OCPP-J 1.6, 3.1.1).

import type { RefusalReason } from './refusal-reasons.js'

export type Identity =
  | { readonly ok: true; readonly chargePointId: string }
  | {
      readonly ok: false
      readonly status: 400 | 404
      readonly reason: RefusalReason
      readonly advice: string
      readonly shown: string
    }

const idPattern = /^[A-Za-z0-9-]{1,48}$/
const pathSegment = 'ocpp16'
const shownLength = 80

/** `target` is the request target: origin form or absolute form, query string allowed. */
export function readIdentity(target: string): Identity {
  const path = target.replace(/^[a-z]+:\/\/[^/]*/i, '').split('?')[0] ?? ''
  const segments = path.split('/').filter((segment) => segment !== '')
  const last = segments.at(-1) ?? ''
  const shown = last.slice(0, shownLength)
  const isRightPath = segments.slice(0, -1).some((segment) => segment.toLowerCase() === pathSegment)
  if (last === '' || (!isRightPath && last.toLowerCase() === pathSegment)) {
    const advice = 'The address lacks the id of the charge point: it has to end in /ocpp16/<charge_point_id>.'
    // With its slash, so that nobody takes it for an id.
    return { ok: false, status: 404, reason: 'no_identity', advice, shown: `/${last}` }
  }
  if (!isRightPath) {
    const advice = 'The address of a charge point ends in /ocpp16/<charge_point_id>.'
    return { ok: false, status: 404, reason: 'wrong_path', advice, shown }
  }
  const decoded = decodeOnce(last)
  if (decoded === undefined) {
    return { ok: false, status: 400, reason: 'bad_escape', advice: 'The identity has a broken percent escape.', shown }
  }
  if (!idPattern.test(decoded)) {
    const advice = 'An identity has 1 to 48 letters, digits or hyphens.'
    return { ok: false, status: 404, reason: 'bad_identity', advice, shown: decoded.slice(0, shownLength) }
  }
  return { ok: true, chargePointId: decoded }
}

function decodeOnce(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
