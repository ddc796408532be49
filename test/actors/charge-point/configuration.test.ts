// A configuration is applied one key at a time and read back, and each odd life of a charge point has an end that says what happened.

import { test } from 'tap'
import { alertsTable } from '../../../src/records/alert.js'
import { chargePointsTable } from '../../../src/records/charge-point.js'
import { configurationApplicationsTable, reportedConfigurationsTable } from '../../../src/records/configuration.js'
import { claimedRow, installedRow, installerId, registeredRow } from '../../support/registration.js'
import { type ActorOverStore, actorOverStore } from './actor-over-store.js'
import { type Configurable, type ConfigurableOptions, configurable } from './configurable.js'

const id = 'CP-1'
const hourMs = 3_600_000

async function connected(options: ConfigurableOptions): Promise<Configurable> {
  const box = configurable(await actorOverStore(id), options)
  await box.connect()
  return box
}

const applicationOf = (actor: ActorOverStore) => actor.view().get(configurationApplicationsTable, [id])
const reportedOf = (actor: ActorOverStore) => actor.view().get(reportedConfigurationsTable, [id])

/** `A applied`, `B rejected`. */
function outcomes(actor: ActorOverStore): readonly (string | undefined)[] {
  const { keys = [] } = applicationOf(actor) ?? {}
  return keys.map(({ key, outcome, detail }) => [key, outcome, ...(detail === undefined ? [] : [detail])].join(' '))
}

test('configuration - keys are read in lists, and those that differ are changed one at a time and read back', async (t) => {
  const box = await connected({ keys: { GetConfigurationMaxKeys: '2', A: '1', B: '2', C: '3' } })
  t.match(await box.apply({ A: '1', B: '20', C: '30' }), { type: 'begun', application: { status: 'running' } })
  await box.answer()
  t.same(box.calls, ['Get GetConfigurationMaxKeys', 'Get A,B', 'Get C', 'Change B=20', 'Get B', 'Change C=30', 'Get C'])
  t.same(outcomes(box.actor), ['A applied', 'B applied', 'C applied'])
  t.match(applicationOf(box.actor), { status: 'completed', reboots: 0 })
  t.match(reportedOf(box.actor)?.keys, { a: { key: 'A', value: '1' }, b: { value: '20' }, c: { value: '30' } })
})

test('configuration - values that differ only in their spelling are not changed', async (t) => {
  const keys = { A: 'True', B: '300.0', C: ' "Voltage, Current" ', D: '0060', E: 'x,y', F: '1' }
  const box = await connected({ keys })
  await box.apply({ A: 'true', B: '300', C: 'Current,Voltage', D: '60', E: 'y,x', F: 'true' })
  await box.answer()
  t.same(
    box.calls.filter((call) => call.startsWith('Change')),
    [],
  )
  t.match(applicationOf(box.actor), { status: 'completed' })
  t.same(
    outcomes(box.actor),
    ['A', 'B', 'C', 'D', 'E', 'F'].map((key) => `${key} applied`),
  )
})

test('configuration - each answer of a charge point has an outcome of its own', async (t) => {
  const box = await connected({
    keys: { Ignored: 'old', Fixed: 'old', Refused: 'old', Later: 'old', Hidden: 'old', Good: 'old', List: 'a' },
    readOnly: ['Fixed'],
    habits: { Ignored: 'ignores', Refused: 'Rejected', Unknown: 'NotSupported', Later: 'RebootRequired' },
    writeOnly: ['Hidden'],
  })
  box.keys.set('ListMaxLength', '1')
  const wanted = ['Ignored', 'Fixed', 'Refused', 'Unknown', 'Later', 'Hidden', 'Good'].map((key) => [key, 'new'])
  await box.apply({ ...Object.fromEntries(wanted), List: 'a,b' })
  await box.answer()
  t.same(outcomes(box.actor), [
    'Ignored other_value old',
    'Fixed read_only',
    'Refused rejected',
    'Unknown not_supported',
    'Later reboot_required old',
    'Hidden unverified',
    'Good applied',
    'List too_long at most 1 values',
  ])
  t.match(applicationOf(box.actor), { status: 'completed' })
  t.notOk(box.calls.includes('Change List=a,b'))
})

test('configuration - a charge point that refuses long lists of keys is asked for fewer, also the next time', async (t) => {
  const box = await connected({ keys: { A: '1', B: '1', C: '1', D: '1' }, most: 2 })
  await box.apply({ A: '1', B: '1', C: '1', D: '1' })
  await box.answer()
  t.same(box.calls, ['Get GetConfigurationMaxKeys', 'Get A,B,C,D', 'Get A,B', 'Get C,D'])
  t.match(applicationOf(box.actor), { status: 'completed' })
  box.calls.length = 0
  await box.apply({ A: '1', B: '1', C: '1' }, 'cfg_2')
  await box.answer()
  t.same(box.calls, ['Get GetConfigurationMaxKeys', 'Get A,B', 'Get C'])
})

test('configuration - a charge point that restarts over a key goes on with the next, and is not asked for ever', async (t) => {
  const box = await connected({ keys: { A: '1', B: '1', C: '1' }, habits: { B: 'reboots' } })
  await box.apply({ A: '2', B: '2', C: '2' })
  await box.settle()
  t.same(outcomes(box.actor), ['A applied', 'B reboots 1', 'C applied'])
  t.match(applicationOf(box.actor), { status: 'completed', reboots: 2 })
  t.equal(box.calls.filter((call) => call === 'Change B=2').length, 2)
})

test('configuration - of keys that are read together, the one that makes the charge point restart is found and left alone', async (t) => {
  const box = await connected({ keys: { A: '1', B: '1', C: '1' }, rebootsWhenRead: ['B'] })
  await box.apply({ A: '2', B: '2', C: '2' })
  await box.settle()
  t.match(applicationOf(box.actor), { status: 'completed', reboots: 2 })
  t.same(outcomes(box.actor), ['A applied', 'B reboots', 'C applied'])
  t.match(reportedOf(box.actor), { avoided: ['b'], keys_per_read: 1 })
  box.calls.length = 0
  await box.apply({ A: '2', B: '2' }, 'cfg_2')
  await box.settle()
  t.same(outcomes(box.actor), ['A applied', 'B reboots'])
  t.same(box.calls, ['Get GetConfigurationMaxKeys', 'Get A'])
})

test('configuration - an application goes on after a restart of the charge point, of the shard and of the service', async (t) => {
  const box = await connected({ keys: { A: '1', B: '1', C: '1' } })
  await box.apply({ A: '2', B: '2', C: '2' })
  for (const ended of ['shard', 'service'] as const) {
    const waiting = box.actor.said.at(-1)
    t.match(waiting, /GetConfiguration/, 'a call is under way')
    box.actor.restart(ended)
    await box.connect()
    t.equal(
      box.actor.said.at(-1)?.includes('GetConfiguration'),
      false,
      'a charge point that has just booted is left alone',
    )
    await box.pass(2_000)
  }
  await box.settle()
  t.same(outcomes(box.actor), ['A applied', 'B applied', 'C applied'])
  t.match(applicationOf(box.actor), { status: 'completed', application_id: 'cfg_1' })
})

test('configuration - a key whose change was under way when the shard or the service ended is read before it is sent again', async (t) => {
  for (const ended of ['shard', 'service'] as const) {
    const box = await connected({ keys: { A: '1', B: '1' } })
    await box.apply({ A: '2', B: '2' })
    // It takes the value, and its answer reaches nobody.
    while (!box.actor.said.at(-1)?.includes('ChangeConfiguration')) await box.answerOne()
    box.keys.set('A', '2')
    box.actor.restart(ended)
    await box.connect()
    await box.settle()
    t.same(box.calls.slice(2), ['Get A', 'Change B=2', 'Get B'], ended)
    t.match(applicationOf(box.actor), { status: 'completed', reboots: 0 })
  }
})

test('configuration - an application goes on after the end of the shard, over the socket that stays', async (t) => {
  const box = await connected({ keys: { A: '1', B: '1' } })
  await box.apply({ A: '2', B: '2' })
  box.actor.restart('shard')
  await box.actor.attach(1, 1)
  await box.pass(10_000)
  await box.settle()
  t.same(outcomes(box.actor), ['A applied', 'B applied'])
})

test('configuration - an application goes on after a lost connection, which is no restart', async (t) => {
  const box = await connected({ keys: { A: '1', B: '1' } })
  await box.apply({ A: '2', B: '2' })
  while (box.keys.get('A') !== '2') await box.answerOne()
  for (const awayMs of [59_000, 61_000]) {
    await box.reconnect(awayMs)
    await box.pass(10_000)
  }
  await box.answer()
  t.match(applicationOf(box.actor), { status: 'completed', reboots: 0 })
  t.same(outcomes(box.actor), ['A applied', 'B applied'])
})

test('configuration - one that is begun while the charge point is away begins when it has booted', async (t) => {
  const box = configurable(await actorOverStore(id), { keys: { A: '1' } })
  t.match(await box.apply({ A: '2' }), { type: 'begun' })
  t.match(await box.apply({ A: '3' }, 'cfg_2'), { type: 'running' })
  t.match(await box.apply({ A: '2' }), { type: 'begun' }, 'the same again')
  await box.connect()
  await box.pass(10_000)
  await box.settle()
  t.equal(box.keys.get('A'), '2')
})

test('configuration - one whose charge point is offline for good fails after three days', async (t) => {
  const box = await connected({ keys: { A: '1' } })
  await box.apply({ A: '2' })
  await box.actor.detach(1)
  await box.pass(71 * hourMs)
  t.match(applicationOf(box.actor), { status: 'running' })
  await box.pass(hourMs)
  t.match(applicationOf(box.actor), { status: 'failed', reason: 'offline' })
  t.same(outcomes(box.actor), ['A not_attempted'])
})

test('configuration - one whose charge point answers nothing fails after three calls', async (t) => {
  const box = await connected({ keys: { A: '1', B: '1' } })
  await box.apply({ A: '2', B: '2' })
  for (let call = 0; call < 3; call++) await box.pass(30_000)
  t.match(applicationOf(box.actor), { status: 'failed', reason: 'no_answer' })
  t.same(box.calls, [])
})

test('configuration - a change that is not answered is read back, and sent once more', async (t) => {
  const box = await connected({ keys: { A: '1', B: '1' }, habits: { A: 'silent' } })
  await box.apply({ A: '2', B: '2' })
  await box.answer()
  for (let call = 0; call < 2; call++) {
    await box.pass(30_000)
    await box.answer()
  }
  t.same(outcomes(box.actor), ['A unanswered 1', 'B applied'])
  t.same(
    box.calls.filter((call) => call.includes('A') && !call.includes('Max')),
    ['Get A,B', 'Change A=2', 'Get A', 'Change A=2', 'Get A'],
  )
})

test('configuration - a command of an operator waits for one call of an application at most', async (t) => {
  const wanted = Object.fromEntries([...Array(60).keys()].map((number) => [`Key${number}`, '2']))
  const box = await connected({ keys: Object.fromEntries(Object.keys(wanted).map((key) => [key, '1'])) })
  await box.apply(wanted)
  const before = box.actor.said.length
  void box.actor.ask({
    type: 'call',
    commandId: 'cmd_1',
    action: 'Reset',
    payload: { type: 'Soft' },
    remainingMs: 9_000,
  })
  await box.answer()
  const sent = box.actor.said.slice(before).filter((line) => line.startsWith('1 [2,'))
  t.match(sent[0], /cmd_1/, 'it is next')
})

test('configuration - an application is stopped by request, and where another organization takes the charge point', async (t) => {
  const box = await connected({ keys: { A: '1', B: '1' } })
  await box.apply({ A: '2', B: '2' })
  const stop = (organizationId: string) => box.actor.ask({ type: 'stop-configuration', organizationId })
  t.match(await stop('org_2'), { type: 'unknown' })
  t.match(await stop('org_1'), { type: 'stopped', application: { status: 'stopped', reason: 'stopped_by_request' } })
  t.match(await stop('org_1'), { type: 'not-running' })
  await box.apply({ A: '2', B: '2' }, 'cfg_2')
  await box.actor.put(chargePointsTable, registeredRow(id, { organization_id: 'org_2' }))
  await box.actor.ask({ type: 'registration-changed' })
  t.equal(applicationOf(box.actor), undefined)
  t.equal(reportedOf(box.actor), undefined, 'it is another registration')
})

test('configuration - an application that its installer has begun ends when an organization claims the charge point', async (t) => {
  const box = configurable(await actorOverStore(id), { keys: { A: '1', B: '1' } })
  await box.actor.put(chargePointsTable, installedRow(id))
  await box.connect()
  await box.apply({ A: '2' }, 'cfg_1', installerId)
  await box.answer()
  await box.apply({ A: '2', B: '2' }, 'cfg_2', installerId)
  await box.actor.put(chargePointsTable, claimedRow(installedRow(id)))
  await box.actor.ask({ type: 'registration-changed' })
  t.match(applicationOf(box.actor), { status: 'stopped', reason: 'handed_over', organization_id: installerId })
  t.match(reportedOf(box.actor), { keys: { a: { value: '2' } } }, 'what it has said of itself stays')
  t.match(await box.apply({ A: '2', B: '2' }, 'cfg_3', 'org_2'), { type: 'begun' })
  await box.settle()
  t.match(applicationOf(box.actor), { status: 'completed', organization_id: 'org_2' })
})

test('configuration - other hardware under the same id gets all of it, and another firmware is read anew', async (t) => {
  const box = await connected({ keys: { A: '1', B: '1' }, most: 1 })
  await box.apply({ A: '2', B: '2' })
  box.calls.length = 0
  while (box.keys.get('A') !== '2') await box.answerOne()
  await box.reboot({ chargePointSerialNumber: 'S1', chargePointModel: 'Other' })
  t.same(reportedOf(box.actor)?.keys, {}, 'it has reported nothing yet')
  box.keys.set('A', '1')
  await box.pass(2_000)
  await box.answer()
  t.equal(box.keys.get('A'), '2', 'also what the one before had')
  t.match(applicationOf(box.actor), { status: 'completed', reboots: 0 })
  t.match(reportedOf(box.actor), { keys_per_read: 1 })
  await box.reboot({ chargePointSerialNumber: 'S1', chargePointModel: 'Other', firmwareVersion: '2' })
  t.match(reportedOf(box.actor), { keys_per_read: undefined, keys: { a: { value: '2' } } })
})

test('configuration - a charge point that restarts after each key that it takes ends up with all of them', async (t) => {
  const habits = { A: 'takes-and-reboots', B: 'takes-and-reboots', C: 'takes-and-reboots' } as const
  const box = await connected({ keys: { A: '1', B: '1', C: '1' }, habits })
  await box.apply({ A: '2', B: '2', C: '2' })
  await box.settle()
  t.same(outcomes(box.actor), ['A applied', 'B applied', 'C applied'])
  t.match(applicationOf(box.actor), { status: 'completed', reboots: 3 })
})

test('configuration - what an operator reads is stored without secrets', async (t) => {
  const actor = await actorOverStore(id)
  await actor.attach(1, 1)
  await actor.call(1, 'BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' })
  const configurationKey = [
    { key: 'AuthorizationKey', readonly: false, value: '00112233445566778899' },
    { key: 'Backend', readonly: true, value: 'wss://user:hunter22@example.com/' },
    { key: 'HeartbeatInterval', readonly: false, value: '300' },
    { key: 'Odd', readonly: 'false', value: 7 },
  ]
  const answer = { configurationKey, unknownKey: ['Nothing'] }
  await actor.command(1, 'GetConfiguration', {}, answer)
  const stored = reportedOf(actor)
  t.match(stored, {
    organization_id: 'org_1',
    keys: { backend: { read_only: true }, heartbeatinterval: { value: '300' }, odd: { value: '7', read_only: false } },
    unknown: ['Nothing'],
    complete_at: stored?.read_at,
  })
  t.equal(stored?.keys.authorizationkey?.value, undefined)
  t.notMatch(JSON.stringify(stored), /0011|hunter22/)
  await actor.command(1, 'GetConfiguration', { key: ['HeartbeatInterval'] }, { unknownKey: ['HeartbeatInterval'] })
  t.equal(reportedOf(actor)?.keys.heartbeatinterval, undefined)
  t.same(reportedOf(actor)?.unknown, ['Nothing', 'HeartbeatInterval'])
})

test('configuration - drift is found after a start, and its alert is resolved when it is gone', async (t) => {
  const box = await connected({ keys: { A: '1', B: '1', C: '1' }, habits: { C: 'RebootRequired' } })
  const alerts = () =>
    box.actor
      .view()
      .list(alertsTable, [])
      .map(({ status, details }) => `${status} ${details?.keys}`)
  await box.apply({ A: '2', B: '2', C: '2' })
  await box.answer()
  t.same(alerts(), [], 'what needs a restart is not there yet')
  box.keys.set('A', '7')
  box.calls.length = 0
  await box.reboot()
  await box.pass(60_000)
  await box.answer()
  t.same(box.calls, [], 'not at once')
  await box.pass(900_000)
  await box.answer()
  t.same(box.calls, ['Get A,B,C'])
  t.same(alerts(), ['open A, C'])
  await box.pass(hourMs)
  await box.answer()
  t.same(box.calls, ['Get A,B,C'], 'once')
  box.keys.set('C', '2')
  await box.apply({ A: '2', B: '2', C: '2' }, 'cfg_2')
  await box.answer()
  t.same(alerts(), ['resolved A, C'])
})

test('configuration - a charge point that restarts when it is looked at for drift is not looked at so again', async (t) => {
  const options = { keys: { A: '1', B: '1' }, rebootsWhenRead: [] as string[] }
  const box = await connected(options)
  await box.apply({ A: '2', B: '2' })
  await box.answer()
  options.rebootsWhenRead.push('B')
  box.calls.length = 0
  for (let boots = 0; boots < 6; boots++) {
    await box.reboot()
    await box.pass(960_000)
    await box.answer()
  }
  t.same(box.calls, ['Get A,B', 'Get A', 'Get B', 'Get A', 'Get A', 'Get A', 'Get A'])
})

test('configuration - a connection that is lost over the look for drift, without a restart, is not lost over it again', async (t) => {
  const options = { keys: { A: '1' }, rebootsWhenRead: [] as string[] }
  const box = await connected(options)
  await box.apply({ A: '2' })
  await box.answer()
  options.rebootsWhenRead.push('A')
  await box.reboot()
  box.calls.length = 0
  await box.pass(960_000)
  await box.answer()
  for (let looks = 0; looks < 5; looks++) {
    await box.reconnect(5_000)
    await box.pass(60_000)
    await box.answer()
  }
  t.same(box.calls, ['Get A'])
})

test('configuration - an application whose reads are lost with the connection, again and again, fails', async (t) => {
  const box = await connected({ keys: { A: '1' } })
  await box.apply({ A: '2' })
  for (let losses = 0; losses < 30; losses++) {
    await box.reconnect(40_000)
    await box.pass(20_000)
  }
  t.match(applicationOf(box.actor), { status: 'failed', reason: 'no_answer' })
})

test('configuration - a charge point that connects without being asked anything is no progress of its application', async (t) => {
  const box = await connected({ keys: { A: '1' } })
  await box.reconnect(1_000)
  await box.apply({ A: '2' })
  const begun = applicationOf(box.actor)?.progress_at
  await box.reconnect(hourMs)
  await box.pass(20_000)
  t.equal(applicationOf(box.actor)?.progress_at, begun)
  await box.answerOne()
  t.not(applicationOf(box.actor)?.progress_at, begun)
})
