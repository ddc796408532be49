// The check that keeps a charge point from coming online, what probably led to it, and who is refused: from what is stored, for whom it is.

import { test } from 'tap'
import { putRow } from '../../src/api/pipeline/changes.js'
import { refusalReasons } from '../../src/edge/refusal-reasons.js'
import { auditTable } from '../../src/records/audit-entry.js'
import { chargePointStatesTable } from '../../src/records/charge-point-state.js'
import { type ConnectionAttempt, connectionAttemptsTable } from '../../src/records/connection-attempt.js'
import { makeId } from '../../src/runtime/ids.js'
import { createTestApi } from './fixture.js'

const site = '198.51.100.7'
const minuteMs = 60_000

async function installation() {
  const service = await createTestApi()
  const [one, other] = [await service.addOrganization(), await service.addOrganization()]
  /** Of an id that nobody has registered, unless an owner is given; so many minutes ago. */
  async function refused(id: string, minutesAgo: number, fields: Partial<ConnectionAttempt> = {}): Promise<void> {
    const at = service.now() - minutesAgo * minuteMs
    const row: ConnectionAttempt = {
      attempt_id: makeId('att', at, Math.random),
      organization_id: service.operator.organizationId,
      charge_point_id: id,
      ...(fields.organization_id === undefined && { is_unknown: true }),
      remote_address: site,
      reason: 'unknown_charge_point',
      advice: 'As it was answered.',
      http_status: 404,
      attempted_at: new Date(at).toISOString(),
      ...fields,
    }
    await service.services.commit([putRow(connectionAttemptsTable, row)])
  }
  const get = (path: string, key: string) => service.call('GET', `/api/v1/${path}`, undefined, { key })
  const diagnosisOf = async (id: string, key: string) =>
    (await get(`chargepoints/${encodeURIComponent(id)}/connection-diagnosis`, key)).body
  /** The outcomes of the ladder, by stage. */
  const ladderOf = async (id: string, key: string) =>
    Object.fromEntries(
      (await diagnosisOf(id, key)).stages.map(({ stage, outcome }: { stage: string; outcome: string }) => [
        stage,
        outcome,
      ]),
    )
  return { service, one, other, refused, get, diagnosisOf, ladderOf }
}

test('connection diagnosis - a charge point that nothing arrives of is stopped at the first step, and failed handshakes are told to be unseen', async (t) => {
  const { service, one, diagnosisOf } = await installation()
  await service.register('EVSE-001', {}, one.key)
  t.match(await diagnosisOf('EVSE-001', one.key), {
    registered: true,
    online: false,
    since: null,
    stages: [
      {
        stage: 'reaches',
        outcome: 'failed',
        at: null,
        detail: /in the last 24 hours\. A TLS handshake that fails cannot be seen/,
      },
      { stage: 'admitted', outcome: 'not_reached' },
    ],
    cause: 'Nothing of the charge point arrives.',
    advice: /power and a network.*ws:\/\/127\.0\.0\.1:8080\/ocpp16\/EVSE-001/,
    refused_since: null,
    last: [],
    probable_cause: null,
  })
})

test('connection diagnosis - each reason of a refusal is a failed check, with nothing reached behind it', async (t) => {
  const { service, one, refused, diagnosisOf } = await installation()
  for (const [at, [reason, { check, cause }]] of Object.entries(refusalReasons).entries()) {
    const id = `LADDER-X${at}-Y`
    await service.register(id, {}, one.key)
    await refused(id, 5, { organization_id: one.organizationId, reason, http_status: 401 })
    const { stages, cause: told } = await diagnosisOf(id, one.key)
    // It is registered by now.
    t.equal(
      told,
      reason === 'unknown_charge_point' ? 'The charge point tried to connect before it was registered.' : cause,
    )
    const failed = stages.findIndex((stage: { outcome: string }) => stage.outcome === 'failed')
    t.match(stages[failed], { stage: check, detail: new RegExp(`\\(${reason}, HTTP 401\\)`) })
    for (const [index, { outcome }] of stages.entries()) {
      if (index > failed) t.equal(outcome, 'not_reached')
      if (index < failed) t.ok(['passed', 'not_asked'].includes(outcome))
    }
  }
})

test('connection diagnosis - a password that was replaced before the first refusal is the probable cause, and not what came after or was of another', async (t) => {
  const { service, one, refused, diagnosisOf, ladderOf } = await installation()
  await service.register('EVSE-001', {}, one.key)
  await service.register('EVSE-777', {}, one.key)
  const owned = { organization_id: one.organizationId, reason: 'wrong_password', http_status: 401 }
  const entry = (action: string, id: string, minutesAgo: number, status = 200) =>
    putRow(auditTable, {
      id: makeId('aud', service.now() - minutesAgo * minuteMs, Math.random),
      organization_id: one.organizationId,
      key_name: 'Jonas',
      action,
      method: 'POST',
      path: '/',
      resources: { charge_point_id: id },
      status,
    })
  // A log gives its own ids: these are of the past.
  const rows = [
    entry('deleteAuthorizationKey', 'EVSE-001', 130),
    entry('createAuthorizationKey', 'EVSE-001', 62),
    entry('updateChargePoint', 'EVSE-001', 61),
    entry('createAuthorizationKey', 'EVSE-777', 61),
    entry('deleteAuthorizationKey', 'EVSE-001', 61, 409),
    entry('createAuthorizationKey', 'EVSE-001', 30),
  ]
  await service.services.commit(rows)
  await refused('EVSE-001', 60, owned)
  for (const ago of [59, 30, 29, 2]) await refused('evse-001', ago, owned)
  const told = await diagnosisOf('EVSE-001', one.key)
  t.match(told, {
    cause: refusalReasons.wrong_password.cause,
    advice: refusalReasons.wrong_password.remedy,
    probable_cause: { action: 'createAuthorizationKey', by: 'Jonas' },
    last: [{ charge_point_id: 'evse-001', reason: 'wrong_password', remote_address: site, http_status: 401 }],
  })
  const causedAgo = service.now() - Date.parse(told.probable_cause.at)
  t.ok(Math.abs(causedAgo - 62 * minuteMs) < minuteMs / 2, 'the one before the first refusal')
  t.ok(Math.abs(service.now() - Date.parse(told.refused_since) - 60 * minuteMs) < minuteMs / 2)
  t.equal(told.last.length, 5)
  t.equal(told.attempts_24h.length, 24)
  t.equal(
    told.attempts_24h.reduce((sum: number, { count }: { count: number }) => sum + count, 0),
    5,
  )
  t.match(await ladderOf('EVSE-001', one.key), {
    registered: 'passed',
    certificate: 'not_asked',
    password: 'failed',
    online: 'not_reached',
  })
})

test('connection diagnosis - one that comes back at once is refused before its end is noted; what was refused while it was connected counts for nothing', async (t) => {
  const { service, one, refused, diagnosisOf } = await installation()
  const owned = { organization_id: one.organizationId, reason: 'wrong_password', http_status: 401 }
  const ago = (minutes: number) => new Date(service.now() - minutes * minuteMs).toISOString()
  for (const [id, refusedAgo] of [
    ['EVSE-001', 1.001],
    ['EVSE-002', 5],
  ] as const) {
    await service.register(id, {}, one.key)
    const connection = service.connect(id)
    await service.settled()
    service.disconnect(connection)
    await service.settled()
    const state = service.store.view().get(chargePointStatesTable, [id])
    if (state === undefined) throw new Error(`${id} has no state`)
    await service.put(chargePointStatesTable, { ...state, connected_at: ago(10), disconnected_at: ago(1) })
    await refused(id, refusedAgo, owned)
  }
  const atOnce = await diagnosisOf('EVSE-001', one.key)
  t.match(atOnce, { cause: refusalReasons.wrong_password.cause, refused_since: String })
  t.match(atOnce.explanation, /Its attempt at .* was refused/)
  const before = await diagnosisOf('EVSE-002', one.key)
  t.equal(before.refused_since, null)
  t.match(before.explanation, /Nothing that could be this charge point has tried to connect since then/)
})

test('connection diagnosis - once connected, everything is passed; refusals before the connection are no reason any more', async (t) => {
  const { service, one, refused, diagnosisOf, ladderOf } = await installation()
  await service.register('EVSE-001', {}, one.key)
  await refused('EVSE-001', 10, { organization_id: one.organizationId, reason: 'wrong_password', http_status: 401 })
  const connection = service.connect('EVSE-001')
  await service.settled()
  t.match(await ladderOf('EVSE-001', one.key), {
    reaches: 'passed',
    certificate: 'not_asked',
    password: 'not_asked',
    online: 'passed',
  })
  t.match(await diagnosisOf('EVSE-001', one.key), { online: true, cause: /Nothing is wrong/, probable_cause: null })
  service.disconnect(connection)
  await service.settled()
  t.match(await diagnosisOf('EVSE-001', one.key), {
    online: false,
    since: /Z$/,
    stages: [{ stage: 'reaches', outcome: 'failed', detail: /since it was connected last/ }],
    cause: /ended without a word/,
    refused_since: null,
  })
})

test('connection diagnosis - neighbours are those of the site, or of the place, with where they come from', async (t) => {
  const { service, one, other, diagnosisOf } = await installation()
  await service.register('PLACE-1', { latitude: 53.5, longitude: 10 }, one.key)
  await service.register('PLACE-2', { latitude: 53.5001, longitude: 10 }, one.key)
  await service.register('FAR-1', { latitude: 53.52, longitude: 10 }, one.key)
  await service.register('THEIRS-1', { latitude: 53.5, longitude: 10 }, other.key)
  service.connect('PLACE-2')
  service.disconnect(service.connect('PLACE-1'))
  await service.settled()
  t.strictSame((await diagnosisOf('PLACE-1', one.key)).neighbours, [
    { charge_point_id: 'PLACE-2', name: 'Charger PLACE-2', status: 'available', online: true, same_address: true },
  ])
  const place = { name: 'Quay', address: 'Quay 1', max_grid_power_kw: 50, latitude: 52, longitude: 4 }
  const { site_id } = (await service.call('POST', '/api/v1/sites', place, { key: one.key })).body
  for (const id of ['PLACE-1', 'FAR-1'])
    await service.call('POST', `/api/v1/sites/${site_id}/chargers/${id}/link`, undefined, { key: one.key })
  t.match((await diagnosisOf('PLACE-1', one.key)).neighbours, [{ charge_point_id: 'FAR-1', online: false }])
})

test('connection diagnosis - an id that nobody has registered and that knocks has a page for the operator, and for nobody else', async (t) => {
  const { service, one, other, refused, get, diagnosisOf } = await installation()
  await refused('NEW-BOX-1', 7)
  await refused('NEW-BOX-1', 3)
  t.match(await diagnosisOf('NEW-BOX-1', service.operator.key), {
    charge_point_id: 'NEW-BOX-1',
    registered: false,
    online: false,
    stages: [
      { outcome: 'passed' },
      { outcome: 'passed' },
      { outcome: 'passed' },
      { stage: 'registered', outcome: 'failed' },
    ],
    advice: /Register it/,
    last: [{ reason: 'unknown_charge_point' }, {}],
  })
  const path = (id: string) => `chargepoints/${id}/connection-diagnosis`
  const absent = await get(path('ABSENT-1'), one.key)
  const withoutId = (body: unknown) => JSON.stringify(body).replaceAll(/(NEW-BOX-1|ABSENT-1|THEIRS-1|request_\w+)/g, '')
  for (const id of ['NEW-BOX-1', 'THEIRS-1']) {
    if (id === 'THEIRS-1') await service.register(id, {}, other.key)
    const answered = await get(path(id), one.key)
    t.equal(answered.status, 404)
    t.equal(withoutId(answered.body), withoutId(absent.body), 'as for an id that is not there')
  }
  await service.register('NEW-BOX-1', {}, other.key)
  t.equal((await get(path('NEW-BOX-1'), service.operator.key)).status, 404, 'it is somebody else’s now')
  t.equal((await get(path('SILENT'), service.operator.key)).status, 404)
})

test('refused charge points - one line an id that has not come in since, page by page, and nothing of others', async (t) => {
  const { service, one, other, refused, get } = await installation()
  const list = async (key: string, query = '') => (await get(`cpo/refused-charge-points${query}`, key)).body
  const owned = { organization_id: one.organizationId, reason: 'wrong_password', http_status: 401 }
  for (const id of ['A-1', 'B-1', 'C-1', 'D-1']) {
    await service.register(id, {}, one.key)
    for (const ago of [30, 20]) await refused(id, ago, owned)
  }
  await service.register('THEIRS', {}, other.key)
  await refused('THEIRS', 5, { ...owned, organization_id: other.organizationId })
  await refused('NOBODYS', 5)
  await refused('D-1', 4, { ...owned, reason: 'too_many_connects', http_status: 503 })
  service.connect('C-1')
  await service.settled()
  t.match(await list(one.key), {
    data: [
      {
        charge_point_id: 'A-1',
        registered: true,
        attempts: 2,
        reason: 'wrong_password',
        stage: 'password',
        comes_back: false,
      },
      { charge_point_id: 'B-1' },
      { charge_point_id: 'D-1', stage: 'admitted', attempts: 3, comes_back: true },
    ],
    next: null,
  })
  const ids: string[] = []
  let next = ''
  do {
    const page = await list(one.key, `?limit=1${next === '' ? '' : `&after=${encodeURIComponent(next)}`}`)
    ids.push(...page.data.map(({ charge_point_id }: { charge_point_id: string }) => charge_point_id))
    next = page.next ?? ''
  } while (next !== '')
  t.same(ids, ['A-1', 'B-1', 'D-1'])
  for (const after of ['A-1', '2 A-1', '0'])
    t.equal((await get(`cpo/refused-charge-points?after=${encodeURIComponent(after)}`, one.key)).status, 400, after)
  t.match(await list(service.operator.key), {
    data: [{ charge_point_id: 'NOBODYS', registered: false, name: null, stage: 'registered', remedy: /Register it/ }],
  })
  t.match((await list(other.key)).data, [{ charge_point_id: 'THEIRS' }])
})
