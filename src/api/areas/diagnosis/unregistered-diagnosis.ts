// Why an id that nobody has registered is refused: for whoever has it in its list, and which of its charge points it may be.

import { chargePointsTable } from '../../../records/charge-point.js'
import { notFound } from '../../../runtime/errors.js'
import type { ReadView } from '../../../runtime/store/store.js'
import type { Services } from '../../pipeline/services.js'
import { endpointOf } from '../charge-points/charge-points.js'
import { type AttemptList, attemptsByHour, firstAttempt, newestAttempts } from './attempts-of.js'
import { type Diagnosis, lastView, said } from './diagnosis-schema.js'
import { type Arrival, ladderOf } from './ladder.js'
import { nearChargePoints, nearWords } from './near-charge-points.js'
import { neighboursAt } from './neighbours.js'
import { probableCause } from './probable-cause.js'
import { unregisteredWords } from './refused-words.js'
import type { Asker } from './whose-attempt.js'

/** Throws `not_found` as for any id that is not there. */
export async function diagnoseUnregistered(
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
    repeated: ['id', organizationId, id],
  }
  const last = asker.seesAll && !isRegistered(view, id) ? newestAttempts(view, [list]) : []
  const [newest] = last
  if (newest === undefined) throw notFound('there is no such charge point', { chargePointId: id })
  const base = endpointOf(services.config, '')
  const hasNoId = newest.reason === 'no_identity'
  const endpoint = hasNoId ? base : endpointOf(services.config, id)
  const near = hasNoId ? [] : nearChargePoints(view, id, organizationId, services)
  // Of a mistyped id, the address is that of the charge point that it is meant for.
  const [meant] = near.length === 1 ? near : []
  const words = unregisteredWords(newest.reason, id, base, newest.remote_address)
  const { cause, remedy } = near.length > 0 && isOfItsId(newest.reason) ? nearWords(id, near) : words
  const arrival: Arrival = {
    type: 'refused',
    at: newest.attempted_at,
    address: newest.remote_address,
    reason: newest.reason,
    cause: words.cause,
    status: newest.http_status,
  }
  const reads = { view, begin: services.longReads.of(organizationId) }
  return {
    charge_point_id: id,
    registered: false,
    online: false,
    since: null,
    stages: [...ladderOf({ chargePointId: id, hasPassword: false }, arrival)],
    ...said({ cause, steps: [remedy] }),
    explanation: `${hasNoId ? '' : 'An id that nobody has registered tries to connect. '}${cause} ${remedy}`,
    ocpp_endpoint: meant === undefined ? endpoint : endpointOf(services.config, meant.charge_point_id),
    refused_since: firstAttempt(view, [list], 0)?.attempted_at ?? null,
    attempts_24h: await attemptsByHour(reads, [list], services.clock.now()),
    last: last.map((attempt) => lastView(attempt, endpoint, true)),
    similar: [],
    differs_from: near,
    lost_together: null,
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

/** Where the id alone is what is wrong. */
const isOfItsId = (reason: string): boolean => reason === 'unknown_charge_point' || reason === 'bad_identity'
