// A partner's actor over the store in memory, in time that passes at once, with a partner that answers as a test says, and a shard that may end
// between any two steps. The objects of OCPI are what a test puts in their place.

import { pino } from 'pino'
import { createOcpiFollowers } from '../../../src/actors/ocpi-partner/followers.js'
import { limits } from '../../../src/actors/ocpi-partner/limits.js'
import {
  type OcpiPartnerMessage,
  ocpiPartnerAddress,
  partnerDeletedWakeUp,
} from '../../../src/actors/ocpi-partner/messages.js'
import { createOcpiPartnerActor } from '../../../src/actors/ocpi-partner/ocpi-partner.js'
import type { PushSource } from '../../../src/actors/ocpi-partner/source.js'
import type { OcpiCall, OcpiOutcome } from '../../../src/ocpi/call.js'
import type { Cdr } from '../../../src/ocpi/schemas/cdr.js'
import type { Location } from '../../../src/ocpi/schemas/location.js'
import { alertsTable } from '../../../src/records/alert.js'
import { tables } from '../../../src/records/index.js'
import { cdrsOfSession } from '../../../src/records/ocpi-cdr.js'
import { type OcpiCommandResult, ocpiCommandResultsTable } from '../../../src/records/ocpi-command-result.js'
import { newestExchanges } from '../../../src/records/ocpi-exchange.js'
import { type OcpiPartner, ocpiPartnersTable } from '../../../src/records/ocpi-partner.js'
import { ocpiCdrPushesTable, ocpiKnownTariffsTable, ocpiProgressTable } from '../../../src/records/ocpi-push.js'
import type { JobOutcome } from '../../../src/runtime/actor/actor.js'
import { createActorHost } from '../../../src/runtime/actor/actor-host.js'
import type { AnyActorDefinition } from '../../../src/runtime/actor/actor-host-ports.js'
import { eventChange } from '../../../src/runtime/actor/outbox.js'
import { wakeUpsTable } from '../../../src/runtime/actor/wake-ups.js'
import { encodeRow } from '../../../src/runtime/codec.js'
import { openMemoryStore } from '../../../src/runtime/store/memory-store.js'
import { type CommitResult, unowned } from '../../../src/runtime/store/store.js'
import type { Table } from '../../../src/runtime/store/table.js'
import { createFakeClock } from '../../support/fake-clock.js'
import { ownPartitions } from '../../support/own-partitions.js'

export const partnerId = 'ocp_1'
export const organizationId = 'org_1'
export const second = 1_000
export const minute = 60 * second
export const hour = 60 * minute
const party = { country_code: 'DE', party_id: 'AMP' }
export const emsp = { country_code: 'NL', party_id: 'EMS' }

export interface Pushed {
  /** Wall ms. */
  readonly at: number
  readonly call: OcpiCall
  /** Path behind the address of the partner. */
  readonly path: string
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what a test checks
  readonly body: any
}

/** HTTP status and status_code, after so long. */
export interface Answered {
  readonly http?: number
  readonly code?: number
  readonly message?: string
  readonly location?: string
  readonly afterMs?: number
}
export type Reaction = Answered | 'never' | 'unreachable' | 'html' | 'no room'

const shown = { request: { headers: {} } }

function outcomeOf(reaction: Reaction, call: OcpiCall): { afterMs: number; outcome: JobOutcome } {
  const value = (milliseconds: number, outcome: object) => ({
    afterMs: milliseconds,
    outcome: { ok: true, value: { ...outcome, milliseconds, shown } as OcpiOutcome } as const,
  })
  if (reaction === 'no room') return { afterMs: 0, outcome: { ok: false, message: 'the queue is full' } }
  if (reaction === 'never') return value(call.timeoutMs, { type: 'failed', reason: 'timeout', message: 'no answer' })
  if (reaction === 'unreachable') return value(1, { type: 'failed', reason: 'connection', message: 'refused' })
  if (reaction === 'html') return value(1, { type: 'unreadable', httpStatus: 200, message: 'HTML' })
  const { http: httpStatus = 200, code: statusCode = 1000, message = 'said no', location, afterMs = 0 } = reaction
  const isGood = httpStatus < 300 && statusCode < 2000
  if (!isGood) return value(afterMs, { type: 'refused', httpStatus, statusCode, message })
  return value(afterMs, { type: 'delivered', httpStatus, statusCode, ...(location !== undefined && { location }) })
}

export interface SessionHere {
  kwh: number
  status: 'ACTIVE' | 'COMPLETED'
  /** What it is billed, where that can be said. */
  bill: number | 'unknown'
  partnerId: string
}

export function evse(uid: string, status: string, at: number) {
  const last_updated = new Date(at).toISOString()
  return { uid, status, last_updated, connectors: [{ id: '1', last_updated }] }
}

export function createStage({ random = () => 0 }: { readonly random?: () => number } = {}) {
  const clock = createFakeClock()
  const ocpiFollowers = createOcpiFollowers(clock)
  const store = openMemoryStore(tables, { clock })
  const pushed: Pushed[] = []
  let react: (pushed: Pushed) => Reaction = () => ({})
  let mayCommit = () => true
  let commits = 0
  let steps = 0
  let underWay: {
    readonly at: number
    readonly call: OcpiCall
    readonly resolve: (outcome: JobOutcome) => void
    readonly outcome: JobOutcome
  }[] = []

  const locations = new Map<string, { updatedAt: number; location: Location }>()
  const sessions = new Map<string, SessionHere>()
  const tariffs = new Map<string, string>()
  /** Tariffs that OCPI cannot say. */
  const unsaid = new Set<string>()
  const profiles = new Map<string, string>()

  let run = 1
  const source: PushSource = {
    isLive: (one) => one === run,
    party() {
      steps++
      return party
    },
    changedLocations: (_view, _partner, from, limit, behind = '') =>
      [...locations]
        .map(([locationId, { updatedAt }]) => ({ locationId, updatedAt }))
        .filter(({ updatedAt, locationId }) => updatedAt > from || (updatedAt === from && locationId > behind))
        .sort((one, other) => one.updatedAt - other.updatedAt || (one.locationId < other.locationId ? -1 : 1))
        .slice(0, limit),
    location: (_view, _partner, locationId) => locations.get(locationId)?.location,
    ownerOf: (_view, sessionId) => sessions.get(sessionId)?.partnerId,
    session: (_view, id) => {
      const session = sessions.get(id)
      if (session === undefined) return undefined
      const { kwh, status } = session
      return {
        id,
        body: { id, kwh, status },
        patch: { kwh },
        mark: `${kwh} ${status}`,
        isRunning: status === 'ACTIVE',
        to: emsp,
      }
    },
    activeProfile(_view, _partner, id, told) {
      const mark = profiles.get(id)
      return mark === undefined || mark === told ? undefined : { body: mark as never, mark, to: emsp }
    },
    placeOf: () => undefined,
    bill(_view, sessionId, { before }) {
      const bill = sessions.get(sessionId)?.bill
      if (bill === undefined || bill === 'unknown') return { reason: 'nobody knows the price' }
      const pricedAt = '2026-05-01T08:00:00Z'
      const last = before.at(-1)
      if (last?.total_cost.excl_vat === bill) return { cdrs: [], pricedAt }
      const id = before.length === 0 ? sessionId : `${sessionId}-${before.length / 2 + 1.5}`
      const fields = { cdr_token: emsp, end_date_time: '2026-05-01T08:00:00Z' }
      const cdr = { id, ...fields, total_cost: { excl_vat: bill } } as unknown as Cdr
      if (last === undefined) return { cdrs: [cdr], pricedAt }
      const total_cost = { excl_vat: -last.total_cost.excl_vat }
      return { cdrs: [{ ...last, id: `${last.id}-C`, total_cost, credit: true }, cdr], pricedAt }
    },
    runningSessions: (_view, id, behind = '', limit) =>
      [...sessions]
        .filter(([sessionId, { status, partnerId }]) => status === 'ACTIVE' && partnerId === id && sessionId > behind)
        .map(([sessionId]) => sessionId)
        .sort()
        .slice(0, limit),
    tariffs: () => tariffs,
    tariffMark: (_view, _partner, id) => tariffs.get(id),
    tariff: (_view, _partner, id) => (unsaid.has(id) ? undefined : { id, last_updated: tariffs.get(id) }),
  }

  async function runJob(call: OcpiCall): Promise<JobOutcome> {
    const path = call.url.replace('https://emsp.example/', '').replace('DE/AMP/', '')
    const one: Pushed = { at: clock.now(), call, path, body: call.body }
    pushed.push(one)
    const { afterMs, outcome } = outcomeOf(react(one), call)
    return new Promise((resolve) => underWay.push({ at: clock.monotonic() + afterMs, call, resolve, outcome }))
  }

  let lives = 0
  /** Of a shard that has ended, nothing is heard any more. */
  const silence = new Promise<never>(() => {})

  function startShard() {
    const life = ++lives
    return createActorHost({
      definitions: [createOcpiPartnerActor(source)] as unknown as readonly AnyActorDefinition[],
      store: {
        view: store.view,
        async commit(batch): Promise<CommitResult> {
          if (life !== lives) return silence
          if (!mayCommit()) return { ok: false, reason: 'storage_unavailable', message: 'the disk is full' }
          commits++
          return store.commit(batch)
        },
      },
      partitions: ownPartitions(),
      clock,
      random,
      log: pino({ level: 'silent' }),
      passivateAfterMs: minute,
      ports: {
        send() {},
        reply() {},
        frame() {},
        close() {},
        done() {},
        runJob: (_, input) => (life === lives ? runJob(input as OcpiCall) : silence),
        connectionOf: () => undefined,
      },
    })
  }
  let host = startShard()

  async function settle(): Promise<void> {
    for (let quiet = 0; quiet < 3; ) {
      const answered = await turn()
      const { mailbox, committing } = host.statistics()
      quiet = mailbox === 0 && committing === 0 && answered === 0 ? quiet + 1 : 0
    }
  }

  /** One turn of the event loop, with the answers that are due. */
  async function turn(): Promise<number> {
    const due = underWay.filter(({ at }) => at <= clock.monotonic())
    underWay = underWay.filter(({ at }) => at > clock.monotonic())
    for (const { resolve, outcome } of due) resolve(outcome)
    host.runTimers()
    await new Promise((resolve) => setImmediate(resolve))
    return due.length
  }

  const view = () => store.view()
  const stage = {
    clock,
    view,
    pushed,
    locations,
    sessions,
    tariffs,
    unsaid,
    profiles,
    settle,
    turn,
    /** Method and path of what was sent, oldest first. */
    lines: () => pushed.map(({ call, path }) => `${call.method} ${path}`),
    underWay: () => underWay.length,
    commits: () => commits,
    /** How often the actor has looked at what there is to do. */
    steps: () => steps,
    progress: () => view().get(ocpiProgressTable, [partnerId]),
    cdr: (sessionId: string) => view().get(ocpiCdrPushesTable, [partnerId, sessionId]),
    cdrs: (sessionId: string) => cdrsOfSession(view(), partnerId, sessionId).map(({ cdr_id }) => cdr_id),
    knownTariffs: () =>
      view()
        .list(ocpiKnownTariffsTable, [partnerId])
        .map(({ tariff_id }) => tariff_id),
    exchanges: () => newestExchanges(view(), partnerId),
    alerts: () => view().listBy(alertsTable, 'byOrganization', [organizationId]),
    statistics: () => host.statistics(),
    passivate: () => host.passivate(),
    partner(next: (pushed: Pushed) => Reaction) {
      react = next
    },
    disk(takes: () => boolean) {
      mayCommit = takes
    },
    async register(changes: Partial<OcpiPartner> = {}, modules = ['locations', 'sessions', 'cdrs', 'tariffs']) {
      const now = new Date(clock.now()).toISOString()
      const partner: OcpiPartner = {
        partner_id: partnerId,
        organization_id: organizationId,
        version: 1,
        name: 'An eMSP',
        status: 'registered',
        inbound_tokens: [],
        connection: {
          versions_url: 'https://emsp.example/versions',
          token: 'secret',
          endpoints: modules.map((identifier) => ({
            identifier,
            role: identifier === 'chargingprofiles' ? 'SENDER' : 'RECEIVER',
            url: `https://emsp.example/${identifier}`,
          })),
        },
        roles: [{ ...emsp, role: 'EMSP', business_details: { name: 'An eMSP' } }],
        token_encoding: 'base64',
        realtime_unknown_tokens: false,
        commands: true,
        registered_at: now,
        created_at: now,
        updated_at: now,
        ...changes,
      }
      const { name, key } = ocpiPartnersTable
      await store.commit(unowned([{ type: 'put', table: name, key: key(partner), row: encodeRow(partner) }]))
      await stage.tell({ type: 'changed' })
    },
    /** As the route that deletes it. */
    async remove() {
      const wakeUp = partnerDeletedWakeUp(partnerId, clock)
      await store.commit(
        unowned([
          { type: 'remove', table: ocpiPartnersTable.name, key: [partnerId] },
          { type: 'put', table: wakeUpsTable.name, key: wakeUpsTable.key(wakeUp), row: encodeRow(wakeUp) },
        ]),
      )
    },
    wakeUps: () => view().list(wakeUpsTable, []),
    /** What is due of what is stored, as a shard tells it again and again. */
    async wake() {
      for (const { reason } of stage.wakeUps()) await stage.tell({ type: 'wake-up', reason })
    },
    async put<Row>(table: Table<Row>, ...rows: readonly Row[]) {
      for (const row of rows)
        await store.commit(unowned([{ type: 'put', table: table.name, key: table.key(row), row: encodeRow(row) }]))
    },
    async tell(message: OcpiPartnerMessage) {
      host.deliver(ocpiPartnerAddress(partnerId), { message, always: true })
      host.run()
      await settle()
    },
    async append(event: string, data: Readonly<Record<string, unknown>>, organization = organizationId) {
      const change = eventChange({ event, organizationId: organization, subject: 'CP-1', data }, clock.now())
      await store.commit(unowned([change]))
      for (const to of ocpiFollowers.of(view(), organization))
        host.deliver(to, { message: { type: 'appended' }, always: true })
      host.run()
    },
    async emit(event: string, data: Readonly<Record<string, unknown>>, organization = organizationId) {
      await stage.append(event, data, organization)
      // Where the events before it were of others, it is not read at once.
      await stage.pass(limits.ocpiIdleReadEveryMs)
    },
    /** A session of the partner's, as events tell of it. */
    async start(sessionId: string, owner = partnerId) {
      sessions.set(sessionId, { kwh: 0, status: 'ACTIVE', bill: 'unknown', partnerId: owner })
      await stage.emit('session.started', { session_id: sessionId })
    },
    async charge(sessionId: string, kwh: number) {
      Object.assign(sessions.get(sessionId) as SessionHere, { kwh })
      await stage.emit('session.cost_updated', { session_id: sessionId })
    },
    async end(sessionId: string, bill: number | 'unknown' = 10) {
      Object.assign(sessions.get(sessionId) as SessionHere, { status: 'COMPLETED', bill })
      await stage.emit('session.ended', { session_id: sessionId })
    },
    /** EVSEs by uid, with their statuses; those that are new or have another status have changed now. */
    async place(locationId: string, statuses: Readonly<Record<string, string>>, fields: object = {}) {
      clock.advance(1)
      const now = clock.now()
      const before = locations.get(locationId)?.location.evses ?? []
      const evses = Object.entries(statuses).map(([uid, status]) => {
        const old = before.find((one) => one.uid === uid)
        return old?.status === status
          ? old
          : { ...evse(uid, status, now), connectors: old?.connectors ?? [{ id: '1' }] }
      })
      const location = { id: locationId, name: 'A place', ...fields, evses, last_updated: new Date(now).toISOString() }
      locations.set(locationId, { updatedAt: now, location: location as unknown as Location })
      await stage.tell({ type: 'locations-changed' })
    },
    /** Everything that is due within this time happens, in its order. */
    async pass(ms: number) {
      const end = clock.monotonic() + ms
      await settle()
      for (;;) {
        const next = Math.min(host.nextTimer() ?? Number.POSITIVE_INFINITY, ...underWay.map(({ at }) => at))
        if (next > end) break
        clock.advance(Math.max(0, next - clock.monotonic()))
        await settle()
      }
      clock.advance(end - clock.monotonic())
      await settle()
    },
    /** The end of a shard at this moment: what was in memory is lost, and what was under way is heard of no more. */
    crash() {
      underWay = []
      host = startShard()
    },
    /** What the route of commands has stored with its acceptance. */
    async accept(result_id: string, url: string, fields: Partial<OcpiCommandResult> = {}): Promise<OcpiCommandResult> {
      const owed = { partner_id: partnerId, result_id, url, accepted_at: clock.now(), run, attempts: 0, ...fields }
      await stage.put(ocpiCommandResultsTable, owed)
      return owed
    },
    owedResults: () => view().list(ocpiCommandResultsTable, [partnerId]),
    /** The end of the process, and the start of another. */
    async restartProcess() {
      run++
      await stage.restart()
    },
    async restart() {
      stage.crash()
      for (const to of ocpiFollowers.all(view())) host.deliver(to, { message: { type: 'appended' }, always: true })
      host.run()
      await settle()
    },
  }
  return stage
}
export type Stage = ReturnType<typeof createStage>
