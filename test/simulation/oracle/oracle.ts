// The oracle: sees the frames at the edge, the rows on the disk and the callers' answers, keeps its own account of what
// must hold, and shares no code with the system that it judges.

import type { Box } from '../boxes.js'
import type { ChargeObserver } from '../charge-point/charge-point.js'
import type { Charge } from '../charge-point/charges.js'
import type { StallPhysics } from '../charge-point/stall-physics.js'
import type { FrameObserver } from '../network.js'
import type { Account } from '../payments.js'
import type { Receiver, ReceiverObserver } from '../receivers.js'
import type { Observer, SimulatedService } from '../service.js'
import type { SimulatedDisk } from '../store.js'
import { alertTables, createAlertOracle } from './alerts.js'
import { createAllowanceOracle } from './allowances.js'
import { createAnswerOracle } from './answers.js'
import { type CloseOracle, createCloseOracle } from './closes.js'
import { type CommandOracle, commandTables, createCommandOracle } from './commands.js'
import { type CommissioningOracle, commissioningTables, createCommissioningOracle } from './commissioning.js'
import { costTables, createCostOracle } from './costs.js'
import { createDeliveryOracle, deliveryTables } from './deliveries.js'
import { type Row, watchDisk } from './disk-watch.js'
import { createEndingOracle, endingTables } from './endings.js'
import { createEventOracle, eventTables } from './events.js'
import { createGuestLimitOracle } from './guest-limits.js'
import { createGuestOracle, type GuestOracle, guestTables } from './guests.js'
import { createInsideOracle } from './inside.js'
import { createInvoiceOracle, invoiceTables } from './invoices.js'
import { createMailOracle, type MailOracle, mailTables } from './mails.js'
import { createRepeatOracle, type RepeatOracle } from './repeats.js'
import { createRoamingOracle, type RoamingOracle, roamingTables } from './roaming.js'
import { createSitePowerOracle, siteTables } from './site-power.js'
import { createSocketOracle } from './sockets.js'
import { createTransactionOracle, transactionTables } from './transactions.js'
import { createVerdict, type Verdict } from './verdict.js'

export interface Oracle extends ChargeObserver {
  readonly verdict: Verdict
  readonly frames: FrameObserver
  readonly inside: Observer
  readonly commands: CommandOracle
  readonly deliveries: ReceiverObserver
  readonly guests: Pick<GuestOracle, 'offered' | 'asked'>
  readonly mails: Pick<MailOracle, 'sent' | 'taken' | 'refused'>
  readonly commissioning: Pick<CommissioningOracle, 'told'>
  readonly roaming: Pick<RoamingOracle, 'sent' | 'taken' | 'ended'>
  readonly repeats: Pick<RepeatOracle, 'asked' | 'answered'> & Pick<CloseOracle, 'closed'>
  /** A new process listens, of this run. */
  began(run: number): void
  /** After every step. */
  look(service: SimulatedService | undefined): void
  /** What charge points of sites hold has changed, or time has passed. */
  sitesChanged(): void
  /** Once nothing goes wrong any more and what was going on has ended. */
  calm(): void
  /** When everything should have come to rest. */
  settled(rest: Rest): void
}

export interface Rest {
  /** The wall clock was set, or has leapt. */
  readonly clockSet: boolean
  /** It has leapt over what takes days: silent charge points, payments and mails that are tried again. */
  readonly waited: boolean
  /** It has leapt over the end of the month and of the week, which the organizations want to be told of. */
  readonly periods: boolean
  /** Of the payment provider. */
  readonly accounts: ReadonlyMap<string, Account>
}

interface Clock {
  monotonic(): number
  /** Wall time, ms. */
  now(): number
}

type Frame = [type: number, messageId: string, third?: unknown, fourth?: unknown]

export interface OracleOptions {
  readonly disk: SimulatedDisk
  readonly clock: Clock
  readonly receivers: readonly Receiver[]
  /** In this world the wall clock may be set back. */
  readonly clockIsSet: boolean
  readonly boxes: readonly Box[]
  readonly stalls: readonly StallPhysics[]
  readonly roamingPartnerId: string | undefined
}

export function createOracle(options: OracleOptions): Oracle {
  const { disk, clock, receivers, clockIsSet, boxes, stalls, roamingPartnerId } = options
  const now = clock.monotonic
  const verdict = createVerdict()
  const watch = watchDisk(disk, [
    ...transactionTables,
    ...costTables,
    ...commandTables,
    ...eventTables,
    ...alertTables,
    ...deliveryTables,
    ...endingTables,
    ...guestTables,
    ...invoiceTables,
    ...mailTables,
    ...commissioningTables,
    ...siteTables,
    ...roamingTables,
  ])
  const endings = createEndingOracle(verdict, watch, now)
  const transactions = createTransactionOracle(verdict, watch, now, endings.isGone)
  const commands = createCommandOracle(verdict, watch, now)
  const allowances = createAllowanceOracle(verdict, clock)
  const answers = createAnswerOracle(verdict, now)
  const alerts = createAlertOracle(verdict, watch)
  const events = createEventOracle(verdict, alerts)
  const deliveries = createDeliveryOracle(verdict, watch, now, receivers)
  const costs = createCostOracle(verdict, watch)
  const guests = createGuestOracle(verdict)
  const limits = createGuestLimitOracle(verdict, now, clockIsSet)
  const invoices = createInvoiceOracle(verdict, watch)
  const mails = createMailOracle(verdict, watch)
  const repeats = createRepeatOracle(verdict, clock.now)
  const closes = createCloseOracle(verdict)
  const commissioning = createCommissioningOracle(verdict, watch, clock, boxes)
  const sitePower = createSitePowerOracle(verdict, watch, clock, stalls)
  const roaming = createRoamingOracle(verdict, watch, { partnerId: roamingPartnerId, now: clock.now, clockIsSet })
  const inside = createInsideOracle(verdict, () => {
    roaming.forgotten()
    sitePower.forgotten()
    commands.forgotten()
    allowances.forgotten()
    deliveries.forgotten()
  })
  const sockets = createSocketOracle(verdict)
  let run = 0

  return {
    verdict,
    commands,
    deliveries,
    guests,
    mails,
    commissioning,
    roaming,
    repeats: { ...repeats, closed: closes.closed },
    frames: {
      toService(line, text) {
        const [type, messageId, third, fourth] = JSON.parse(text) as Frame
        if (type === 2) {
          answers.asked(line, messageId, third as string)
          transactions.asked(line, messageId, third as string, fourth as Row)
        } else {
          commands.answered(line, messageId, type === 3 && isConsent((third as Row).status))
          commissioning.answered(line, messageId, third as Row | string)
          sitePower.answered(line, messageId, type === 3 && isConsent((third as Row).status))
        }
      },
      toChargePoint(line, text) {
        const [type, messageId, third, fourth] = JSON.parse(text) as Frame
        if (type === 2) {
          commands.sent(line, messageId)
          repeats.sent(messageId, third as string, fourth as Row)
          limits.sent(third as string, fourth as Row)
          commissioning.sent(line, messageId, third as string, fourth as Row)
          sitePower.sent(line, messageId)
        } else answers.answered(line, messageId)
        if (type === 3) transactions.answered(line, messageId, third as Row)
      },
      opened(line) {
        sockets.opened(line)
        limits.opened(line)
        sitePower.opened(line)
      },
      closed(line, by) {
        sockets.closed(line, by)
        answers.closed(line)
        transactions.closed(line)
        commands.closed(line)
        limits.closed(line)
        commissioning.closed(line)
        sitePower.closed(line)
      },
    },
    inside: {
      ...inside,
      written() {
        const sessions = watch.changes('sessions')
        const states = watch.changes('charge_point_states')
        const unmatched = watch.changes('unmatched_transactions')
        transactions.written(sessions, states, unmatched)
        allowances.written(sessions, unmatched)
        endings.written(sessions, states)
        costs.written(sessions)
        commands.written()
        const added = watch.changes('outbox')
        events.written(added)
        deliveries.written(added)
        alerts.written()
        closes.written(sessions)
        const guestChanges = watch.changes('guest_sessions')
        guests.written(sessions, guestChanges)
        limits.written(sessions, guestChanges, transactions.chargeOf)
        invoices.written()
        mails.written()
        commissioning.written(sessions, added)
        sitePower.written()
        roaming.written(sessions)
      },
    },
    began(present) {
      run = present
      inside.began()
      answers.gone()
      sockets.gone()
      limits.gone()
      sitePower.forgotten()
      roaming.forgotten()
    },
    sitesChanged: sitePower.look,
    look(service) {
      if (service === undefined) answers.gone()
      else inside.look(service)
      answers.look()
      limits.look()
    },
    calm: () => endings.calm(clockIsSet),
    settled({ clockSet, waited, periods, accounts }) {
      transactions.settled(run)
      commands.settled()
      events.settled(watch.rows('sessions'))
      commissioning.settled(clock.now(), !clockIsSet || waited)
      alerts.settled(run)
      deliveries.settled(clockSet)
      endings.settled(waited)
      roaming.settled(run, clockSet)
      if (waited) guests.settled(accounts)
      if (waited) mails.settled(clock.now(), periods)
      if (periods) invoices.settled(watch.rows('sessions'))
    },
    died: endings.died,
    charged(charge: Charge) {
      transactions.began(charge)
      commissioning.charged(charge)
    },
    refused(chargePointId, action, code) {
      verdict.check('answered', false, () => `${chargePointId}: ${action} was refused with ${code}`)
    },
  }
}

function isConsent(status: unknown): boolean {
  return status === 'Accepted' || status === 'Unlocked'
}
