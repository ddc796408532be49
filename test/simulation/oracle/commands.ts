// What became of operators' commands: one end each, sent once, told truly and in time.

import { isBox } from '../boxes.js'
import type { Line } from '../network.js'
import { isStall } from '../stalls.js'
import type { DiskWatch, Row } from './disk-watch.js'
import type { Verdict } from './verdict.js'

interface Command {
  readonly id: string
  readonly chargePointId: string
  readonly askedAt: number
  readonly timeoutMs: number
  /** How long after its deadline its caller waits for it: the commands of a bulk before it have theirs first. */
  readonly patienceMs: number
  sent: number
  accepted: boolean
  told: 'nothing' | 'status' | 'refused' | 'failed'
}

/** How a command ended, in the words of its caller. */
export type Told =
  | { readonly type: 'status'; readonly status: string }
  /** Refused before it was sent, or its fate is not known. */
  | { readonly type: 'refused' | 'failed'; readonly code: string }

export interface CommandOracle {
  asked(commandId: string, chargePointId: string, timeoutMs: number, patienceMs: number): void
  told(commandId: string, told: Told): void
  /** The process that its caller waited for is gone. */
  orphaned(commandId: string): void
  /** A CALL that the edge gives out. */
  sent(line: Line, messageId: string): void
  /** An answer that the edge has taken in. */
  answered(line: Line, messageId: string, accepted: boolean): void
  closed(line: Line): void
  /** Some actors begin anew from the disk, which does not have what they were waiting for. */
  forgotten(): void
  written(): void
  settled(): void
}

export const commandTables = ['commands']

/** Over the deadline: the commit of the record, and what a caller waits beyond it. */
const recordedWithinMs = 16_000
const ownCallTimeoutMs = 30_000

export function createCommandOracle(verdict: Verdict, disk: DiskWatch, now: () => number): CommandOracle {
  const { check } = verdict
  const commands = new Map<string, Command>()
  const records = new Map<string, Row>()
  const outstanding = new Map<number, { readonly messageId: string; readonly until: number }>()

  function recordChanged(before: Row | undefined, after: Row | undefined): void {
    const id = String((after ?? before)?.command_id)
    check('one-end', after !== undefined, () => `the record of ${id} is gone`)
    if (after === undefined) return
    const same = before === undefined || before.status === after.status
    check('one-end', same, () => `${id} was ${before?.status} and is ${after.status}`)
    records.set(id, after)
    const command = commands.get(id)
    if (command === undefined) return
    if (after.status === 'Accepted')
      check('honest-acceptance', command.accepted, () => `${id} is Accepted, its charge point has not accepted it`)
    if (after.status === 'Timeout') {
      const waited = now() - command.askedAt
      check('command-deadline', waited >= command.timeoutMs, () => `${id} timed out after ${waited} ms`)
    }
  }

  /** Of commands that were asked for over the API or for a guest, nothing is known but that they may be over any time. */
  function deadlineOf({ chargePointId }: Line, messageId: string, command: Command | undefined): number {
    if (command !== undefined) return command.askedAt + command.timeoutMs
    // Nor of those of a commissioning or a site: they may have waited for one another.
    const mayHaveWaited = messageId.startsWith('cmd_') || isBox(chargePointId) || isStall(chargePointId)
    return mayHaveWaited ? now() : now() + ownCallTimeoutMs
  }

  return {
    asked(id, chargePointId, timeoutMs, patienceMs) {
      const command: Command = {
        id,
        chargePointId,
        askedAt: now(),
        timeoutMs,
        patienceMs,
        sent: 0,
        accepted: false,
        told: 'nothing',
      }
      commands.set(id, command)
    },
    told(id, told) {
      const command = commands.get(id)
      if (command === undefined) return
      check('one-end', command.told === 'nothing', () => `the caller of ${id} was told twice`)
      command.told = told.type
      const late = now() - command.askedAt - command.timeoutMs - command.patienceMs
      check('command-deadline', late < recordedWithinMs, () => `${id} was answered ${late} ms after its deadline`)
      if (told.type !== 'status') return
      const record = records.get(id)
      check('one-end', record?.status === told.status, () => `${id}: told ${told.status}, disk ${record?.status}`)
    },
    orphaned(id) {
      const command = commands.get(id)
      if (command !== undefined && command.told === 'nothing') command.told = 'failed'
    },
    sent(line, messageId) {
      const command = commands.get(messageId)
      if (command !== undefined) {
        command.sent++
        check('sent-once', command.sent === 1, () => `${messageId} was sent ${command.sent} times`)
      }
      const before = outstanding.get(line.id)
      const free = before === undefined || before.until <= now() || before.messageId === messageId
      check(
        'one-outstanding',
        free,
        () => `${line.chargePointId} got ${messageId} before the end of ${before?.messageId}`,
      )
      outstanding.set(line.id, { messageId, until: deadlineOf(line, messageId, command) })
    },
    answered(line, messageId, accepted) {
      if (outstanding.get(line.id)?.messageId === messageId) outstanding.delete(line.id)
      const command = commands.get(messageId)
      if (command !== undefined && accepted) command.accepted = true
    },
    closed(line) {
      outstanding.delete(line.id)
    },
    forgotten: () => outstanding.clear(),
    written() {
      for (const { before, after } of disk.changes('commands')) recordChanged(before, after)
    },
    settled() {
      for (const { id, told } of commands.values()) {
        check('settled', told !== 'nothing', () => `the caller of ${id} was never answered`)
        if (told === 'status') check('one-end', records.has(id), () => `${id} has no record`)
      }
    },
  }
}
