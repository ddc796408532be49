// The charge-point actor: one OCPP session from its first socket on. It takes frames (take-frame.ts), answers them, sends calls, and
// writes what it learns. A state machine without I/O: everything that it does leaves as effects.

import { createExchangeLog } from '../../ocpi/exchange-log.js'
import { chargePointStatesTable } from '../../records/charge-point-state.js'
import { isOnline } from '../../records/presence.js'
import { signsOfLifeTable } from '../../records/sign-of-life.js'
import type { ActorDefinition, Connection, Context, Effect } from '../../runtime/actor/actor.js'
import { effect } from '../../runtime/actor/actor.js'
import { wakeNoMore } from '../../runtime/actor/wake-ups.js'
import { handleAlert, noteOffline, resolveForeign } from './alerts.js'
import { askToBoot } from './ask-to-boot.js'
import { attachUnmatched } from './attach-unmatched.js'
import { loseConnection, sendNext, timeOut } from './call-queue.js'
import { takeOver } from './claim.js'
import { closeSession } from './close-session.js'
import { noteConfigurationLost } from './configuration.js'
import { noteWholeTooBig } from './configuration-reads.js'
import { conformanceDue, countViolations, removeConformance } from './conformance.js'
import { connected, disconnected, lostWithTheService, removed, replacedReason } from './connection-events.js'
import { withDays } from './days.js'
import { handleDispute } from './disputes.js'
import { endUnlessLetIn, whyNotLetIn } from './let-in.js'
import { captureChanged, leavesOut, noteForLog, withMessageLog } from './message-log.js'
import {
  type CallMessage,
  type ChargePointMessage,
  chargePointAddress,
  chargePointKind,
  removedReason,
  type SocketDetails,
} from './messages.js'
import { endOwnWork, handleOwnWork, ownWorkAfterChange, resumeOwnWork } from './own-work.js'
import { withPlaceChanged } from './place-changed.js'
import { noPower } from './power.js'
import { awaitStops } from './provisional-close.js'
import { quarantined } from './quarantined.js'
import { refused } from './refused.js'
import { endReservationsOfRemoved } from './removed-reservations.js'
import { handleReservation, reservationCommandEnded, sendOwedCancels } from './reservations.js'
import { roamingAnswered } from './roaming-answered.js'
import { tellRollout } from './rollout-news.js'
import { noteShownCertificate } from './shown-certificate.js'
import { certificateDecided } from './sign-certificate.js'
import { changesSiteLimits, clearSiteLimits, isOfSite, noteSiteLimits, takesFromSite } from './site-limits.js'
import { withSiteReport } from './site-report.js'
import {
  type ChargePointSettings,
  countConnectors,
  endConnection,
  isForeign,
  keepRow,
  keepsRegistration,
  loadState,
  type State,
  saveRow,
} from './state.js'
import { takeCall } from './take-call.js'
import { takeFrame } from './take-frame.js'
import { endTests, pingEnded, testConnection } from './test-connection.js'
import { withoutUnread } from './unread-events.js'
import { woken } from './woken.js'

const none: readonly Effect[] = []

export function createChargePointActor(settings: ChargePointSettings): ActorDefinition<State, ChargePointMessage> {
  const exchanges = createExchangeLog()
  return {
    kind: chargePointKind,
    // A repeat that comes in the same batch as its original is found in the store, like any other.
    readsItsWrites: true,
    load: (context) => loadState(settings, exchanges, context),
    activated: withMessageLog(withoutUnread(withPlaceChanged(withSiteReport(withDays(activated))))),
    handle: withMessageLog(withoutUnread(withPlaceChanged(withSiteReport(withDays(handle))))),
    refused,
    quarantined,
    // What was left out of the log of a charge point that says a lot is told with its next message, while it is connected.
    idle: ({
      testers,
      testNotices,
      unsaved,
      calls,
      remoteStarts,
      held,
      signing,
      configuring,
      connection,
      messageLog,
    }) =>
      !unsaved &&
      (connection === undefined || !leavesOut(messageLog)) &&
      signing === undefined &&
      configuring === undefined &&
      calls.outstanding === undefined &&
      calls.waiting.length === 0 &&
      remoteStarts.size === 0 &&
      held.size === 0 &&
      testers.length === 0 &&
      testNotices.length === 0,
    askers: ({ testers }) => testers,
  }
}

/**
 * The registration may have changed hands before word of it came. The live socket may be another than the stored one: what was
 * told of it may not have reached the disk.
 */
function activated(state: State, context: Context): readonly Effect[] {
  const changed = isForeign(state) ? registrationChanged(state, context) : none
  const resumed = resumeOwnWork(state, context)
  const effects = [...changed, ...endUnlessLetIn(state, context), ...awaitStops(state, context), ...resumed]
  return context.connection === undefined ? effects : [...effects, ...attach(state, context.connection, context)]
}

function handle(state: State, message: ChargePointMessage, context: Context): readonly Effect[] {
  switch (message.type) {
    case 'frame': {
      const effects = takeFrame(state, message.connection, message.text, context)
      if (state.broken.length === 0) return effects
      noteForLog(state)
      return [...effects, ...countViolations(state, message.text, context)]
    }
    case 'attached':
      return attach(state, message.connection, context)
    case 'detached':
      return detach(state, message.connection, message.code, message.reason, context)
    case 'test-connection':
      return testConnection(state, message, context)
    case 'ping-ended':
      return pingEnded(state, message)
    case 'call':
      return call(state, message, context)
    case 'call-timed-out':
      return timeOut(state.calls, message.messageId, state.connection, context)
    case 'registration-changed':
      return registrationChanged(state, context)
    case 'conformance-due':
      return conformanceDue(state, context)
    case 'capture-changed':
      return captureChanged(state, context)
    case 'limits-released':
      return clearSiteLimits(state, context)
    case 'report-to-site':
      state.reported = undefined
      return none
    case 'attach-unmatched':
      return attachUnmatched(state, message, context)
    case 'open-dispute':
    case 'decide-dispute':
      return handleDispute(state, message, context)
    case 'close-session':
      return closeSession(state, message, context)
    case 'certificate-signed':
    case 'certificate-overdue':
      return certificateDecided(state, message, context)
    case 'roaming-answered':
      return roamingAnswered(state, message, context)
    case 'reserve':
    case 'reserved':
    case 'reservation-dropped':
    case 'reservation-unanswered':
    case 'cancel-reservation':
    case 'cancel-owed':
      return handleReservation(state, message, context)
    case 'command-ended':
      return reservationCommandEnded(state, message, context)
    case 'apply-configuration':
    case 'stop-configuration':
    case 'begin-security-upgrade': {
      // Word of a change of hands may come after the first request of the new owner.
      const isOwners = message.organizationId === state.row.organization_id
      const changed = isOwners ? none : registrationChanged(state, context)
      return [...changed, ...handleOwnWork(state, message, context)]
    }
    case 'configuration-due':
    case 'security-upgrade-due':
    case 'call-ended':
    case 'late-answer':
      return handleOwnWork(state, message, context)
    case 'wake-up':
      if (!message.reason.startsWith(removedReason)) return woken(state, message.reason, context)
      return [...registrationChanged(state, context, true), wakeNoMore(chargePointAddress(context.id), message.reason)]
    case 'alert-due':
    case 'presence-lost':
      // A row that outlived its registration would be found again and again.
      return state.registration === undefined
        ? registrationChanged(state, context)
        : handleAlert(state, message, context)
    default:
      message satisfies never
      return none
  }
}

function call(state: State, message: CallMessage, context: Context): readonly Effect[] {
  if (isOfSite(message)) return callOfSite(state, message, context)
  if (changesSiteLimits(state, message, context)) return notTaken(message, 'managed-by-site')
  if (message.router === undefined || message.router.id === state.row.organization_id)
    return takeCall(state, message, context)
  // Word of a change of hands may come after the first command of the new owner.
  const changed = registrationChanged(state, context)
  if (message.router.id === state.row.organization_id) return [...changed, ...takeCall(state, message, context)]
  return [...changed, ...notTaken(message)]
}

/** Word of another site may come after its first call. */
function callOfSite(state: State, message: CallMessage, context: Context): readonly Effect[] {
  const changed = takesFromSite(state, message) ? none : registrationChanged(state, context)
  if (takesFromSite(state, message)) return [...changed, ...noteSiteLimits(state), ...takeCall(state, message, context)]
  return [...changed, ...notTaken(message)]
}

function notTaken(
  { router, commandId }: CallMessage,
  type: 'offline' | 'managed-by-site' = 'offline',
): readonly Effect[] {
  const outcome = { type }
  return router === undefined ? none : [effect.answer(router, { type: 'call-ended', commandId, outcome })]
}

/** The newest socket wins, at once: the old one is closed, and nothing that it still says about calls counts. */
function attach(state: State, connection: Connection, context: Context): readonly Effect[] {
  if (connection.epoch < state.epoch) return [effect.close(connection.connection, 1000, replacedReason)]
  if (connection.epoch === state.epoch && connection.connection === state.connection) return none
  if (connection.connection === state.endedConnection) return none
  // The socket was let in by the registration as it is stored now; word of a change may come after it.
  const effects: Effect[] = [...registrationChanged(state, context)]
  if (state.registration === undefined)
    return [...effects, effect.close(connection.connection, 1000, 'the charge point has been removed')]
  const refused = whyNotLetIn(state.registration, state.row, connection.details as SocketDetails)
  if (refused !== undefined) return [...effects, effect.close(connection.connection, 1000, refused)]
  const { row, settings } = state
  const replaced = state.connection
  const lost = noteConfigurationLost(state, context)
  effects.push(...lost.effects)
  state.connection = connection.connection
  state.details = connection.details as SocketDetails
  state.epoch = connection.epoch
  const isReplacing = replaced !== undefined && replaced !== connection.connection
  if (isReplacing) {
    effects.push(...loseConnection(state.calls, true), ...endTests(state), effect.close(replaced, 1000, replacedReason))
  }
  const wasConnected = isOnline(row, settings.live)
  // A shard that has been replaced hears of sockets that the store knows already.
  if (wasConnected && row.connection === connection.connection)
    return [...effects, ...sendOwedCancels(state, context), ...resumeOwnWork(state, context)]
  const { incarnation, remoteAddress, connectedAt, securityProfile, overTls, subprotocol } = state.details
  const connectedAtIso = new Date(connectedAt).toISOString()
  const online = noteOffline(state, false, context)
  const shown = noteShownCertificate(state, state.details, online.watches ?? row.watches, context)
  effects.push(
    ...shown.effects,
    saveRow(
      state,
      {
        ...online,
        ...shown.change,
        ...lost.change,
        run: incarnation,
        connected: true,
        connection: connection.connection,
        connection_epoch: connection.epoch,
        connected_at: connectedAtIso,
        remote_address: remoteAddress,
        security_profile: securityProfile,
        over_tls: overTls,
        offers_subprotocol: subprotocol !== '',
        ...(isReplacing && { last_close: { code: 1000, reason: replacedReason, at: connectedAtIso } }),
        // What was metered before its node ended, or before the socket was lost, is nobody's draw now.
        ...(wasConnected ? {} : noPower),
      },
      context,
    ),
  )
  effects.push(...connected(row, { live: settings.live, connectedAt: connectedAtIso, remoteAddress }, context))
  return [
    ...effects,
    ...sendNext(state.calls, state.connection, context),
    ...sendOwedCancels(state, context),
    ...resumeOwnWork(state, context),
    ...tellRollout(state.row.organization_id, {}, context),
  ]
}

/** A frame was too long (RFC 6455, 7.4.1). */
const messageTooBig = 1009

function detach(state: State, connection: number, code: number, reason: string, context: Context): readonly Effect[] {
  if (connection !== state.connection) return none
  endConnection(state)
  const tooBig = code === messageTooBig ? noteWholeTooBig(state, context) : []
  const disconnectedAt = new Date(context.now()).toISOString()
  const lost = [...loseConnection(state.calls, false), ...endTests(state)]
  if (state.registration === undefined) return lost
  const configuration = noteConfigurationLost(state, context)
  return [
    ...lost,
    ...tooBig,
    ...configuration.effects,
    saveRow(
      state,
      {
        connected: false,
        disconnected_at: disconnectedAt,
        last_close: { code, reason, at: disconnectedAt },
        ...noPower,
        ...noteOffline(state, true, context),
        ...configuration.change,
      },
      context,
    ),
    disconnected(state.row, disconnectedAt, code, reason),
  ]
}

/** A registration that is gone, also when another organization has registered the id since, takes its socket and calls along. */
function registrationChanged(state: State, context: Context, wasRemoved = false): readonly Effect[] {
  const taken = takeOver(state, context)
  const { connection: socket, row } = state
  if (keepsRegistration(state, context)) {
    const counted = countConnectors(state) ? [keepRow(state, {})] : none
    const applied = [...taken, ...counted, ...applyRegistration(state, context), ...endUnlessLetIn(state, context)]
    if (!wasRemoved) return [...applied, ...ownWorkAfterChange(state, context)]
    // It was removed, and is there again: as somebody else's, or as a new one.
    return [
      ...applied,
      ...clearSiteLimits(state, context),
      ...endOwnWork(state, context),
      keepRow(state, {}),
      ...leftBehind(state, row, context),
    ]
  }
  const gone = [
    ...loseConnection(state.calls, false),
    ...endTests(state),
    effect.remove(chargePointStatesTable, [context.id]),
    effect.remove(signsOfLifeTable, [context.id]),
    ...removeConformance(context),
    ...endOwnWork(state, context),
    ...leftBehind(state, row, context),
  ]
  return socket === undefined
    ? [...gone, ...lostWithTheService(row, state.settings.live, context)]
    : [...gone, removed(row, context), effect.close(socket, 1000, 'the charge point has been removed')]
}

/** What a charge point that was removed has left open: `row` was its own. */
function leftBehind(state: State, { organization_id }: State['row'], context: Context): readonly Effect[] {
  return [
    ...resolveForeign(state, context),
    ...endReservationsOfRemoved(state, organization_id, context),
    ...tellRollout(organization_id, {}, context),
  ]
}

/**
 * What the operator has decided holds at once. A charge point learns of being accepted by a BootNotification alone, so
 * it is asked for one; one that never booted learns it when it does.
 */
function applyRegistration(state: State, context: Context): readonly Effect[] {
  const decided = state.registration?.registration ?? 'Accepted'
  if (state.row.registration === 'none' || state.row.registration === decided) return none
  if (decided !== 'Accepted') return [saveRow(state, { registration: decided }, context)]
  return state.connection === undefined ? none : askToBoot(state, context)
}
