// Rollouts of firmware over the service as it is built: what charge points say and boot with decides how they go.

import { test } from 'tap'
import { bootChargePoint, historyOf, startRequest } from '../support/charge-point.js'
import { tenantOf } from '../support/organization.js'
import {
  actOn,
  comesBack,
  firmwareUrl,
  makeRollout,
  reports,
  rolloutOf,
  rolloutOnce,
  rolloutPath,
  takesUpdate,
  updatable,
} from '../support/rollout.js'
import { sharedService } from '../support/shared-services.js'
import { until } from '../support/until.js'

/** It signs nothing here. */
const signing_certificate = `-----BEGIN CERTIFICATE-----
MIIBfDCCASOgAwIBAgIUIFJXcMlWuRpPax5PadcgDH/6TeUwCgYIKoZIzj0EAwIw
EzERMA8GA1UEAwwIRmlybXdhcmUwIBcNMjYxMTIzMDY1NzM0WhgPMjEyNjEwMzAw
NjU3MzRaMBMxETAPBgNVBAMMCEZpcm13YXJlMFkwEwYHKoZIzj0CAQYIKoZIzj0D
AQcDQgAE3ysQdyqvdf11K+tQa2t7UQQPACZ+jUky2At/TO7r8muinEYuo8mnm5KN
LZQx5wza5cBUiX9MCYE0wfbJOUiHqqNTMFEwHQYDVR0OBBYEFA+i3sVnOemZDtbK
TB0idVcIPo4RMB8GA1UdIwQYMBaAFA+i3sVnOemZDtbKTB0idVcIPo4RMA8GA1Ud
EwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDRwAwRAIgPKvtiakEx6bd0OgN9e5DJHyP
9TuSZEZBOgbQqqlYXW4CIGLU+OggsbLqGb38KRfLMx3ba5sjBM+u7lTDHMfB8FZ/
-----END CERTIFICATE-----
`

// biome-ignore lint/suspicious/noExplicitAny: the answer of the API
const isOver = ({ status }: any): boolean => status === 'completed' || status === 'failed'

test('firmware rollout - a charge point that boots with another version has the firmware, and the rollout is completed', async (t) => {
  const service = await tenantOf(await sharedService())
  const client = await updatable(service, 'ROLL-1')
  const id = await makeRollout(service, ['ROLL-1'])
  t.match(await rolloutOf(service, id), {
    status: 'pending',
    stages: [{ stage: 1, charge_point_ids: ['ROLL-1'], status: 'pending' }],
    chargers: [{ charge_point_id: 'ROLL-1', status: 'pending' }],
  })
  t.match(await actOn(service, id, 'execute-stage'), {
    status: 200,
    body: { rollout_id: id, stage: 1, charge_point_ids: ['ROLL-1'], status: 'in_progress' },
  })
  t.match(await takesUpdate(client), ['UpdateFirmware', { location: firmwareUrl, retrieveDate: String }])
  for (const status of ['Downloading', 'Downloaded', 'Installing']) {
    await reports(client, status)
    const { chargers } = await rolloutOnce(service, id, ({ chargers: [one] }) => one.status === status.toLowerCase())
    t.match(chargers, [{ version_before: '1.0', firmware_version: null }], status)
  }
  await client.boot({ firmwareVersion: '2.0' })
  t.match(await rolloutOnce(service, id, isOver), {
    status: 'completed',
    installed: 1,
    failed: 0,
    stages: [{ status: 'completed' }],
    chargers: [{ status: 'installed', version_before: '1.0', firmware_version: '2.0', error: null }],
  })
  t.match(await actOn(service, id, 'execute-stage'), { status: 409, body: { error: { code: 'no_stage_left' } } })
  t.match(await historyOf(service, 'ROLL-1'), [{ command: 'UpdateFirmware', executed_by: `rollout:${id}` }])
})

test('firmware rollout - the password in its address is sent to the charge point, and shown nowhere', async (t) => {
  const service = await tenantOf(await sharedService())
  const client = await updatable(service, 'ROLL-1P')
  const addresses: readonly [given: string, shown: string][] = [
    ['https://user:hunter2pw@firmware.example/2.bin?part=1', 'https://user:redacted@firmware.example/2.bin?part=1'],
    ['https://hunter2pw@firmware.example/3.bin', 'https://redacted@firmware.example/3.bin'],
  ]
  for (const [at, [firmware_url, shown]] of addresses.entries()) {
    const id = await makeRollout(service, ['ROLL-1P'], { firmware_url })
    await actOn(service, id, 'execute-stage')
    t.match(await takesUpdate(client, {}), ['UpdateFirmware', { location: firmware_url }])
    t.match(await rolloutOf(service, id), { firmware_url: shown })
    await rolloutOnce(service, id, ({ chargers: [one] }) => one.status === 'sent')
    t.match((await historyOf(service, 'ROLL-1P'))[0], { parameters: { firmware_url: shown, rollout_id: id } })
    await actOn(service, id, 'pause')
    await client.boot({ firmwareVersion: `${at + 2}.0` })
    await rolloutOnce(service, id, isOver)
  }
  const everywhere = [
    rolloutPath,
    '/api/v1/events?types=firmware.rollout_stage_started,firmware.rollout_paused,firmware.rollout_completed',
    '/api/v1/cpo/commands/ROLL-1P/history',
    '/api/v1/org/audit-log',
  ]
  for (const path of everywhere) {
    const { status, body } = await service.request('GET', path)
    t.equal(status, 200, path)
    t.notMatch(JSON.stringify(body), 'hunter2pw', path)
    t.match(JSON.stringify(body), 'redacted', path)
  }
})

test('firmware rollout - it stops itself when too many of a stage have failed', async (t) => {
  const service = await tenantOf(await sharedService())
  const ids = ['ROLL-2A', 'ROLL-2B', 'ROLL-2C']
  const clients = await Promise.all(ids.map((id) => updatable(service, id)))
  const id = await makeRollout(service, ids, { strategy: 'canary', soak_minutes: 0 })
  t.match(await actOn(service, id, 'execute-stage'), { body: { stage: 1, charge_point_ids: ['ROLL-2A'] } })
  const [canary, ...rest] = clients as [(typeof clients)[0], ...typeof clients]
  await takesUpdate(canary)
  t.match(await actOn(service, id, 'execute-stage'), { status: 409, body: { error: { code: 'rollout_soaking' } } })
  await reports(canary, 'Downloading', 'DownloadFailed')
  const unsent = { status: 'pending', error: 'not_sent' }
  const stopped = await rolloutOnce(service, id, ({ chargers: [, , last] }) => last.error !== null)
  t.match(stopped, {
    status: 'failed',
    reason: 'failure_budget',
    completed_at: String,
    stages: [{ status: 'failed' }, { status: 'pending' }],
    chargers: [{ status: 'failed', error: 'download_failed' }, unsent, unsent],
  })
  for (const client of rest) await client.boot({ firmwareVersion: '1.0' })
  for (const charger of ids.slice(1)) t.same(await historyOf(service, charger), [], 'no other is sent the update')
  t.match(await actOn(service, id, 'execute-stage'), { status: 409, body: { error: { code: 'rollout_ended' } } })
  const { body: alerts } = await service.request('GET', '/api/v1/alerts?kind=firmware_rollout_stopped')
  t.match(alerts.data, [{ message: /in stage 1, 1 of 1 charge points have failed/, details: { rollout_id: id } }])
  const types = 'firmware.rollout_stage_started,firmware.update_failed,firmware.rollout_failed'
  const { body: events } = await service.request('GET', `/api/v1/events?types=${types}`)
  t.match(events.data, [
    { data: { stage: 1, stages: 2 } },
    { data: { charge_point_id: 'ROLL-2A', error: 'download_failed' } },
    { data: { rollout_id: id, reason: 'failure_budget', installed: 0, failed: 1, charge_points: 3 } },
  ])
  t.ok(await makeRollout(service, ids), 'they can be in another rollout')
})

test('firmware rollout - with a soak time, the next stage begins by itself', async (t) => {
  const service = await tenantOf(await sharedService())
  const ids = ['ROLL-3A', 'ROLL-3B', 'ROLL-3C']
  const clients = await Promise.all(ids.map((id) => updatable(service, id)))
  const id = await makeRollout(service, ids, { strategy: 'rolling', batch_size: 2, soak_minutes: 0 })
  await actOn(service, id, 'execute-stage')
  const [first, second, third] = clients as [(typeof clients)[0], (typeof clients)[0], (typeof clients)[0]]
  for (const client of [first, second]) await takesUpdate(client)
  await first.boot({ firmwareVersion: '2.0' })
  await second.boot({ firmwareVersion: '2.0' })
  await takesUpdate(third)
  await third.boot({ firmwareVersion: '2.0' })
  t.match(await rolloutOnce(service, id, isOver), {
    status: 'completed',
    installed: 3,
    batch_size: 2,
    started_stages: 2,
  })
})

test('firmware rollout - a charge point that is away is sent the update when it comes back', async (t) => {
  const service = await tenantOf(await sharedService())
  const away = await updatable(service, 'ROLL-4')
  await away.close()
  const id = await makeRollout(service, ['ROLL-4'], { target_version: '2.0' })
  await actOn(service, id, 'execute-stage')
  await rolloutOnce(service, id, ({ chargers: [one] }) => one.waiting_for === 'connection')
  const back = await comesBack(service, 'ROLL-4', '1.0')
  t.match(await takesUpdate(back), ['UpdateFirmware', { location: firmwareUrl }])
  await back.close()
  await comesBack(service, 'ROLL-4', '2.0')
  t.match(await rolloutOnce(service, id, isOver), { status: 'completed', chargers: [{ status: 'installed' }] })
})

test('firmware rollout - paused, it sends nothing more; resumed, it goes on; stopped, it is over', async (t) => {
  const service = await tenantOf(await sharedService())
  const client = await updatable(service, 'ROLL-5A')
  const away = await updatable(service, 'ROLL-5B')
  await away.close()
  const id = await makeRollout(service, ['ROLL-5A', 'ROLL-5B'])
  t.match(await actOn(service, id, 'pause'), { status: 409, body: { error: { code: 'rollout_not_in_progress' } } })
  await actOn(service, id, 'execute-stage')
  await takesUpdate(client)
  await rolloutOnce(service, id, ({ chargers: [, one] }) => one.waiting_for === 'connection')
  t.match(await actOn(service, id, 'pause', { reason: 'Wait for Monday.' }), {
    status: 200,
    body: { status: 'paused', pause_reason: 'Wait for Monday.', paused_at: String },
  })
  const back = await comesBack(service, 'ROLL-5B', '1.0')
  await rolloutOnce(service, id, ({ chargers: [, one] }) => one.waiting_for === 'resume')
  t.same(await historyOf(service, 'ROLL-5B'), [], 'nothing is sent')
  await client.boot({ firmwareVersion: '2.0' })
  await rolloutOnce(service, id, ({ installed }) => installed === 1)
  t.match(await actOn(service, id, 'resume'), { status: 200, body: { status: 'in_progress', paused_at: null } })
  t.match(await actOn(service, id, 'resume'), { status: 409, body: { error: { code: 'rollout_not_paused' } } })
  await takesUpdate(back)
  await actOn(service, id, 'pause')
  t.match(await actOn(service, id, 'stop'), { status: 200, body: { status: 'failed', reason: 'stopped_by_request' } })
  t.match(await actOn(service, id, 'stop'), { status: 409, body: { error: { code: 'rollout_ended' } } })
  await back.boot({ firmwareVersion: '2.0' })
  const { chargers } = await rolloutOnce(service, id, ({ installed }) => installed === 2)
  t.match(chargers, [{ status: 'installed' }, { status: 'installed' }], 'what was sent before goes on')

  await client.close()
  const again = await makeRollout(service, ['ROLL-5A'])
  await actOn(service, again, 'execute-stage')
  await rolloutOnce(service, again, ({ chargers: [one] }) => one.waiting_for === 'connection')
  await actOn(service, again, 'stop')
  const stopped = await rolloutOnce(service, again, ({ chargers: [one] }) => one.error === 'not_sent')
  t.match(stopped, { stages: [{ status: 'failed' }], chargers: [{ status: 'pending', sent_at: null }] })
})

test('firmware rollout - a paused rollout goes on with the stage that it was at, by execute-stage', async (t) => {
  const service = await tenantOf(await sharedService())
  await (await updatable(service, 'ROLL-6A')).close()
  await updatable(service, 'ROLL-6B')
  const id = await makeRollout(service, ['ROLL-6A', 'ROLL-6B'], { strategy: 'canary' })
  await actOn(service, id, 'execute-stage')
  await actOn(service, id, 'pause')
  t.match(await actOn(service, id, 'execute-stage'), { body: { stage: 1, charge_point_ids: ['ROLL-6A'] } })
  t.match(await actOn(service, id, 'execute-stage'), {
    status: 409,
    body: { error: { code: 'stage_in_progress', message: /stage 1 has not ended: 1 of its 1 charge points/ } },
  })
  t.match(
    await actOn(service, id, 'execute-stage', { stage: 2 }),
    { body: { stage: 2, charge_point_ids: ['ROLL-6B'] } },
    'the next one',
  )
  t.match(await actOn(service, id, 'execute-stage'), { status: 409, body: { error: { code: 'no_stage_left' } } })
})

test('firmware rollout - the next stage begins once, however often it is asked for, and when the one before has ended', async (t) => {
  const service = await tenantOf(await sharedService())
  const ids = ['ROLL-6C', 'ROLL-6D', 'ROLL-6E', 'ROLL-6F']
  const [first, second] = await Promise.all(ids.map((id) => updatable(service, id)))
  const id = await makeRollout(service, ids, { strategy: 'rolling', batch_size: 1 })
  const answers = async (body?: object) => {
    const all = await Promise.all(Array.from({ length: 5 }, () => actOn(service, id, 'execute-stage', body)))
    return all.map(({ status, body }) => body.stage ?? `${status} ${body.error.code}`).sort()
  }
  const refused = new Array(4).fill('409 stage_in_progress')
  t.same(await answers(), [1, ...refused])
  await takesUpdate(first as NonNullable<typeof first>)
  await rolloutOnce(service, id, ({ chargers: [one] }) => one.status === 'sent')
  t.same(await answers(), [...refused, '409 stage_in_progress'], 'it was sent, and has not ended')
  await first?.boot({ firmwareVersion: '2.0' })
  await rolloutOnce(service, id, ({ installed }) => installed === 1)
  t.same(await answers(), [2, ...refused], 'it has ended')
  await takesUpdate(second as NonNullable<typeof second>)
  t.same(await answers({ stage: 3 }), [3, 3, 3, 3, 3], 'named, it begins, and only once')
  t.match(await actOn(service, id, 'execute-stage', { stage: 2 }), { status: 200, body: { stage: 2 } })
  const { started_stages } = await rolloutOf(service, id)
  t.equal(started_stages, 3)
  t.match(await actOn(service, id, 'execute-stage', { stage: 5 }), {
    status: 409,
    body: { error: { code: 'stage_not_next', message: 'the next stage is 4' } },
  })
})

test('firmware rollout - what a charge point with the security extension answers, without and with a signature', async (t) => {
  const service = await tenantOf(await sharedService())
  const client = await updatable(service, 'ROLL-7')
  const refuse = async (code: string): Promise<unknown> => {
    const frame = await client.nextFrame()
    client.raw(JSON.stringify([4, frame[1], code, '', {}]))
    return frame[2]
  }
  const unsigned = await makeRollout(service, ['ROLL-7'], { max_failure_percent: 100 })
  await actOn(service, unsigned, 'execute-stage')
  t.equal(await refuse('NotSupported'), 'UpdateFirmware')
  t.match(await rolloutOnce(service, unsigned, isOver), {
    status: 'completed',
    chargers: [{ status: 'failed', error: 'signed_firmware_required', detail: /signing_certificate/ }],
  })

  const signature = 'c2lnbmF0dXJl'
  const signed = await makeRollout(service, ['ROLL-7'], { signing_certificate, signature, retries: 2 })
  await actOn(service, signed, 'execute-stage')
  const [action, payload] = await takesUpdate(client, { status: 'Accepted' })
  t.equal(action, 'SignedUpdateFirmware')
  t.match(payload, {
    requestId: Number,
    retries: 2,
    firmware: { location: firmwareUrl, signingCertificate: signing_certificate, signature },
  })
  const { requestId } = payload as { readonly requestId: number }
  await client.call('SignedFirmwareStatusNotification', { status: 'Downloading', requestId: requestId - 1 })
  await client.call('SignedFirmwareStatusNotification', { status: 'InvalidSignature', requestId })
  t.match(await rolloutOnce(service, signed, isOver), {
    status: 'failed',
    is_signed: true,
    chargers: [{ status: 'failed', error: 'invalid_signature' }],
  })

  const fallback = await makeRollout(service, ['ROLL-7'], { signing_certificate, signature })
  await actOn(service, fallback, 'execute-stage')
  t.equal(await refuse('NotImplemented'), 'SignedUpdateFirmware')
  t.match(await takesUpdate(client), ['UpdateFirmware', { location: firmwareUrl }], 'it knows no signed firmware')
})

test('firmware rollout - a charge point is in one rollout at a time, and each that is wrong is named by its place', async (t) => {
  const service = await tenantOf(await sharedService())
  const other = await tenantOf(await sharedService())
  for (const id of ['ROLL-8A', 'ROLL-8B', 'ROLL-8C']) await service.register(id)
  await other.register('ROLL-8X')
  const first = await makeRollout(service, ['ROLL-8B', 'ROLL-8C'])
  const make = (charge_point_ids: readonly string[]) =>
    service.request('POST', rolloutPath, { charge_point_ids, firmware_url: firmwareUrl, strategy: 'all_at_once' })
  t.match(await make(['ROLL-8A', 'ROLL-8A', 'ROLL-8B', 'ROLL-8C']), {
    status: 409,
    body: {
      error: {
        code: 'charge_point_in_rollout',
        details: [
          { path: '/charge_point_ids/2', message: new RegExp(first) },
          { path: '/charge_point_ids/3', message: /ROLL-8C/ },
        ],
      },
    },
  })
  t.match(await make(['ROLL-8A', 'ROLL-8X', 'NOWHERE']), {
    status: 404,
    body: { error: { details: [{ path: '/charge_point_ids/1' }, { path: '/charge_point_ids/2' }] } },
  })
  const both = await Promise.all([make(['ROLL-8A']), make(['ROLL-8A'])])
  t.same(both.map(({ status }) => status).sort(), [201, 409], 'also when two are made at once')
  await actOn(service, first, 'stop')
  await until(async () => (await make(['ROLL-8B'])).status === 201)
})

test('firmware rollout - what a rollout cannot be made of', async (t) => {
  const service = await tenantOf(await sharedService())
  await service.register('ROLL-9')
  const right = { charge_point_ids: ['ROLL-9'], firmware_url: firmwareUrl, strategy: 'canary' }
  const wrong: readonly [object, string][] = [
    [{ firmware_url: 'http://firmware.example/2.0.bin' }, '/firmware_url'],
    [{ charge_point_ids: [] }, '/charge_point_ids'],
    [{ strategy: 'at_random' }, '/strategy'],
    [{ canary_size: 0 }, '/canary_size'],
    [{ batch_size: 2 }, '/batch_size'],
    [{ strategy: 'rolling', canary_size: 2 }, '/canary_size'],
    [{ target_version: ' ' }, '/target_version'],
    [{ signature: 'c2ln', signing_certificate: signing_certificate.replace('MII', 'AAA') }, '/signing_certificate'],
    ...[
      'localhost',
      'a.localhost.',
      '127.0.0.1',
      '0x7f.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '169.254.1.1',
      '[fe80::1]',
    ].map((host): [object, string] => [{ firmware_url: `https://${host}/2.0.bin` }, '/firmware_url']),
    [{ max_failure_percent: 101 }, '/max_failure_percent'],
    [{ start_at: 'tomorrow' }, '/start_at'],
    [{ signature: 'c2ln' }, '/signing_certificate'],
    [{ signing_certificate }, '/signature'],
  ]
  for (const [fields, path] of wrong)
    t.match(
      await service.request('POST', rolloutPath, { ...right, ...fields }),
      { status: 400, body: { error: { details: [{ path }] } } },
      JSON.stringify(fields),
    )
  const fields = { firmware_url: 'HTTPS://Firmware.example/2.0.bin', target_version: ' 2.0 ' }
  const id = await makeRollout(service, ['ROLL-9'], fields)
  const shown = { firmware_url: 'https://Firmware.example/2.0.bin', target_version: '2.0' }
  t.match(await rolloutOf(service, id), shown, 'letters of the scheme and white space do not matter')
})

test('firmware rollout - a charge point that is deleted, and registered by another organization, has ended there', async (t) => {
  const service = await tenantOf(await sharedService())
  const other = await tenantOf(await sharedService())
  const client = await updatable(service, 'ROLL-10A')
  const stays = await updatable(service, 'ROLL-10B')
  const id = await makeRollout(service, ['ROLL-10A', 'ROLL-10B'])
  await actOn(service, id, 'execute-stage')
  await takesUpdate(client)
  await takesUpdate(stays)
  t.equal((await service.request('DELETE', '/api/v1/chargepoints/ROLL-10A')).status, 204)
  const { chargers } = await rolloutOnce(service, id, ({ chargers: [one] }) => one.status === 'failed')
  t.match(chargers, [{ error: 'charge_point_removed' }, { status: 'sent' }])
  const elsewhere = await updatable(other, 'ROLL-10A')
  await elsewhere.boot({ firmwareVersion: '2.0' })
  t.ok(await makeRollout(other, ['ROLL-10A']), 'the other organization is told nothing of it')
  await stays.boot({ firmwareVersion: '2.0' })
  t.match(await rolloutOnce(service, id, isOver), {
    status: 'completed',
    installed: 1,
    failed: 1,
    stages: [{ status: 'completed' }],
    chargers: [{ status: 'failed', firmware_version: null }, { status: 'installed' }],
  })
})

test('firmware rollout - one that charges, and one that has the version already', async (t) => {
  const service = await tenantOf(await sharedService())
  const charging = await updatable(service, 'ROLL-11A')
  const { payload } = await charging.call('StartTransaction', startRequest())
  const has = await bootChargePoint(service, 'ROLL-11B')
  await has.boot({ firmwareVersion: ' 2.0 ' })
  const fields = { not_while_charging: true, target_version: '2.0' }
  const id = await makeRollout(service, ['ROLL-11A', 'ROLL-11B'], fields)
  await actOn(service, id, 'execute-stage')
  const found = await rolloutOnce(service, id, ({ installed }) => installed === 1)
  t.match(found.chargers, [
    { status: 'pending', waiting_for: 'end_of_charging' },
    { status: 'installed', sent_at: null, firmware_version: '2.0' },
  ])
  await actOn(service, id, 'pause')
  t.match(await rolloutOf(service, id), { chargers: [{ waiting_for: 'resume' }, { waiting_for: null }] })
  await actOn(service, id, 'resume')
  await rolloutOnce(service, id, ({ chargers: [one] }) => one.waiting_for === 'end_of_charging')
  const { transactionId } = payload as { readonly transactionId: number }
  await charging.call('StopTransaction', { transactionId, meterStop: 0, timestamp: new Date().toISOString() })
  // Not a minute later.
  await rolloutOnce(service, id, ({ chargers: [one] }) => one.waiting_for === null)
  t.match(await takesUpdate(charging), ['UpdateFirmware', {}])
})

test('firmware rollout - a boot with a version that is not the target completes no update', async (t) => {
  const service = await tenantOf(await sharedService())
  const client = await updatable(service, 'ROLL-13')
  const id = await makeRollout(service, ['ROLL-13'], { target_version: '2.0' })
  await actOn(service, id, 'execute-stage')
  await takesUpdate(client)
  await reports(client, 'Downloading')
  for (const _ of [1, 2]) await client.boot({ firmwareVersion: '1.5' })
  const { chargers } = await rolloutOnce(service, id, ({ chargers: [one] }) => one.firmware_version === '1.5')
  t.match(chargers, [{ status: 'downloading', error: null, detail: /It has booted with 1\.5\. It fails unless/ }])
  await client.boot({ firmwareVersion: '2.0' })
  t.match(await rolloutOnce(service, id, isOver), { status: 'completed', chargers: [{ detail: null }] })
  const { body } = await service.request('GET', '/api/v1/events?types=firmware.update_completed')
  t.same(
    body.data.map(({ data }: { readonly data: { readonly firmware_version: string } }) => data.firmware_version),
    ['2.0'],
  )
})

test('firmware rollout - the fleet by firmware, and the rollouts of the organization', async (t) => {
  const service = await tenantOf(await sharedService())
  const boot = async (id: string, fields: object) => (await bootChargePoint(service, id)).boot({ ...fields })
  await boot('ROLL-12A', { chargePointVendor: 'Alva', firmwareVersion: '1.0' })
  await boot('ROLL-12B', { chargePointVendor: 'Alva', firmwareVersion: '1.0' })
  await boot('ROLL-12C', { chargePointVendor: 'Alva', firmwareVersion: '1.1' })
  await boot('ROLL-12D', { chargePointVendor: 'Berta' })
  const list = async (query = '') => (await service.request('GET', `/api/v1/cpo/fleet/firmware${query}`)).body
  t.match(await list(), {
    total: 3,
    firmware: [
      { vendor: 'Alva', firmware_version: '1.0', count: 2, charge_point_ids: ['ROLL-12A', 'ROLL-12B'] },
      { vendor: 'Alva', firmware_version: '1.1', count: 1, charge_point_ids: ['ROLL-12C'] },
      { vendor: 'Berta', firmware_version: null, count: 1, charge_point_ids: ['ROLL-12D'] },
    ],
  })
  t.match(await list('?vendor=Berta'), { total: 1, firmware: [{ vendor: 'Berta' }] })
  t.match(await list('?vendor=Al'), { total: 0, firmware: [] })
  t.match(await list('?page=2&per_page=2'), { total: 3, firmware: [{ vendor: 'Berta' }] })
  t.match(await list('?site_id=sit_nowhere'), { total: 0, firmware: [] })
  const id = await makeRollout(service, ['ROLL-12A'])
  const rollouts = async (query: string) => (await service.request('GET', `${rolloutPath}${query}`)).body
  t.match(await rollouts('?status=pending'), {
    total: 1,
    rollouts: [{ rollout_id: id, charge_points: 1, stage_count: 1 }],
  })
  t.match(await rollouts('?status=failed'), { total: 0 })
})
