// What an answer of a roaming partner means (OCPI 2.2.1, 4.1.7 and 5). Pure.

import type { OcpiCall, OcpiOutcome, OcpiShown } from '../../ocpi/call.js'
import { shownBody, shownHeaders } from '../../ocpi/shown.js'
import { isSuccess } from '../../ocpi/status-codes.js'
import { hasMoreValues, isDeeperThan } from '../../runtime/nesting.js'
import { oneLine } from '../../runtime/one-line.js'
import type { OutboundOutcome } from '../../runtime/outbound-jobs.js'
import { limits } from './limits.js'
import { textsOf } from './list-texts.js'

type Answered = Extract<OutboundOutcome, { readonly type: 'answered' }>

interface Envelope {
  readonly status_code: number
  readonly status_message?: unknown
  readonly data?: unknown
}

type Wanted = OcpiCall['wants']

/** What is read of an answer. */
export function boundsOf(wants: Wanted): { readonly bytes: number; readonly values: number } {
  if (wants === 'list') return { bytes: limits.ocpiPageBytes, values: limits.ocpiPageValues }
  return { bytes: limits.ocpiAnswerBytes, values: limits.ocpiAnswerValues }
}

export interface Reading {
  readonly wants: Wanted
  /** Takes the token of the call out of what people are shown. */
  readonly hide: (text: string) => string
}

export function outcomeOf(
  outcome: OutboundOutcome,
  request: OcpiShown['request'],
  { wants, hide }: Reading,
): OcpiOutcome {
  const { milliseconds } = outcome
  if (outcome.type === 'failed') {
    const { reason, message } = outcome
    return { type: 'failed', reason, message, milliseconds, shown: { request } }
  }
  const { status: httpStatus, headers, body = '' } = outcome
  const shownOnes = Object.entries(headers).map(([name, value]) => [name, hide(value)])
  const answer = {
    status: httpStatus,
    headers: shownHeaders(Object.fromEntries(shownOnes)),
    ...(body !== '' && { body: shownBody(hide(body)) }),
  }
  const ended = { milliseconds, shown: { request, answer } }
  if (httpStatus >= 300 && httpStatus < 400) {
    const message = `the partner answered with a redirect (HTTP ${httpStatus}): redirects are not followed`
    return { type: 'redirected', httpStatus, message, ...ended }
  }
  const isGood = httpStatus >= 200 && httpStatus < 300
  const read = readEnvelope(outcome, { wants, hide })
  if (typeof read === 'string') {
    if (isGood)
      return { type: 'unreadable', httpStatus, message: `the partner answered HTTP ${httpStatus} ${read}`, ...ended }
    return {
      type: 'refused',
      httpStatus,
      message: `the partner answered HTTP ${httpStatus}`,
      ...retryAfter(outcome),
      ...ended,
    }
  }
  const { status_code: statusCode, data } = read
  if (!isGood || !isSuccess(statusCode)) {
    const message = `the partner answered HTTP ${httpStatus} with status_code ${statusCode}${quoted(read.status_message, hide)}`
    return { type: 'refused', httpStatus, statusCode, message, ...retryAfter(outcome), ...ended }
  }
  const { location, link } = headers
  const next = link === undefined ? undefined : nextOf(link)
  const total = Number(headers['x-total-count'] ?? Number.NaN)
  return {
    type: 'delivered',
    httpStatus,
    statusCode,
    ...given(data, wants),
    ...(location !== undefined && { location }),
    ...(next !== undefined && { next }),
    ...(Number.isSafeInteger(total) && total >= 0 && { totalCount: total }),
    ...ended,
  }
}

function given(data: unknown, wants: Wanted): { readonly data?: unknown; readonly list?: readonly string[] } {
  if (wants === 'list') return Array.isArray(data) ? { list: textsOf(data) } : {}
  return wants === 'data' && data !== undefined && data !== null ? { data } : {}
}

/** The envelope, or what is there instead, as the end of a sentence. */
function readEnvelope({ body = '', isCut }: Answered, { wants, hide }: Reading): Envelope | string {
  const bounds = boundsOf(wants)
  if (isCut === true) return `and more than ${bounds.bytes / 1_024} KiB`
  if (hasMoreValues(body, bounds.values)) return `with more than ${bounds.values} values`
  if (body.trim() === '') return 'without a body: the status_code of OCPI is missing'
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return `with something that is not JSON, which begins with${quoted(body.trimStart(), hide)}`
  }
  if (isDeeperThan(value, limits.ocpiAnswerDepth))
    return `with JSON that is nested more than ${limits.ocpiAnswerDepth} deep`
  const { status_code } = (typeof value === 'object' && value !== null ? value : {}) as {
    readonly status_code?: unknown
  }
  if (!Number.isInteger(status_code)) return 'with JSON that has no status_code'
  return value as Envelope
}

function quoted(words: unknown, hide: Reading['hide']): string {
  if (typeof words !== 'string' || words === '') return ''
  const shown = hide(words)
  const short = shown.slice(0, limits.ocpiQuotedCharacters)
  return ` "${oneLine(short)}${short.length < shown.length ? '...' : ''}"`
}

/** RFC 8288: `<https://...>; rel="next"`, among others perhaps. */
export function nextOf(link: string): string | undefined {
  for (const [, url, parameters = ''] of link.matchAll(/<([^<>]*)>([^<]*)/g))
    if (/;\s*rel\s*=\s*"?(?:[^"]*\s)?next\b/i.test(parameters)) return url
  return undefined
}

function retryAfter({ headers }: Answered): { readonly retryAfter?: string } {
  const value = headers['retry-after']
  return value === undefined ? {} : { retryAfter: value }
}
