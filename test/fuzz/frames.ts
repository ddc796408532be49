// Frames of a charge point gone mad: valid messages, mutations of them, and bytes that are no frames at all; and what
// of it the service owes an answer. The debt is worked out from the text alone, by none of the service's own code.

import type { Random } from '../../bench/client/random.js'
import { between, oneOf } from '../chaos/scenario.js'
import { sentByChargePoints as actions, samples } from '../ocpp16/every-message.js'
import { webSocketFrame } from '../support/raw-socket.js'
import { hostileValue, jsonOf, mutateText, mutateValue, Raw, sloppyUtf8 } from './values.js'

export interface FuzzFrame {
  /** As it goes to the socket: one WebSocket frame, several, or none that a reader would take. */
  readonly bytes: Buffer
  /** What the service must answer, exactly once. */
  readonly owed: { readonly id: string; readonly action: string } | undefined
  /** The service may end the socket for it, and need not answer what came before. */
  readonly breaks: boolean
  /** It is a text message, but no CALL that must be answered. */
  readonly odd: boolean
}

const otherActions = [
  'Reset',
  'Nothing',
  '',
  '__proto__',
  'constructor',
  'heartbeat',
  'Heartbeat\u0000',
  'x'.repeat(5_000),
]

/** Largest text that the service takes (README, limits): a frame over it may end the socket. */
const frameBytes = 65_536

export function createFrames(random: Random): {
  next(): FuzzFrame
  /** `faithful`: the share of answers that are at least answers to the call. */
  answerTo(messageId: string, action: string, faithful?: number): FuzzFrame
  noteTransaction(id: number): void
} {
  let counter = 0
  const transactions: number[] = []

  function messageId(): unknown {
    const choice = random()
    counter++
    if (choice < 0.9) return `f${counter}`
    if (choice < 0.94) return counter
    if (choice < 0.96) return `${'i'.repeat(between(random, 30, 240))}${counter}`
    if (choice < 0.98) return `ü"\\${String.fromCharCode(between(random, 1, 0xd7ff))}${counter}`
    return hostileValue(random)
  }

  function payloadOf(action: string): unknown {
    const payload = structuredClone(samples[action]?.request ?? {}) as Record<string, unknown>
    if (payload.connectorId !== undefined) payload.connectorId = between(random, 0, 3)
    if (payload.timestamp !== undefined) payload.timestamp = new Date(1.76e12 + between(random, 0, 2e9)).toISOString()
    if (payload.meterStart !== undefined) payload.meterStart = between(random, 0, 1_000_000)
    if (payload.transactionId !== undefined && transactions.length > 0 && random() < 0.8)
      payload.transactionId = oneOf(random, transactions)
    return payload
  }

  function callText(): string {
    const action = random() < 0.96 ? oneOf(random, actions) : oneOf(random, otherActions)
    let payload = payloadOf(action)
    const choice = random()
    if (choice > 0.4) for (let times = between(random, 1, 3); times > 0; times--) payload = mutateValue(payload, random)
    const frame: unknown = [2, messageId(), action, payload]
    if (choice < 0.85) return jsonOf(frame)
    if (choice < 0.92) return jsonOf(mutateValue(frame, random))
    return mutateText(jsonOf(frame), random)
  }

  /** A CALL that is padded to a length of the bound, one below it, or one above. */
  function boundaryText(): string {
    const frame = ['[2,"', `f${++counter}`, '","DataTransfer",{"vendorId":"v","data":"', '"}]'] as const
    const padding = frameBytes + between(random, -1, 1) - frame.join('').length
    return `${frame[0]}${frame[1]}${frame[2]}${'d'.repeat(padding)}${frame[3]}`
  }

  function oddText(): string {
    return oneOf(random, [
      () => jsonOf(hostileValue(random)),
      () => jsonOf([3, `f${between(random, 0, counter)}`, hostileValue(random)]),
      () => jsonOf([4, `cmd_${counter}`, hostileValue(random), hostileValue(random), hostileValue(random)]),
      () => jsonOf([hostileValue(random), `f${counter}`, 'Heartbeat', {}]),
      () => `[2,"f${++counter}","Heartbeat",${'['.repeat(between(random, 100, 20_000))}`,
      () => `[2,"f${++counter}","DataTransfer",{"vendorId":${'['.repeat(9_000)}${']'.repeat(9_000)}}]`,
      () => jsonOf([2, new Raw(String(10 ** between(random, 15, 30))), 'Heartbeat', {}]),
      () => '',
      () => '\u0000',
    ])()
  }

  function textFrame(text: string): FuzzFrame {
    const payload = sloppyUtf8(text)
    const clean = Buffer.from(text).equals(payload)
    return {
      bytes: split(payload, random),
      owed: clean && payload.length <= frameBytes ? owedFor(text) : undefined,
      breaks: !clean || payload.length > frameBytes,
      odd: !clean || owedFor(text) === undefined,
    }
  }

  return {
    next() {
      const choice = random()
      if (choice < 0.93) return textFrame(callText())
      if (choice < 0.98) return textFrame(oddText())
      if (choice < 0.982) return textFrame(boundaryText())
      if (choice < 0.995) return controlFrame(random)
      return brokenFrame(random, Buffer.from(callText()))
    },
    answerTo(id, action, faithful = 0.9) {
      const response = structuredClone(samples[action]?.response ?? {})
      const choice = random() * (random() < faithful ? 0.9 : 1)
      const answer =
        choice < 0.6
          ? [3, id, response]
          : choice < 0.8
            ? [3, id, mutateValue(response, random)]
            : choice < 0.9
              ? [
                  4,
                  id,
                  oneOf(random, ['NotSupported', 'GenericError', 'Odd', '', 7, null]),
                  hostileValue(random),
                  hostileValue(random),
                ]
              : mutateValue([3, id, response], random)
      return { ...textFrame(jsonOf(answer)), owed: undefined }
    },
    noteTransaction(id) {
      transactions.push(id)
      if (transactions.length > 8) transactions.shift()
    },
  }
}

/** A CALL with a usable id and an action (OCPP-J 1.6, 4.2), as any JSON reader sees it. */
export function owedFor(text: string): FuzzFrame['owed'] {
  let frame: unknown
  try {
    frame = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!Array.isArray(frame) || frame[0] !== 2) return undefined
  const [, id, action] = frame as unknown[]
  if (typeof action !== 'string' || action === '') return undefined
  if (typeof id === 'number')
    return Number.isFinite(id) && String(id).length <= 255 ? { id: `${id}`, action } : undefined
  return typeof id === 'string' && id.length > 0 && id.length <= 255 ? { id, action } : undefined
}

/** One text message, now and then in fragments with a ping between them. */
function split(payload: Buffer, random: Random): Buffer {
  if (random() > 0.03) return webSocketFrame(0x81, payload)
  const at = between(random, 0, payload.length)
  const ping = webSocketFrame(0x89, Buffer.from('between'))
  return Buffer.concat([
    webSocketFrame(0x01, payload.subarray(0, at)),
    ping,
    webSocketFrame(0x80, payload.subarray(at)),
  ])
}

function controlFrame(random: Random): FuzzFrame {
  const payload = Buffer.alloc(between(random, 0, 125), 0x80)
  return { bytes: webSocketFrame(oneOf(random, [0x89, 0x8a]), payload), owed: undefined, breaks: false, odd: false }
}

function brokenFrame(random: Random, payload: Buffer): FuzzFrame {
  const bytes = oneOf(random, [
    () => webSocketFrame(0x81, payload, false),
    () => webSocketFrame(0x80 | between(random, 3, 7), payload),
    () => webSocketFrame(0x80 | between(random, 11, 15), Buffer.alloc(3)),
    () => webSocketFrame(0xc1 | (between(random, 0, 3) << 4), payload),
    () => webSocketFrame(0x80, payload),
    () => webSocketFrame(0x09, Buffer.alloc(3)),
    () => webSocketFrame(0x89, Buffer.alloc(126)),
    () => webSocketFrame(0x88, Buffer.of(between(random, 0, 255), between(random, 0, 255), 0xff)),
    () => webSocketFrame(0x88, Buffer.of(1)),
    () => webSocketFrame(0x81, Buffer.from([0xc3, 0x28, 0xff, 0x00])),
    () => webSocketFrame(0x81, Buffer.alloc(262_145, 0x61)),
    () => Buffer.concat([Buffer.of(0x81, 0xff), Buffer.alloc(8, 0xff), payload]),
    () => Buffer.from(Array.from({ length: between(random, 1, 200) }, () => between(random, 0, 255))),
    () => webSocketFrame(0x81, payload).subarray(0, 5),
    () => webSocketFrame(0x82, payload),
  ])()
  return { bytes, owed: undefined, breaks: true, odd: true }
}
