// The oracle: sees the frames at the edge, the rows on the disk and the callers' answers, keeps its own account of what
// must hold, and shares no code with the system that it judges.

import type { Charge, ChargeObserver } from '../charge-point.js'
import type { FrameObserver } from '../network.js'
import type { Receiver, ReceiverObserver } from '../receivers.js'
import type { Observer, SimulatedService } from '../service.js'
import type { SimulatedDisk } from '../store.js'
import { alertTables, createAlertOracle } from './alerts.js'
import { createAnswerOracle } from './answers.js'
import { type CommandOracle, commandTables, createCommandOracle } from './commands.js'
import { costTables, createCostOracle } from './costs.js'
import { createDeliveryOracle, deliveryTables } from './deliveries.js'
import { type Row, watchDisk } from './disk-watch.js'
import { createEventOracle, eventTables } from './events.js'
import { createInsideOracle } from './inside.js'
import { createSocketOracle } from './sockets.js'
import { createTransactionOracle, transactionTables } from './transactions.js'
import { createVerdict, type Verdict } from './verdict.js'

export interface Oracle extends ChargeObserver {
  readonly verdict: Verdict
  readonly frames: FrameObserver
  readonly inside: Observer
  readonly commands: CommandOracle
  readonly deliveries: ReceiverObserver
  /** A new process listens, of this run. */
  began(run: number): void
  /** After every step. */
  look(service: SimulatedService | undefined): void
  /** When everything should have come to rest; `clockSet` when the wall clock was set meanwhile. */
  settled(clockSet: boolean): void
}

type Frame = [type: number, messageId: string, third?: unknown, fourth?: unknown]

export function createOracle(disk: SimulatedDisk, now: () => number, receivers: readonly Receiver[]): Oracle {
  const verdict = createVerdict()
  const watch = watchDisk(disk, [
    ...transactionTables,
    ...costTables,
    ...commandTables,
    ...eventTables,
    ...alertTables,
    ...deliveryTables,
  ])
  const transactions = createTransactionOracle(verdict, watch, now)
  const commands = createCommandOracle(verdict, watch, now)
  const answers = createAnswerOracle(verdict, now)
  const alerts = createAlertOracle(verdict, watch)
  const events = createEventOracle(verdict, alerts)
  const deliveries = createDeliveryOracle(verdict, watch, now, receivers)
  const costs = createCostOracle(verdict, watch)
  const inside = createInsideOracle(verdict, () => {
    commands.forgotten()
    deliveries.forgotten()
  })
  const sockets = createSocketOracle(verdict)
  let run = 0

  return {
    verdict,
    commands,
    deliveries,
    frames: {
      toService(line, text) {
        const [type, messageId, third, fourth] = JSON.parse(text) as Frame
        if (type === 2) {
          answers.asked(line, messageId, third as string)
          transactions.asked(line, messageId, third as string, fourth as Row)
        } else commands.answered(line, messageId, type === 3 && isConsent((third as Row).status))
      },
      toChargePoint(line, text) {
        const [type, messageId, third] = JSON.parse(text) as Frame
        if (type === 2) commands.sent(line, messageId)
        else answers.answered(line, messageId)
        if (type === 3) transactions.answered(line, messageId, third as Row)
      },
      opened(line) {
        sockets.opened(line)
      },
      closed(line, by) {
        sockets.closed(line, by)
        answers.closed(line)
        transactions.closed(line)
        commands.closed(line)
      },
    },
    inside: {
      ...inside,
      written() {
        const sessions = watch.changes('sessions')
        transactions.written(sessions)
        costs.written(sessions)
        commands.written()
        const added = watch.changes('outbox')
        events.written(added)
        deliveries.written(added)
        alerts.written()
      },
    },
    began(present) {
      run = present
      inside.began()
      answers.gone()
      sockets.gone()
    },
    look(service) {
      if (service === undefined) answers.gone()
      else inside.look(service)
      answers.look()
    },
    settled(clockSet) {
      transactions.settled(run)
      commands.settled()
      events.settled(watch.rows('sessions'))
      alerts.settled(run)
      deliveries.settled(clockSet)
    },
    charged: (charge: Charge) => transactions.began(charge),
    refused(chargePointId, action, code) {
      verdict.check('answered', false, () => `${chargePointId}: ${action} was refused with ${code}`)
    },
  }
}

function isConsent(status: unknown): boolean {
  return status === 'Accepted' || status === 'Unlocked'
}
