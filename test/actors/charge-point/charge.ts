// A charge at a charge point that sells at a tariff: what tests of costs do over and over.

import { organizationsTable } from '../../../src/records/organization.js'
import { type Session, sessionsTable } from '../../../src/records/session.js'
import { type SessionCost, sessionCostsTable } from '../../../src/records/session-cost.js'
import { type Tariff, tariffAssignmentsTable, tariffsTable } from '../../../src/records/tariff.js'
import { tariff } from '../../pricing/examples.js'
import { type ActorOverStore, actorOverStore } from './actor-over-store.js'

export const minuteMs = 60_000

export interface Charging extends ActorOverStore {
  /** Lets wall time pass. */
  pass(milliseconds: number): void
  now(): string
  /** Starts now on connector 1; resolves with the transaction id. */
  start(fields?: object): Promise<number>
  stop(transactionId: number, fields?: object): Promise<void>
  meter(transactionId: number, wattHours: number | string, socket?: number): Promise<void>
  status(status: string, fields?: object): Promise<void>
  session(transactionId: number): Session
  cost(transactionId: number): SessionCost | undefined
}

/** A booted charge point CP-1; with `sold` as its tariff. */
export async function charging(sold?: Partial<Tariff>, timeZone?: string): Promise<Charging> {
  const actor = await actorOverStore('CP-1')
  const at = new Date(actor.clock.wall).toISOString()
  await actor.put(organizationsTable, {
    organization_id: 'org_1',
    version: 1,
    name: 'Example',
    country: 'NL',
    contact_email: 'operations@example.com',
    plan: 'enterprise',
    unknown_id_tags: 'accept',
    ...(timeZone !== undefined && { time_zone: timeZone }),
    created_at: at,
    updated_at: at,
  })
  if (sold !== undefined) {
    await actor.put(tariffsTable, tariff(sold))
    const assignment = { charge_point_id: 'CP-1', organization_id: 'org_1', version: 1, assigned_at: at }
    await actor.put(tariffAssignmentsTable, { ...assignment, tariff_id: 'trf_1' })
  }
  await actor.attach(1, 100)
  await actor.call(1, 'BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' })
  const now = (): string => new Date(actor.clock.wall).toISOString()
  const session = (transactionId: number): Session => {
    const [found] = actor.view().listBy(sessionsTable, 'byTransaction', [transactionId])
    if (found === undefined) throw new Error(`there is no session of transaction ${transactionId}`)
    return found
  }
  return {
    ...actor,
    now,
    session,
    pass(milliseconds) {
      actor.clock.wall += milliseconds
      actor.clock.monotonic += milliseconds
    },
    async start(fields) {
      const started = { connectorId: 1, idTag: 'TAG-1', meterStart: 1_000, timestamp: now(), ...fields }
      return Number((await actor.call(1, 'StartTransaction', started)).transactionId)
    },
    async stop(transactionId, fields) {
      await actor.call(1, 'StopTransaction', { transactionId, meterStop: 11_000, timestamp: now(), ...fields })
    },
    async meter(transactionId, wattHours, socket = 1) {
      const meterValue = [{ timestamp: now(), sampledValue: [{ value: String(wattHours) }] }]
      await actor.call(socket, 'MeterValues', { connectorId: 1, transactionId, meterValue })
    },
    async status(status, fields) {
      const told = { connectorId: 1, status, errorCode: 'NoError', timestamp: now(), ...fields }
      await actor.call(1, 'StatusNotification', told)
    },
    cost: (transactionId) => actor.view().get(sessionCostsTable, [session(transactionId).session_id]),
  }
}
