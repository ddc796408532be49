// Why a charge point does not come online, in one answer: the check that stops it, what to do, what probably led to it, its attempts, and how its
// neighbours are. Also for an id that nobody has registered and that knocks all the same, for whoever has it in its list.

import { type Static, Type } from 'typebox'
import { checks, isRefusalReason, refusalReasons } from '../../../edge/refusal-reasons.js'
import { type ChargePoint, chargePointsTable } from '../../../records/charge-point.js'
import type { ChargePointState } from '../../../records/charge-point-state.js'
import { attemptOwner, type ConnectionAttempt } from '../../../records/connection-attempt.js'
import { shapeOf } from '../../../records/id-shape.js'
import { isOnline } from '../../../records/presence.js'
import { notFound } from '../../../runtime/errors.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { area, chargePoints } from '../charge-points/area.js'
import { endpointOf, stateOf } from '../charge-points/charge-points.js'
import { askerOf } from './asker.js'
import { attemptView, possibleAttempt } from './attempt-words.js'
import { type AttemptList, attemptsByHour, firstAttempt, newestAttempts } from './attempts-of.js'
import { closeView } from './close-words.js'
import { absenceOf, explain, isSure, whatToCheck } from './connection-status.js'
import { type Arrival, ladderOf, outcomes, unseenHandshakes } from './ladder.js'
import { neighbourSchema, neighboursAt, neighboursOf } from './neighbours.js'
import { type PossibleAttempt, possibleAttempts } from './possible-attempts.js'
import { probableCause, probableCauseSchema } from './probable-cause.js'
import { refusedWords } from './refused-words.js'
import { type Asker, isLikeOthers, registeredAs } from './whose-attempt.js'

const lastAttempt = Type.Object({
  attempt_id: Type.String(),
  at: timestamp(),
  charge_point_id: Type.String({ description: 'The id that was sent, shortened.' }),
  remote_address: nullable(Type.String()),
  reason: Type.String(),
  cause: Type.String(),
  advice: Type.String({ description: 'What the charge point was answered.' }),
  http_status: Type.Integer(),
})

const connectionDiagnosis = named('ConnectionDiagnosis', {
  charge_point_id: Type.String(),
  registered: Type.Boolean(),
  online: Type.Boolean(),
  since: nullable(timestamp('Since when it is connected, or since when it is not, as far as that is known.')),
  stages: Type.Array(
    Type.Object({
      stage: Type.Enum([...checks]),
      outcome: Type.Enum([...outcomes], {
        description:
          '`not_asked`: it does not apply to this charge point, or was not looked at. `not_reached`: the charge point has not come that far.',
      }),
      at: nullable(timestamp()),
      detail: Type.String(),
    }),
    {
      description:
        'What is looked at when the charge point connects, in this order. Of what fails before a connection is made, nothing can be known: a failed TLS handshake is never seen.',
    },
  ),
  cause: Type.String({ description: 'What is wrong, in plain words.' }),
  advice: Type.String({ description: 'What to do about it, in plain words.' }),
  explanation: Type.String({ description: 'The whole in a few sentences.' }),
  ocpp_endpoint: Type.String({ description: 'The address that has to be set in the charge point.' }),
  refused_since: nullable(timestamp('The first refusal since it was connected last, of the last 24 hours.')),
  attempts_24h: Type.Array(
    Type.Object({ at: timestamp('When the hour begins.'), count: Type.Integer({ minimum: 0 }) }),
    { description: 'Refused attempts by the hour.' },
  ),
  last: Type.Array(lastAttempt, { description: 'The newest refused attempts, the newest first.' }),
  similar: Type.Array(possibleAttempt, {
    description: 'Refused attempts that could be of this charge point, but need not be.',
  }),
  probable_cause: probableCauseSchema,
  neighbours: Type.Array(neighbourSchema),
})

type Diagnosis = Static<typeof connectionDiagnosis>

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
  const refused = online
    ? undefined
    : shown.find((line) => isSure(line) && Date.parse(line.last_attempted_at) >= sinceMs)
  const first = refused === undefined ? undefined : firstAttempt(view, lists, sinceMs)
  const check =
    refused !== undefined && isRefusalReason(refused.reason) ? refusalReasons[refused.reason].check : undefined
  const wentAway = first?.attempted_at ?? absence.endedAt
  const words = wordsOf(online, refused, absence.end, endpoint)
  const address = refused?.remote_address ?? state?.remote_address
  return {
    charge_point_id,
    registered: true,
    online,
    since: since ?? null,
    stages: [...ladderOf(seenOf(chargePoint, state), arrivalOf(state, online, refused))],
    ...words,
    explanation: explain({ state, isConnected: online, attempts: shown, lastClose, endpoint }, services),
    ocpp_endpoint: endpoint,
    refused_since: first?.attempted_at ?? null,
    attempts_24h: await attemptsByHour(reads, lists, services.clock.now()),
    last: last.map((attempt) => lastView(attempt, endpoint, addressKnown(attempt, possible, asker))),
    similar: shown.filter((line) => !isSure(line)),
    probable_cause:
      online || wentAway === undefined
        ? null
        : probableCause(
            view,
            { organizationId: organization_id, chargePointId: charge_point_id },
            Date.parse(wentAway),
            check,
          ),
    neighbours: neighboursOf(chargePoint, address ?? undefined, services),
  }
}

type Line = ReturnType<typeof attemptView>

function seenOf(chargePoint: ChargePoint, state: ChargePointState | undefined) {
  return {
    chargePointId: chargePoint.charge_point_id,
    hasPassword: chargePoint.authorization_key !== undefined,
    ...(state?.security_profile !== undefined && { securityProfile: state.security_profile }),
  }
}

function arrivalOf(state: ChargePointState | undefined, online: boolean, refused: Line | undefined): Arrival {
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
  const when = state?.connected_at === undefined ? 'in the last 24 hours' : 'since it was connected last'
  return { type: 'nothing', detail: `Nothing of it has arrived ${when}. ${unseenHandshakes}` }
}

function wordsOf(
  online: boolean,
  refused: Line | undefined,
  end: { readonly cause: string; readonly remedy: string } | undefined,
  endpoint: string,
): Pick<Diagnosis, 'cause' | 'advice'> {
  if (online) return { cause: 'Nothing is wrong: the charge point is connected.', advice: 'There is nothing to do.' }
  if (refused !== undefined) return { cause: refused.cause, advice: refused.remedy }
  if (end !== undefined) return { cause: end.cause, advice: `${end.remedy} ${whatToCheck(endpoint)}` }
  return { cause: 'Nothing of the charge point arrives.', advice: whatToCheck(endpoint) }
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

function lastView(attempt: ConnectionAttempt, endpoint: string, isAddressKnown: boolean): Diagnosis['last'][number] {
  const { attempt_id, charge_point_id, remote_address, reason, advice, http_status, attempted_at } = attempt
  return {
    attempt_id,
    at: attempted_at,
    charge_point_id,
    remote_address: isAddressKnown ? remote_address : null,
    reason,
    cause: refusedWords(reason, endpoint, false).cause,
    advice,
    http_status,
  }
}

/** Throws `not_found` as for any id that is not there. */
async function diagnoseUnregistered(
  id: string,
  organizationId: string,
  asker: Asker,
  services: Services,
): Promise<Diagnosis> {
  const view = services.view()
  const list: AttemptList = {
    index: 'byChargePoint',
    group: [organizationId, id],
    prefix: [],
    keep: ({ is_unknown }) => is_unknown === true,
    isWhole: true,
  }
  const last = asker.seesAll && !isRegistered(view, id) ? newestAttempts(view, [list]) : []
  const [newest] = last
  if (newest === undefined) throw notFound('there is no such charge point', { chargePointId: id })
  const endpoint = endpointOf(services.config, id)
  const { cause, remedy } = refusedWords(newest.reason, endpoint, false)
  const arrival: Arrival = {
    type: 'refused',
    at: newest.attempted_at,
    address: newest.remote_address,
    reason: newest.reason,
    cause,
    status: newest.http_status,
  }
  const reads = { view, begin: services.longReads.of(organizationId) }
  return {
    charge_point_id: id,
    registered: false,
    online: false,
    since: null,
    stages: [...ladderOf({ chargePointId: id, hasPassword: false }, arrival)],
    cause,
    advice: remedy,
    explanation: `An id that nobody has registered tries to connect. ${cause} ${remedy}`,
    ocpp_endpoint: endpoint,
    refused_since: firstAttempt(view, [list], 0)?.attempted_at ?? null,
    attempts_24h: await attemptsByHour(reads, [list], services.clock.now()),
    last: last.map((attempt) => lastView(attempt, endpoint, true)),
    similar: [],
    probable_cause: probableCause(
      view,
      { organizationId, chargePointId: id },
      Date.parse(newest.attempted_at),
      'registered',
    ),
    neighbours: neighboursAt(organizationId, newest.remote_address, services),
  }
}

function isRegistered(view: ReadView, id: string): boolean {
  return (
    view.get(chargePointsTable, [id]) !== undefined ||
    view.listBy(chargePointsTable, 'byFoldedId', [id.toLowerCase()], { limit: 1 }).length > 0
  )
}

export const connectionDiagnosisRoutes = [getConnectionDiagnosis]
