// Fuzzes open OCPP sockets: frames of all kinds, answers to the commands that operators send meanwhile, and sockets that
// end and come back. Whatever is sent, every CALL with a usable id has one answer, and no socket ends without a cause.

import { setTimeout as delay } from 'node:timers/promises'
import { createRandom } from '../../bench/client/random.js'
import { limits } from '../../src/actors/charge-point/limits.js'
import { between, oneOf } from '../chaos/scenario.js'
import type { Service } from '../support/service.js'
import { createDebts } from './answers.js'
import type { Findings } from './findings.js'
import { createFrames, type FuzzFrame } from './frames.js'
import { type FuzzSocket, openFuzzSocket } from './web-socket.js'

export interface FramesOptions {
  readonly service: Service
  readonly seed: number
  readonly frames: number
  readonly sockets: number
  /** When to stop even if frames are left (performance.now). */
  readonly until: number
  readonly findings: Findings
  readonly progress: (done: number) => void
}

export interface FramesResult {
  readonly frames: number
  readonly answers: number
  readonly sockets: number
  readonly commands: number
}

/** Of its own in every run: what requests did to the charge points of an earlier one must not matter. */
export function chargePointOf(seed: number, index: number): string {
  return `FUZZ-${seed}-${index}`
}

const windowSize = 32
const answerWithinMs = 20_000
const keptFrames = 40
/** How long a frame that breaks the protocol may take to end the socket. */
const breakWithinMs = 50

export async function fuzzFrames(options: FramesOptions): Promise<FramesResult> {
  const { service, findings } = options
  let left = options.frames
  let done = 0
  let answers = 0
  let opened = 0
  let commands = 0
  let running = true

  async function socketLife(index: number): Promise<void> {
    const chargePointId = chargePointOf(options.seed, index)
    const frames = createFrames(createRandom(options.seed * 1_000 + index))
    const answerFrames = createFrames(createRandom(options.seed * 1_000 + 500 + index))
    while (left > 0 && performance.now() < options.until) {
      await oneSocket(chargePointId, frames, answerFrames)
    }
  }

  async function oneSocket(
    chargePointId: string,
    frames: ReturnType<typeof createFrames>,
    answerFrames: ReturnType<typeof createFrames>,
  ): Promise<void> {
    const debts = createDebts()
    const sent: Buffer[] = []
    let oddInARow = 0
    let wake: (() => void) | undefined
    const found = (what: string): void =>
      findings.add(what, { target: 'frames', frames: sent.map((bytes) => bytes.toString('base64')) })

    const socket: FuzzSocket = await openFuzzSocket(service.port, `/ocpp16/${chargePointId}`, {
      text(text) {
        const taken = debts.take(text)
        if (taken.type === 'wrong') found(`${taken.what}: ${text.slice(0, 200)}`)
        else if (taken.type === 'call') {
          if (answerFrames) transmit(answerFrames.answerTo(taken.id, taken.action))
        } else {
          answers++
          if (taken.startedTransaction !== undefined) frames.noteTransaction(taken.startedTransaction)
        }
        if (debts.size < windowSize) wake?.()
      },
      violation: (reason) => found(`the service broke the WebSocket protocol: ${reason}`),
      closed: () => wake?.(),
    })
    opened++

    function transmit(frame: FuzzFrame): void {
      sent.push(frame.bytes)
      if (sent.length > keptFrames) sent.shift()
      if (frame.owed !== undefined) debts.owe(frame.owed)
      else if (frame.odd) debts.mayOwe()
      oddInARow = frame.odd ? oddInARow + 1 : frame.owed === undefined ? oddInARow : 0
      socket.send(frame.bytes)
    }

    /** Until fewer answers are due than `count`, or the socket is closed; false when they do not come. */
    async function settled(count: number): Promise<boolean> {
      const deadline = performance.now() + answerWithinMs
      while (socket.open && debts.size >= count) {
        if (performance.now() > deadline) return false
        await Promise.race([new Promise<void>((resolve) => (wake = resolve)), delay(250)])
      }
      return true
    }

    while (socket.open && left > 0 && performance.now() < options.until) {
      left--
      done++
      if (done % 1_000 === 0) options.progress(done)
      const frame = frames.next()
      transmit(frame)
      if (frame.breaks) {
        const deadline = performance.now() + breakWithinMs
        while (socket.open && performance.now() < deadline) await delay(2)
        socket.destroy()
        return
      }
      await socket.drained()
      if (debts.size >= windowSize && !(await settled(windowSize))) {
        found(`no answer: ${debts.due().slice(0, 3).join(', ')}`)
        socket.destroy()
        return
      }
      if (done % 16 === 0) await new Promise(setImmediate)
    }
    if (socket.open && !(await settled(1))) found(`no answer: ${debts.due().slice(0, 3).join(', ')}`)
    if (!socket.open) {
      const { code, reason } = socket.closed ?? { code: 0, reason: '' }
      const malformed = code === 1002 && oddInARow > limits.malformedFramesInARow
      if (!malformed) found(`the service ended a socket: ${code} ${reason}`)
    } else socket.destroy()
  }

  /** Commands of operators, so that there are CALLs to answer badly. */
  async function operators(): Promise<void> {
    const random = createRandom(options.seed + 77)
    const kinds = [
      { command: 'soft_reset' },
      { command: 'unlock_connector', parameters: { connector_id: 1 } },
      { command: 'stop_session', parameters: { transaction_id: 1 } },
      { command: 'clear_power_limit', parameters: { connector_id: 1 } },
      { command: 'set_available', parameters: { connector_id: 1 } },
    ]
    const raw = [
      'GetConfiguration',
      'GetLocalListVersion',
      'ClearCache',
      'DataTransfer',
      'GetCompositeSchedule',
      'GetLog',
    ]
    while (running) {
      const id = chargePointOf(options.seed, between(random, 0, options.sockets - 1))
      const command = { ...oneOf(random, kinds), timeout_seconds: 1 }
      const call = {
        charge_point_id: id,
        command: oneOf(random, raw),
        payload: { vendorId: 'v', connectorId: 1, duration: 60 },
      }
      const { status, body } = await (random() < 0.5
        ? service.request('POST', `/api/v1/cpo/commands/${id}`, command)
        : service.request('POST', '/api/v1/ocpp16/send_command', call))
      commands++
      if (status === 500 || status === 0)
        findings.add(`a command was answered ${status}: ${JSON.stringify(body)}`, undefined)
    }
  }

  for (let index = 0; index < options.sockets; index++) await service.register(chargePointOf(options.seed, index))
  const commanding = Array.from({ length: 4 }, operators)
  await Promise.all(Array.from({ length: options.sockets }, (_, index) => socketLife(index)))
  running = false
  await Promise.all(commanding)
  return { frames: done, answers, sockets: opened, commands }
}
