// Why a charge point does not come online, in one answer: the check that stops it, what to do, what probably led to it, its attempts, and how its
// neighbours are. Also for an id that nobody has registered and that knocks all the same, for whoever has it in its list.

import { Type } from 'typebox'
import { isRefusalReason, refusalReasons } from '../../../edge/refusal-reasons.js'
import type { ChargePoint } from '../../../records/charge-point.js'
import type { ChargePointState } from '../../../records/charge-point-state.js'
import { attemptOwner, type ConnectionAttempt } from '../../../records/connection-attempt.js'
import { shapeOf } from '../../../records/id-shape.js'
import { isOnline } from '../../../records/presence.js'
import type { ReadView } from '../../../runtime/store/store.js'
import type { Services } from '../../pipeline/services.js'
import { area, chargePoints } from '../charge-points/area.js'
import { endpointOf, stateOf } from '../charge-points/charge-points.js'
import { type Absence, absenceWords, hasLeft } from './absence-words.js'
import { askerOf } from './asker.js'
import { attemptView } from './attempt-words.js'
import { type AttemptList, attemptsByHour, firstAttempt, newestAttempts } from './attempts-of.js'
import { closeView } from './close-words.js'
import { absenceOf, explain, isSure, refusedSinceMs } from './connection-status.js'
import { connectionDiagnosis, type Diagnosis, lastView, said } from './diagnosis-schema.js'
import { type Arrival, ladderOf, unseenHandshakes } from './ladder.js'
import { likelyAttempts } from './likely-attempts.js'
import { lostTogether } from './lost-together.js'
import { areOthersAway, neighboursOf } from './neighbours.js'
import { type PossibleAttempt, possibleAttempts } from './possible-attempts.js'
import { probableCause } from './probable-cause.js'
import { diagnoseUnregistered } from './unregistered-diagnosis.js'
import { type Asker, isLikeOthers, registeredAs } from './whose-attempt.js'

const getConnectionDiagnosis = area.get('/chargepoints/{charge_point_id}/connection-diagnosis', {
  operationId: 'getConnectionDiagnosis',
  summary: 'Find the check that keeps a charge point from coming online, and what to do about it',
  description:
    'Shows the checks that each connection passes in their order, and the one that stops this charge point; what was done to it shortly before; its refused ' +
    'attempts of the last 24 hours; and its neighbours. The operator of the installation can also ask about an id that nobody has registered and that tries to connect.',
  params: {
    charge_point_id: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'As it is registered, or as it was sent.',
    }),
  },
  answer: connectionDiagnosis,
  read({ principal, params: { charge_point_id }, remoteAddress }, services) {
    const view = services.view()
    const { organization_id } = principal.organization
    const asker = askerOf(organization_id, remoteAddress, services)
    const found = chargePoints.find(view, principal, charge_point_id)
    return found === undefined
      ? diagnoseUnregistered(charge_point_id, organization_id, asker, services)
      : diagnoseRegistered(found, asker, services)
  },
})

async function diagnoseRegistered(chargePoint: ChargePoint, asker: Asker, services: Services): Promise<Diagnosis> {
  const view = services.view()
  const { charge_point_id, organization_id } = chargePoint
  const begin = services.longReads.of(organization_id)
  const reads = { view, begin }
  const state = stateOf(view, chargePoint)
  const online = isOnline(state, services.presence.live)
  const endpoint = endpointOf(services.config, charge_point_id)
  const possible = await possibleAttempts(view, chargePoint, state, asker, begin)
  const shown = possible.map((attempt) => attemptView(attempt, chargePoint, endpoint, asker))
  const lastClose = closeView(state, false)
  const absence = absenceOf(state, lastClose, services)
  const lists = listsOf(view, chargePoint, possible, asker)
  const last = newestAttempts(view, lists)
  const since = online ? state?.connected_at : absence.since
  const sinceMs = since === undefined ? 0 : Date.parse(since) + 1
  const ownSinceMs = refusedSinceMs(state, since)
  const refused = online
    ? undefined
    : shown.find((line) => isSure(line) && Date.parse(line.last_attempted_at) >= ownSinceMs)
  const first = refused === undefined ? undefined : firstAttempt(view, lists, ownSinceMs)
  const check =
    refused !== undefined && isRefusalReason(refused.reason) ? refusalReasons[refused.reason].check : undefined
  const wentAway = first?.attempted_at ?? absence.endedAt
  const isAlone = online || refused !== undefined || state === undefined
  const together = isAlone ? null : await lostTogether(chargePoint, state, services)
  const address = refused?.remote_address ?? state?.remote_address
  const neighbours = neighboursOf(chargePoint, address ?? undefined, services)
  const unharmed = neighbours.filter((one) => one.online).map((one) => one.charge_point_id)
  const likely =
    online || refused !== undefined || together !== null
      ? []
      : likelyAttempts(shown, sinceMs, areOthersAway(chargePoint, state?.remote_address, services))
  const probable = absence.since === undefined ? likely.find(({ match }) => match !== 'address') : undefined
  const isSilent = online && state?.registration === 'none'
  const words = isSilent
    ? notBooted
    : online
      ? nothingWrong
      : absenceWords({ state, absence, refused, together, probable, endpoint })
  return {
    charge_point_id,
    registered: true,
    online,
    since: since ?? null,
    stages: [...ladderOf(seenOf(chargePoint, state), arrivalOf(state, online, refused, absence))],
    ...said(words),
    explanation: explain({ state, isConnected: online, attempts: shown, lastClose, endpoint }, services),
    ocpp_endpoint: endpoint,
    refused_since: first?.attempted_at ?? null,
    attempts_24h: await attemptsByHour(reads, lists, services.clock.now()),
    last: last.map((attempt) => lastView(attempt, endpoint, addressKnown(attempt, possible, asker))),
    similar: likely,
    differs_from: [],
    lost_together: together,
    probable_cause:
      online || together !== null || wentAway === undefined
        ? null
        : probableCause(
            view,
            { organizationId: organization_id, chargePointId: charge_point_id, unharmed },
            Date.parse(wentAway),
            check,
          ),
    neighbours,
  }
}

type Line = ReturnType<typeof attemptView>

const nothingWrong = { cause: 'Nothing is wrong: the charge point is connected.', steps: ['There is nothing to do.'] }

/** It has done what the checks are about. */
const notBooted = {
  cause: 'The charge point is connected, and has sent no BootNotification: what it is is not known.',
  steps: [
    'Restart it.',
    'If it stays silent, see that it is set to OCPP 1.6 with JSON (OCPP 1.6-J), subprotocol ocpp1.6, or ask its manufacturer.',
  ],
}

function seenOf(chargePoint: ChargePoint, state: ChargePointState | undefined) {
  return {
    chargePointId: chargePoint.charge_point_id,
    hasPassword: chargePoint.authorization_key !== undefined,
    ...(state?.offers_subprotocol !== undefined && { offersSubprotocol: state.offers_subprotocol }),
    ...(state?.security_profile !== undefined && { securityProfile: state.security_profile }),
  }
}

function arrivalOf(
  state: ChargePointState | undefined,
  online: boolean,
  refused: Line | undefined,
  absence: Absence,
): Arrival {
  if (online && state?.connected_at !== undefined)
    return { type: 'online', at: state.connected_at, address: state.remote_address ?? '' }
  if (refused !== undefined)
    return {
      type: 'refused',
      at: refused.last_attempted_at,
      address: refused.remote_address,
      reason: refused.reason,
      cause: refused.cause,
      status: refused.http_status,
    }
  if (state?.connected_at !== undefined && hasLeft(state, absence))
    return {
      type: 'left',
      at: state.connected_at,
      address: state.remote_address ?? '',
      cause: absence.end?.cause ?? '',
    }
  const when = state?.connected_at === undefined ? 'in the last 24 hours' : 'since it was connected last'
  return { type: 'nothing', detail: `Nothing of it has arrived ${when}. ${unseenHandshakes}` }
}

/** Where its attempts stand: under its owner; and under nobody, spelt as it is or in another way, where no other owner's would be spelt so. */
function listsOf(
  view: ReadView,
  chargePoint: ChargePoint,
  possible: readonly PossibleAttempt[],
  asker: Asker,
): readonly AttemptList[] {
  const own = shapeOf(chargePoint.charge_point_id)
  const isOwn = (attempt: ConnectionAttempt) =>
    registeredAs(view, attempt)?.charge_point_id === chargePoint.charge_point_id
  const listOf = (owner: string, shape: string, keep: AttemptList['keep'], isWhole: boolean): AttemptList => ({
    index: 'byShape',
    group: [owner],
    prefix: [shape],
    keep,
    isWhole,
    repeated: ['shape', owner, shape],
  })
  const isAlone = !isLikeOthers(view, own, 'same', asker)
  const serial = possible.find(({ match }) => match === 'serial_number')
  const isUnknown = (attempt: ConnectionAttempt) => registeredAs(view, attempt) === undefined
  return [
    ...[...asker.owners].map((owner) => listOf(owner, own, isOwn, isOnlyOwn(possible))),
    listOf('', own, (attempt) => isOwn(attempt) || (isAlone && isUnknown(attempt)), isAlone),
    ...(serial === undefined || attemptOwner(serial.newest) !== ''
      ? []
      : [listOf('', shapeOf(serial.newest.charge_point_id), isUnknown, true)]),
  ]
}

/** Whether nothing suggests that another charge point of the owner is spelt nearly so. */
const isOnlyOwn = (possible: readonly PossibleAttempt[]): boolean =>
  new Set(possible.filter(({ match }) => match === 'id').map(({ newest }) => newest.charge_point_id.toLowerCase()))
    .size <= 1

function addressKnown(attempt: ConnectionAttempt, possible: readonly PossibleAttempt[], { seesAll }: Asker): boolean {
  return (
    seesAll ||
    possible.some(({ newest, isAddressKnown }) => isAddressKnown && newest.remote_address === attempt.remote_address)
  )
}

export const connectionDiagnosisRoutes = [getConnectionDiagnosis]
