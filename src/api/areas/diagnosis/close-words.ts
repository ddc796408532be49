// What the end of a connection is said to be: why it ended, and what to do about it. What the service closes by itself has a reason of its own; otherwise
// the code says who has closed it, and how (RFC 6455, 7.4.1).

import { replacedReason } from '../../../actors/charge-point/connection-events.js'
import { certificateRequired, certificateRevoked, passwordChanged } from '../../../actors/charge-point/let-in.js'
import { tooManyMalformed } from '../../../actors/charge-point/take-frame.js'
import { type EndingName, endings, stopping } from '../../../edge/endings.js'
import { isRefusalReason } from '../../../edge/refusal-reasons.js'
import type { ChargePointState } from '../../../records/charge-point-state.js'
import { refusedWords, type Words } from './refused-words.js'

const frameTooLarge: Words = {
  cause: 'The charge point sent a message that is larger than the service takes, so that the connection was closed.',
  remedy:
    'Have it send less in one message: fewer meter values at a time, or fewer configuration keys. Newer firmware may do so.',
}
const tooMuch = (what: string): Words => ({
  cause: `The charge point sent more ${what} than it may, so that the service closed the connection.`,
  remedy: 'See what it sends over and over, and have it send less. It may come back after a while.',
})
const notWebSocket: Words = {
  cause: 'The charge point, or a proxy in between, sent what is not a valid WebSocket message.',
  remedy: 'Update its firmware, and see whether it connects without the proxy.',
}
const comesBack = 'The charge point comes back by itself.'
const checkLink = 'See whether it has power, then whether its network works.'

const ended: Readonly<Record<EndingName, Words>> = {
  too_many_messages: tooMuch('messages'),
  too_many_bytes: tooMuch('data'),
  too_many_waiting: tooMuch('messages at a time'),
  too_many_pings: tooMuch('pings'),
  message_too_big: frameTooLarge,
  too_much_waiting: {
    cause: 'The service had more work than it could do, and closed the connection.',
    remedy: comesBack,
  },
  no_sign_of_life: {
    cause: 'The charge point answered no pings and sent nothing any more, so that the service ended the connection.',
    remedy: checkLink,
  },
}

const byReason: ReadonlyMap<string, Words> = new Map<string, Words>([
  ...(Object.keys(endings) as EndingName[]).map((name) => [endings[name].reason, ended[name]] as const),
  [stopping.reason, { cause: 'The service was stopped.', remedy: comesBack }],
  [
    replacedReason,
    {
      cause: 'A newer connection with the same id has taken the place of an earlier one.',
      remedy:
        'That is how a charge point comes back after its link was cut. If it happens again and again, two charge points have the same id: give each its own.',
    },
  ],
  [
    tooManyMalformed,
    {
      cause: 'The charge point sent many messages in a row that are not OCPP 1.6-J.',
      remedy: 'Set it to OCPP 1.6-J, and update its firmware.',
    },
  ],
  [
    passwordChanged,
    {
      cause: 'The organization of the charge point has changed its password.',
      remedy: 'Set the new one in the charge point.',
    },
  ],
  [
    certificateRevoked,
    { cause: 'The client certificate of the charge point was revoked.', remedy: 'Give it a new certificate.' },
  ],
  [
    certificateRequired,
    {
      cause: 'The charge point came without its client certificate.',
      remedy: 'See why it no longer sends its certificate, or give it another.',
    },
  ],
  // Of uWebSockets.js.
  ['Received too big message', frameTooLarge],
  ['Received invalid UTF-8', notWebSocket],
  ['Received invalid WebSocket frame', notWebSocket],
])

const closedIt = 'The charge point closed the connection itself'

const byCode: ReadonlyMap<number, Words> = new Map([
  [
    1000,
    {
      cause: `${closedIt}, and said that nothing was wrong.`,
      remedy: 'See whether it runs, and whether it was given another address.',
    },
  ],
  [
    1001,
    {
      cause: `${closedIt}, because it was going away: it restarted, or was switched off.`,
      remedy: 'See whether it starts again.',
    },
  ],
  [
    1002,
    {
      cause: `${closedIt}, because it took something for an error of the protocol.`,
      remedy: 'See its own log, and update its firmware.',
    },
  ],
  [1005, { cause: `${closedIt}, and did not say why.`, remedy: 'See whether it runs; its own log may say more.' }],
  [
    1006,
    {
      cause: 'The connection ended without a word: the network or the power was gone, or the charge point restarted.',
      remedy: checkLink,
    },
  ],
  [1009, frameTooLarge],
])

/** By code and reason; a reason that the charge point has given is quoted. */
function wordsOf({ code, reason }: Close, isInstaller: boolean): Words {
  if (isRefusalReason(reason)) return refusedWords(reason, '', isInstaller)
  const own = byReason.get(reason)
  if (own !== undefined) return own
  const { cause, remedy } = byCode.get(code) ?? {
    cause: `${closedIt} with the code ${code}.`,
    remedy: 'See its own log, and update its firmware.',
  }
  return { cause: reason === '' || code === 1006 ? cause : `${cause} Its reason: ${JSON.stringify(reason)}.`, remedy }
}

type Close = NonNullable<ChargePointState['last_close']>

/** Who has ended it: the charge point, by a close; its link or its power, without a word; or the service, which has its own reasons. */
export type EndedBy = 'charge_point' | 'link' | 'service'

export function endedBy({ code, reason }: Close): EndedBy {
  if (reason === endings.no_sign_of_life.reason) return 'link'
  if (byReason.has(reason) || isRefusalReason(reason)) return 'service'
  return code === 1006 ? 'link' : 'charge_point'
}

/** What makes an open connection one of a charge point, and has not come: null where nothing is missing. */
export function missingOf({ registration, offers_subprotocol }: ChargePointState): Words | null {
  if (registration !== 'none') return null
  const subprotocol =
    offers_subprotocol === false
      ? ', and it does not say which version of OCPP it speaks (it offers no subprotocol)'
      : ''
  return {
    cause: `It had sent no BootNotification, the message with which a charge point says what it is${subprotocol}.`,
    remedy:
      'Set the charge point to OCPP 1.6-J (OCPP 1.6 with JSON), and restart it. If it is set to that, update its firmware, or ask its manufacturer.',
  }
}

/** Null where no connection has ended, as far as is known. */
export function closeView(state: ChargePointState | undefined, isInstaller: boolean) {
  if (state?.last_close === undefined) return null
  const { code, reason, at } = state.last_close
  const { cause, remedy } = wordsOf(state.last_close, isInstaller)
  const missing = missingOf(state)
  if (missing === null) return { code, reason, at, cause, remedy }
  // What the service has closed for its own reason has to be put right first.
  const isOwn = endedBy(state.last_close) === 'service'
  return { code, reason, at, cause: `${cause} ${missing.cause}`, remedy: isOwn ? remedy : missing.remedy }
}

export const isReplacement = ({ reason }: Pick<Close, 'reason'>): boolean => reason === replacedReason
