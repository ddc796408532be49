// Plays the charge point of a script against a service: what it has asked is asked again, in order and as fast as it was, or faster; what the service had
// asked it is sent by way of the API. What the service answers now is compared with what was answered then.

import { setTimeout as delay } from 'node:timers/promises'
import { connectWebSocket, type WebSocketClient } from '../client/websocket.js'
import { type Adapting, adapted } from './adapt.js'
import { differences } from './compare.js'
import { elementsOf, type Script, type ScriptFrame } from './script.js'

export interface ReplayOptions {
  readonly script: Script
  /** Of OCPP, without the id. */
  readonly endpoint: string
  readonly chargePointId: string
  /** No pause is longer. */
  readonly longestPauseMs: number
  /** Has the service send a command; rejects where it refuses. Absent: what the service had asked is not asked again. */
  readonly command?: (action: string, payload: unknown) => Promise<unknown>
  readonly say: (line: string) => void
}

export interface Replayed {
  readonly sent: number
  /** In words: which message, and what is another. */
  readonly differences: readonly string[]
}

const answerWithinMs = 30_000

export async function replay(options: ReplayOptions): Promise<Replayed> {
  const { script, chargePointId, endpoint } = options
  const transactions = new Map<number, number>()
  const adapting: Adapting = { transactions, shiftMs: Date.now() - script.startedAt }
  const found: string[] = []
  const answers = new Map<string, (elements: readonly unknown[] | undefined) => void>()
  const owed = recordedAnswers(script.frames)
  let sent = 0

  function tell(frame: ScriptFrame, what: string): void {
    const line = `${timeOf(frame)} ${nameOf(frame)}: ${what}`
    found.push(line)
    options.say(line)
  }

  const socket = await open(`${endpoint}/${encodeURIComponent(chargePointId)}`, (text) => {
    const elements = elementsOf(text)
    if (elements === undefined) return
    const id = String(elements[1])
    if (elements[0] === 2) socket.send(answerTo(id, String(elements[2]), owed, adapting))
    else {
      answers.get(id)?.(elements)
      answers.delete(id)
    }
  })

  function ask(id: string, text: string): Promise<readonly unknown[] | undefined> {
    const answered = new Promise<readonly unknown[] | undefined>((resolve) => {
      answers.set(id, resolve)
      setTimeout(() => resolve(undefined), answerWithinMs).unref()
    })
    socket.send(text)
    sent++
    return answered
  }

  async function bootFirst(): Promise<void> {
    const payload = { chargePointVendor: 'Replay', chargePointModel: 'Replay' }
    options.say('The script begins without a BootNotification: one is sent first.')
    await ask('replay-boot', JSON.stringify([2, 'replay-boot', 'BootNotification', payload]))
  }

  async function playCall(frame: ScriptFrame, number: number): Promise<void> {
    const id = `replay-${number}`
    const [, recordedId, action, payload] = frame.elements as readonly unknown[]
    const answer = await ask(id, JSON.stringify([2, id, action, adapted(payload ?? {}, adapting)]))
    const recorded = answerIn(script.frames, number, 'out', recordedId)
    if (answer === undefined) return tell(frame, 'no answer has come')
    if (recorded === undefined) return
    learn(recorded, answer, transactions)
    for (const what of differences(recorded, answer)) tell(frame, what)
  }

  /** What the service had asked is asked again; its answer is sent when the question comes. */
  async function playCommand(frame: ScriptFrame): Promise<void> {
    const [, , action, payload] = frame.elements as readonly unknown[]
    if (options.command === undefined) return
    await options
      .command(String(action), adapted(payload ?? {}, adapting))
      .catch((error: Error) => tell(frame, `the service does not send it: ${error.message}`))
  }

  const calls = script.frames.filter(({ direction, elements }) => direction === 'in' && elements?.[0] === 2)
  if (calls.length > 0 && calls[0]?.elements?.[2] !== 'BootNotification') await bootFirst()
  let before = 0
  for (const [number, frame] of script.frames.entries()) {
    const pause = Math.min(frame.atMs - before, options.longestPauseMs)
    before = frame.atMs
    if (pause > 0) await delay(pause)
    if (!socket.open) {
      tell(frame, 'the service has closed the connection')
      break
    }
    const type = frame.elements?.[0]
    if (frame.direction === 'in' && type === 2) await playCall(frame, number)
    else if (frame.direction === 'out' && type === 2) await playCommand(frame)
    else if (frame.direction === 'in' && frame.elements === undefined) {
      socket.send(frame.text)
      sent++
    }
  }
  socket.close()
  return { sent, differences: found }
}

async function open(url: string, text: (text: string) => void): Promise<WebSocketClient> {
  return new Promise((resolve, reject) => {
    const client = connectWebSocket(
      { url, subprotocols: ['ocpp1.6'] },
      {
        opened: () => resolve(client),
        text,
        closed: (code, reason, refusal) =>
          reject(
            new Error(
              `the service does not take the connection: ${refusal === undefined ? code : JSON.stringify(refusal)} ${reason}`,
            ),
          ),
      },
    )
  })
}

/** The answers of the charge point to what it was asked, by action, in their order. */
function recordedAnswers(frames: readonly ScriptFrame[]): Map<string, (readonly unknown[])[]> {
  const byAction = new Map<string, (readonly unknown[])[]>()
  for (const [number, { direction, elements }] of frames.entries()) {
    if (direction !== 'out' || elements?.[0] !== 2) continue
    const answer = answerIn(frames, number, 'in', elements[1])
    if (answer === undefined) continue
    const action = String(elements[2])
    const known = byAction.get(action)
    if (known === undefined) byAction.set(action, [answer])
    else known.push(answer)
  }
  return byAction
}

/** The first answer to a message of that id behind its place. */
function answerIn(
  frames: readonly ScriptFrame[],
  number: number,
  direction: 'in' | 'out',
  messageId: unknown,
): readonly unknown[] | undefined {
  for (let at = number + 1; at < frames.length; at++) {
    const frame = frames[at] as ScriptFrame
    if (frame.direction === direction && isAnswerTo(frame, messageId)) return frame.elements
  }
  return undefined
}

function isAnswerTo({ elements }: ScriptFrame, messageId: unknown): boolean {
  return (elements?.[0] === 3 || elements?.[0] === 4) && String(elements[1]) === String(messageId)
}

/** The next recorded answer to that action, and the last one again after it. */
function answerTo(id: string, action: string, owed: Map<string, (readonly unknown[])[]>, adapting: Adapting): string {
  const recorded = owed.get(action) ?? []
  const answer = recorded.length > 1 ? recorded.shift() : recorded[0]
  if (answer === undefined) return JSON.stringify([4, id, 'NotSupported', 'the script has no answer to it', {}])
  const [type, , ...rest] = answer
  return JSON.stringify([type, id, ...rest.map((part) => adapted(part, adapting))])
}

/** What number the service gives to a transaction now. */
function learn(recorded: readonly unknown[], seen: readonly unknown[], transactions: Map<number, number>): void {
  const numberOf = (frame: readonly unknown[]): unknown => (frame[2] as { transactionId?: unknown })?.transactionId
  const [before, now] = [numberOf(recorded), numberOf(seen)]
  if (typeof before === 'number' && typeof now === 'number') transactions.set(before, now)
}

const nameOf = ({ elements }: ScriptFrame): string => String(elements?.[2] ?? 'a message')

function timeOf({ atMs }: ScriptFrame): string {
  const seconds = Math.floor(atMs / 1_000)
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${two(Math.floor(seconds / 3_600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}
