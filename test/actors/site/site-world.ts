// A site's actor in its host, over the store in memory and a clock that only moves when told, with charge points that are only physics: what
// limits they hold, and what their cars draw by them. What the actor believes is nowhere asked.

import { pino } from 'pino'
import { chargePointKind } from '../../../src/actors/charge-point/messages.js'
import { fleetPower } from '../../../src/actors/fleet-power/fleet-power.js'
import { fleetPowerKind } from '../../../src/actors/fleet-power/messages.js'
import { siteAddress } from '../../../src/actors/messages/site.js'
import type { SiteReply } from '../../../src/actors/site/messages.js'
import { createSiteActor } from '../../../src/actors/site/site.js'
import type { AllocationView } from '../../../src/actors/site/view.js'
import type { ClearChargingProfileRequest, SetChargingProfileRequest } from '../../../src/ocpp16/index.js'
import type { PhaseRotation } from '../../../src/power/electricity.js'
import { chargePointsTable } from '../../../src/records/charge-point.js'
import { type ChargePointState, chargePointStatesTable } from '../../../src/records/charge-point-state.js'
import { tables } from '../../../src/records/index.js'
import { alone } from '../../../src/records/presence.js'
import { type Site, sitesTable } from '../../../src/records/site.js'
import { type SiteConfiguration, siteConfigurationsTable } from '../../../src/records/site-configuration.js'
import { createActorHost } from '../../../src/runtime/actor/actor-host.js'
import type { AnyActorDefinition } from '../../../src/runtime/actor/actor-host-ports.js'
import { createWakeUpSweep } from '../../../src/runtime/actor/wake-ups.js'
import { encodeRow } from '../../../src/runtime/codec.js'
import { openMemoryStore } from '../../../src/runtime/store/memory-store.js'
import { unowned } from '../../../src/runtime/store/store.js'
import type { Table } from '../../../src/runtime/store/table.js'
import { createFakeClock } from '../../support/fake-clock.js'
import { ownPartitions } from '../../support/own-partitions.js'
import { registeredRow } from '../../support/registration.js'

export const siteId = 'sit_1'
const volts = 230
const connectorId = 1

/** How a charge point answers a limit. */
export type Manner =
  | 'obeys'
  /** It does not show its limits when it is asked for them. */
  | 'hides'
  /** It clears everything, whatever it is asked to clear. */
  | 'clears-all'
  | 'clears-nothing'
  | 'obeys-in-lower-case'
  | 'refuses-tx'
  | 'refuses-amperes'
  | 'refuses-zero'
  | 'refuses-all'

export interface ChargerOptions {
  readonly phases: 1 | 3
  readonly rotation: PhaseRotation
  readonly maxPowerKw: number
  readonly manner: Manner
}

/** What becomes of the next call: it is answered, its answer is lost, or it is lost itself. */
/** `failed`: it was carried out, and answered with an error. */
export type Fate = 'answered' | 'answer-lost' | 'lost' | 'failed'

interface Charger extends ChargerOptions {
  readonly id: string
  manner: Manner
  site: string
  isOnline: boolean
  epoch: number
  bootedAt: string
  firmwareVersion: string
  /** Amperes per phase, of the standing profile and of that of the connector; undefined: none. */
  standing: number | undefined
  connector: number | undefined
  /** What others have set for the connector: in force where nothing is for the transaction. */
  ofOthers: number | undefined
  /** When the profile of the connector ends, ms. */
  connectorEnds: number
  /** The car's session: `known`, whether the service has heard of it. */
  session: { readonly number: number; isKnown: boolean; readonly carPhases: 1 | 3 } | undefined
  /** What its meter has shown last. */
  shown: { readonly watts: number; readonly phases: number; readonly reading: number } | undefined
  readonly calls: { readonly commandId: string; readonly action: string; readonly payload: Payload }[]
}

type Payload = SetChargingProfileRequest & ClearChargingProfileRequest

export type SiteWorld = Awaited<ReturnType<typeof siteWorld>>

export async function siteWorld(
  options: readonly ChargerOptions[],
  configuration: Partial<SiteConfiguration> & Pick<SiteConfiguration, 'max_power_kw'>,
  { at, site = {} }: { readonly at?: string; readonly site?: Partial<Site> } = {},
) {
  const clock = createFakeClock()
  if (at !== undefined) clock.set(Date.parse(at))
  const store = openMemoryStore(tables)
  const bootedAt = new Date(clock.now()).toISOString()
  let sessions = 0
  let readings = 0
  let reply: SiteReply | undefined
  /** Charge points that the site wants a report of. */
  const reporting = new Set<string>()
  const chargers = options.map(
    (given, index): Charger => ({
      ...given,
      id: `CP-${index + 1}`,
      site: siteId,
      isOnline: true,
      epoch: 1,
      bootedAt,
      firmwareVersion: '1.0',
      standing: undefined,
      connector: undefined,
      ofOthers: undefined,
      connectorEnds: Number.POSITIVE_INFINITY,
      session: undefined,
      shown: undefined,
      calls: [],
    }),
  )
  const byId = new Map(chargers.map((charger) => [charger.id, charger]))

  async function put<Row>(table: Table<Row>, row: Row): Promise<void> {
    await store.commit(unowned([{ type: 'put', table: table.name, key: table.key(row), row: encodeRow(row) }]))
  }

  async function configure(change: Partial<SiteConfiguration>, site = siteId): Promise<void> {
    await put(siteConfigurationsTable, {
      site_id: site,
      organization_id: 'org_1',
      version: 1,
      strategy: 'equal',
      min_power_kw: 1.4,
      priority_order: [],
      schedule: [],
      updated_at: bootedAt,
      ...configuration,
      ...change,
    })
  }

  async function build(id: string, fields: Partial<Site> = {}): Promise<void> {
    await put(sitesTable, {
      site_id: id,
      organization_id: 'org_1',
      version: 1,
      name: 'Quayside',
      address: 'Somewhere 1',
      max_grid_power_kw: 1_000,
      latitude: 0,
      longitude: 0,
      created_at: bootedAt,
      updated_at: bootedAt,
      ...fields,
    })
    await configure({}, id)
  }

  async function register({ id, site, phases, rotation, maxPowerKw }: Charger, isLinked = true): Promise<void> {
    const wiring = { phases, phase_rotation: rotation, connector_count: 1, max_power_kw: maxPowerKw }
    await put(chargePointsTable, registeredRow(id, { ...(isLinked && { site_id: site }), ...wiring }))
  }

  async function storeState(
    { id, bootedAt, firmwareVersion, isOnline, epoch }: Charger,
    connected = isOnline,
  ): Promise<void> {
    const boot = { vendor: 'Example', model: 'Wall Box', firmware_version: firmwareVersion, booted_at: bootedAt }
    await put(chargePointStatesTable, {
      charge_point_id: id,
      organization_id: 'org_1',
      run: 1,
      connected,
      connection_epoch: epoch,
      registration: 'Accepted',
      connectors: [],
      power_watts: 0,
      boot,
    } as unknown as ChargePointState)
  }

  await build(siteId, site)
  for (const charger of chargers) {
    await register(charger)
    await storeState({ ...charger, epoch: 0 }, false)
  }

  const start = () =>
    createActorHost({
      definitions: [createSiteActor({ live: alone(1).live }), fleetPower] as unknown as readonly AnyActorDefinition[],
      store,
      partitions: ownPartitions(),
      clock,
      random: () => 0.5,
      log: pino({ level: 'silent' }),
      passivateAfterMs: 1_000,
      ports: {
        send(to, message) {
          if (to.kind === chargePointKind && (message as { readonly type: string }).type === 'call')
            byId.get(to.id)?.calls.push(message as Charger['calls'][number])
          if (to.kind === chargePointKind && (message as { readonly type: string }).type === 'report-to-site')
            reporting.add(to.id)
          if (to.kind === fleetPowerKind) host.deliver(to, { message })
        },
        reply: (_to, body) => {
          if (body.ok) reply = body.body as SiteReply
        },
        frame() {},
        close() {},
        done() {},
        runJob: async () => ({ ok: false, message: 'there are no jobs here' }),
        connectionOf: () => undefined,
      },
    })
  let host = start()
  const partitions = ownPartitions()
  const sweepOf = () => createWakeUpSweep({ view: store.view, clock, partitions, owner: 0, host })
  let wakeUps = sweepOf()

  async function settle(): Promise<void> {
    host.run()
    while (host.statistics().mailbox + host.statistics().committing > 0)
      await new Promise((resolve) => setImmediate(resolve))
  }

  async function deliver(message: unknown, site = siteId): Promise<void> {
    host.deliver(siteAddress(site), { message })
    await settle()
  }

  const limitOf = ({ connector, connectorEnds, ofOthers, standing }: Charger): number | undefined =>
    connector !== undefined && clock.now() < connectorEnds ? connector : (ofOthers ?? standing)

  /** Amperes on each of the phases that its car has; what it cannot charge with, it does not take. */
  function drawnAmperes(charger: Charger): number {
    if (charger.session === undefined) return 0
    const full = (charger.maxPowerKw * 1000) / volts / charger.phases
    const amperes = Math.min(full, limitOf(charger) ?? full)
    return amperes < 6 ? 0 : amperes
  }

  /** Watts that a charge point may come to draw without another word: by its car, or by another that takes its place on all phases. */
  function couldDrawOf(charger: Charger): number {
    const { session, maxPowerKw, phases, manner, ofOthers, standing } = charger
    const full = (maxPowerKw * 1000) / volts / phases
    const most = (limit: number | undefined): number => Math.min(full, limit ?? full)
    const own = session === undefined ? 0 : most(limitOf(charger)) * carPhases(charger)
    // A limit that is set as a TxDefaultProfile stays for the next car.
    const next = most(manner === 'refuses-tx' ? limitOf(charger) : (ofOthers ?? standing)) * phases
    return Math.max(own, next) * volts
  }

  function carPhases({ session, phases }: Charger): number {
    return Math.min(phases, session?.carPhases ?? phases)
  }

  /** `draw`: what its meter shows; true for what its car draws. */
  async function report(
    charger: Charger,
    draw: boolean | { readonly watts: number; readonly phases: number } = false,
  ): Promise<void> {
    const { id, site, isOnline, epoch, session } = charger
    await storeState(charger)
    if (isOnline && session !== undefined) session.isKnown = true
    const isCharging = session?.isKnown === true
    const metered = { watts: drawnAmperes(charger) * volts * carPhases(charger), phases: carPhases(charger) }
    if (draw !== false) charger.shown = { ...(draw === true ? metered : draw), reading: ++readings }
    if (!isCharging) charger.shown = undefined
    const { shown } = charger
    const message = {
      type: 'charger-report',
      chargePointId: id,
      isReady: isOnline,
      epoch,
      bootedAt: charger.bootedAt,
      sessions: isCharging
        ? [{ sessionId: `ses_${session?.number}`, transactionId: session?.number, connectorId }]
        : [],
      draws: isCharging && shown !== undefined ? [{ connectorId, ...shown }] : [],
    }
    await deliver(message, site)
  }

  function isTaken({ manner }: Charger, { csChargingProfiles: profile }: SetChargingProfileRequest): boolean {
    const { chargingRateUnit, chargingSchedulePeriod } = profile.chargingSchedule
    if (manner === 'refuses-all') return false
    if (manner === 'refuses-tx' && profile.chargingProfilePurpose === 'TxProfile') return false
    if (manner === 'refuses-amperes' && chargingRateUnit === 'A') return false
    return !(manner === 'refuses-zero' && chargingSchedulePeriod[0]?.limit === 0)
  }

  function apply(
    charger: Charger,
    { connectorId: place, csChargingProfiles: profile }: SetChargingProfileRequest,
  ): void {
    const { chargingRateUnit, chargingSchedulePeriod, duration, startSchedule } = profile.chargingSchedule
    const { limit = 0, numberPhases = 3 } = chargingSchedulePeriod[0] ?? {}
    const amperes = chargingRateUnit === 'A' ? limit : limit / volts / Math.min(numberPhases, charger.phases)
    if (place === 0) {
      charger.standing = amperes
      return
    }
    if (profile.chargingProfilePurpose === 'TxProfile' && charger.session?.number !== profile.transactionId) return
    if (profile.chargingProfilePurpose === 'TxDefaultProfile') charger.ofOthers = undefined
    charger.connector = amperes
    charger.connectorEnds =
      duration === undefined ? Number.POSITIVE_INFINITY : Date.parse(startSchedule ?? '') + duration * 1000
  }

  function clear(charger: Charger, { connectorId: place }: ClearChargingProfileRequest): { readonly status: string } {
    const isAll = charger.manner === 'clears-all'
    const had = [charger.connector, charger.ofOthers, ...(isAll || place === 0 ? [charger.standing] : [])]
    if (isAll || place === 0) charger.standing = undefined
    if (isAll || place === connectorId) Object.assign(charger, { connector: undefined, ofOthers: undefined })
    return { status: had.some((limit) => limit !== undefined) ? 'Accepted' : 'Unknown' }
  }

  function composite(charger: Charger): object {
    const limit = charger.manner === 'hides' ? undefined : limitOf(charger)
    const chargingSchedule = { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit }] }
    return limit === undefined ? { status: 'Rejected' } : { status: 'Accepted', connectorId, chargingSchedule }
  }

  return {
    clock,
    chargers,
    view: store.view,
    put,
    configure: async (change: Partial<SiteConfiguration>) => {
      await configure(change)
      await deliver({ type: 'site-changed' })
    },
    /** Its configuration is removed, and the actor hears of it so often before the store has taken what it makes of that. */
    async unmanage(times = 1): Promise<void> {
      await store.commit(unowned([{ type: 'remove', table: siteConfigurationsTable.name, key: [siteId] }]))
      for (let time = 0; time < times; time++) host.deliver(siteAddress(siteId), { message: { type: 'site-changed' } })
      await settle()
    },
    report,
    /** Its connection ends, and the report is lost with a shard. */
    async loseUnheard(charger: Charger): Promise<void> {
      charger.isOnline = false
      await storeState(charger)
    },
    /** Stored, and the site is not notified. */
    configureUnheard: (change: Partial<SiteConfiguration>) => configure(change),
    /** Another site with the same configuration. */
    build,
    /** From its site to another, whether or not a car charges there. */
    async move(charger: Charger, to: string): Promise<void> {
      const from = charger.site
      charger.site = to
      await register(charger)
      for (const site of [from, to]) await deliver({ type: 'site-changed' }, site)
      await report(charger, true)
    },
    /** The oldest call of a charge point meets its fate. */
    async answer(charger: Charger, fate: Fate = 'answered'): Promise<void> {
      const call = charger.calls.shift()
      if (call === undefined) return
      const end = (outcome: unknown) =>
        deliver({ type: 'call-ended', commandId: call.commandId, outcome }, charger.site)
      if (!charger.isOnline) return end({ type: 'offline' })
      if (fate === 'lost') return end({ type: 'timeout' })
      if (call.action !== 'SetChargingProfile') {
        if (call.action === 'ClearChargingProfile' && charger.manner === 'clears-nothing')
          return end({ type: 'call-error', code: 'NotImplemented', description: '', details: {}, responseTimeMs: 20 })
        const payload = call.action === 'ClearChargingProfile' ? clear(charger, call.payload) : composite(charger)
        return end(fate === 'answer-lost' ? { type: 'timeout' } : { type: 'answered', payload, responseTimeMs: 20 })
      }
      const isOver =
        call.payload.csChargingProfiles.chargingProfilePurpose === 'TxProfile' &&
        charger.session?.number !== call.payload.csChargingProfiles.transactionId
      const status = isTaken(charger, call.payload) && !isOver ? 'Accepted' : 'Rejected'
      if (status === 'Accepted') apply(charger, call.payload)
      const failed = { type: 'call-error', code: 'InternalError', description: '', details: {}, responseTimeMs: 20 }
      if (fate === 'failed' && status === 'Accepted') return end(failed)
      if (fate === 'answer-lost') return end({ type: 'timeout' })
      const said = charger.manner === 'obeys-in-lower-case' ? status.toLowerCase() : status
      return end({ type: 'answered', payload: { status: said }, responseTimeMs: 20 })
    },
    /** All calls of a charge point are answered, and of no other. */
    async answerOnly(charger: Charger): Promise<void> {
      while (charger.calls.length > 0) await this.answer(charger)
    },
    /** All calls are answered until there are none. */
    async answerAll(): Promise<void> {
      while (chargers.some(({ calls }) => calls.length > 0)) for (const charger of chargers) await this.answer(charger)
    },
    async plug(charger: Charger, phases: 1 | 3): Promise<void> {
      if (charger.session !== undefined) return
      charger.session = { number: ++sessions, isKnown: false, carPhases: phases }
      if (charger.isOnline) await report(charger)
    },
    async unplug(charger: Charger): Promise<void> {
      if (charger.session === undefined) return
      charger.session = undefined
      if (charger.manner !== 'refuses-tx') charger.connector = undefined
      if (charger.isOnline) await report(charger)
    },
    async lose(charger: Charger): Promise<void> {
      if (!charger.isOnline) return
      charger.isOnline = false
      for (const { commandId } of charger.calls.splice(0))
        await deliver({ type: 'call-ended', commandId, outcome: { type: 'connection-lost' } })
      await report(charger)
    },
    async comeBack(charger: Charger): Promise<void> {
      if (charger.isOnline) return
      charger.isOnline = true
      charger.epoch += 1
      await report(charger)
    },
    /** It restarts, with or without what it held. */
    async boot(charger: Charger, { forgets = false, firmwareVersion = charger.firmwareVersion } = {}): Promise<void> {
      if (forgets) Object.assign(charger, { standing: undefined, connector: undefined, ofOthers: undefined })
      Object.assign(charger, { firmwareVersion, bootedAt: new Date(clock.now()).toISOString() })
      await report(charger)
    },
    /** It is taken out of the site, or comes into it. */
    async link(charger: Charger, isLinked: boolean): Promise<void> {
      await register(charger, isLinked)
      await deliver({ type: 'site-changed' })
    },
    async pass(seconds: number): Promise<void> {
      for (let second = 0; second < seconds; second++) {
        clock.advance(1_000)
        do wakeUps.sweep()
        while (wakeUps.unfinished)
        host.runTimers()
        await settle()
        for (const id of reporting) {
          reporting.delete(id)
          const charger = byId.get(id)
          if (charger !== undefined) await report(charger)
        }
        host.passivate()
      }
    },
    /** As after the end of its shard: only what is on disk is left, and no answer comes. `areApplied`: what was sent is in force all the same. */
    async restart({ areApplied = false } = {}): Promise<void> {
      host = start()
      wakeUps = sweepOf()
      for (const charger of chargers)
        for (const { action, payload } of charger.calls.splice(0)) {
          if (!areApplied || !charger.isOnline) continue
          if (action === 'ClearChargingProfile') clear(charger, payload)
          if (action === 'SetChargingProfile' && isTaken(charger, payload)) apply(charger, payload)
        }
      for (const charger of chargers) await storeState(charger, false)
      for (const charger of chargers) await report(charger)
    },
    async allocation(): Promise<AllocationView> {
      reply = undefined
      host.deliver(siteAddress(siteId), {
        message: { type: 'describe', organizationId: 'org_1' },
        replyTo: { front: 0, ask: 1 },
      })
      await settle()
      const answer = reply as SiteReply | undefined
      if (answer?.type !== 'allocation') throw new Error(`the site has answered ${answer?.type ?? 'nothing'}`)
      return answer.allocation
    },
    actors: () => host.statistics().actors,
    /** Watts that all cars draw. */
    drawn: () => chargers.reduce((sum, charger) => sum + drawnAmperes(charger) * volts * carPhases(charger), 0),
    /** Watts that all charge points may come to draw. */
    couldDraw: () => chargers.reduce((sum, charger) => sum + couldDrawOf(charger), 0),
    couldDrawOf,
    drawnOf: (charger: Charger) => drawnAmperes(charger) * volts * carPhases(charger),
    /** What a charge point would let a new car have. */
    limitOf,
  }
}
