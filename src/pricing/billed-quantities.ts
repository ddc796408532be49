// How much of each component a session is billed: grace first, then step_size, on totals and once per session (OCPI 2.2.1, 11.4.2).
// Whole mWh and ms throughout, so that rounding up is exact.

import { limits } from './limits.js'
import type { MeasuredSession } from './session-facts.js'
import type { ComponentType, SnapshotComponent } from './tariff-terms.js'

export interface BilledQuantity {
  readonly component: SnapshotComponent
  /** mWh, ms or 1 (flat). */
  readonly measured: number
  /** Idle only: what is free. */
  readonly grace: number
  readonly billed: number
  /** false: a step_size that does not apply, as idle time was rounded instead. */
  readonly rounded: boolean
}

function boundedNumber(value: number, highest: number): number {
  return Number.isFinite(value) ? Math.max(0, Math.min(highest, value)) : 0
}

/** Bounds are those that the API asks for too; a snapshot beyond them is still priced. */
function boundedComponent(component: SnapshotComponent): SnapshotComponent {
  return {
    type: component.type,
    price: boundedNumber(component.price, limits.price),
    step_size: Math.max(1, Math.floor(boundedNumber(component.step_size, limits.stepSize))),
    grace_minutes: boundedNumber(component.grace_minutes, limits.graceMinutes),
  }
}

/** The smallest multiple of `step` that is not below `quantity`. */
export function roundedUp(quantity: number, step: number): number {
  const over = quantity % step
  return over === 0 ? quantity : quantity + step - over
}

/** What a tariff says of idle time: whether it has a price of its own, and whether some of it is billed here. */
interface IdleTime {
  readonly isPriced: boolean
  readonly isBilled: boolean
}

function quantityOf(component: SnapshotComponent, session: MeasuredSession, idle: IdleTime): BilledQuantity {
  const step = component.step_size * 1000
  switch (component.type) {
    case 'energy': {
      const measured = session.energy.milliwattHours
      return { component, measured, grace: 0, billed: roundedUp(measured, step), rounded: true }
    }
    case 'time': {
      // From start to stop, but for what the tariff bills as idle time.
      const measured = session.durationMs - (idle.isPriced ? session.idleMs : 0)
      const billed = idle.isBilled ? measured : roundedUp(measured, step)
      return { component, measured, grace: 0, billed, rounded: !idle.isBilled }
    }
    case 'idle': {
      const measured = session.idleMs
      const grace = Math.min(measured, Math.round(component.grace_minutes * 60_000))
      return { component, measured, grace, billed: roundedUp(measured - grace, step), rounded: true }
    }
    default:
      return { component, measured: 1, grace: 0, billed: 1, rounded: false }
  }
}

/** Of two components of one type the first counts, as with OCPI's elements; the others come back as unused. */
export function billedQuantities(components: readonly SnapshotComponent[], session: MeasuredSession) {
  const used = new Map<ComponentType, SnapshotComponent>()
  const unused: SnapshotComponent[] = []
  for (const component of components) {
    if (used.has(component.type)) unused.push(component)
    else used.set(component.type, boundedComponent(component))
  }
  const priced = used.get('idle')
  const isPriced = priced !== undefined
  const isBilled = isPriced && quantityOf(priced, session, { isPriced, isBilled: true }).billed > 0
  const idle: IdleTime = { isPriced, isBilled }
  return { quantities: [...used.values()].map((component) => quantityOf(component, session, idle)), unused }
}
