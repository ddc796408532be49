// Publishes that an organization has a new charge point, that what it says of one has changed, or that one was deleted: in the commit of the change.
// Charge points of installers that no organization has claimed are not published.

import { chargePointChanged, chargePointRegistered, chargePointRemoved } from '../../../events/charge-point.js'
import { publishedFields } from '../../../events/charge-point-fields.js'
import { domainEvent } from '../../../events/define-event.js'
import { type ChargePoint, isUnclaimed } from '../../../records/charge-point.js'
import type { DomainEvent } from '../../../runtime/actor/actor.js'
import { eventChange } from '../../../runtime/actor/outbox.js'
import type { Change } from '../../../runtime/store/store.js'
import type { Draft } from '../../pipeline/draft.js'
import type { Services } from '../../pipeline/services.js'

const aboutOf = ({ organization_id, charge_point_id }: ChargePoint) => ({
  organizationId: organization_id,
  subject: charge_point_id,
})

function publish(draft: Draft, event: DomainEvent, now: number): void {
  draft.add({ changes: [eventChange(event, now)] })
}

/** As a change of the commit with which an organization comes to have the charge point. */
export function registeredChange(stored: ChargePoint, now: number): Change {
  const { charge_point_id, name } = stored
  const data = { charge_point_id, name, registered_at: new Date(now).toISOString() }
  return eventChange(domainEvent(chargePointRegistered, aboutOf(stored), data), now)
}

export function publishRegistered(draft: Draft, stored: ChargePoint, { clock }: Pick<Services, 'clock'>): void {
  draft.add({ changes: [registeredChange(stored, clock.now())] })
}

/** Nothing, where only what is not published has changed. */
export function publishChanged(
  draft: Draft,
  before: ChargePoint,
  stored: ChargePoint,
  { clock }: Pick<Services, 'clock'>,
): void {
  if (isUnclaimed(stored) || before.organization_id !== stored.organization_id) return
  const fieldOf = (row: ChargePoint, field: string): unknown => (row as unknown as Record<string, unknown>)[field]
  const changed = publishedFields.filter((field) => fieldOf(before, field) !== fieldOf(stored, field))
  if (changed.length === 0) return
  const now = clock.now()
  const data = { charge_point_id: stored.charge_point_id, changed, changed_at: new Date(now).toISOString() }
  publish(draft, domainEvent(chargePointChanged, aboutOf(stored), data), now)
}

export function publishRemoved(draft: Draft, removed: ChargePoint, { clock }: Pick<Services, 'clock'>): void {
  if (isUnclaimed(removed)) return
  const now = clock.now()
  const data = { charge_point_id: removed.charge_point_id, removed_at: new Date(now).toISOString() }
  publish(draft, domainEvent(chargePointRemoved, aboutOf(removed), data), now)
}
