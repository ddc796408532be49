// What is told of reports that charge points leave out, repeat, or send again after their shard has died.

import { test } from 'tap'
import { actorOverStore } from './actor-over-store.js'

async function booted() {
  const actor = await actorOverStore('CP-1')
  await actor.attach(1, 100)
  await actor.call(1, 'BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' })
  return actor
}

const updates: readonly [string, readonly string[], readonly string[]][] = [
  ['in full', ['Downloading', 'Downloaded', 'Installing', 'Installed'], ['Downloading', 'Installed']],
  ['without its download', ['Installing', 'Installing', 'Installed', 'Installed'], ['Installing', 'Installed']],
  ['by its first half alone', ['Downloaded', 'Installing', 'Installed'], ['Downloaded', 'Installed']],
  ['by its end alone', ['Installed'], ['Installed']],
  ['that pauses', ['DownloadScheduled', 'Downloading', 'DownloadPaused', 'Downloading', 'Downloaded'], ['Downloading']],
  [
    'that waits',
    ['Downloading', 'Downloaded', 'InstallScheduled', 'Idle', 'InstallRebooting', 'Installed'],
    ['Downloading', 'Installed'],
  ],
  [
    'that fails and is tried again',
    ['Downloading', 'DownloadFailed', 'Downloading', 'Installed'],
    ['Downloading', 'Downloading', 'Installed'],
  ],
  [
    'that begins anew after one that was given up',
    ['Downloading', 'Downloaded', 'Downloading', 'Installed'],
    ['Downloading', 'Downloading', 'Installed'],
  ],
]

for (const [which, reported, told] of updates)
  test(`told once - an update that is reported ${which}`, async (t) => {
    const actor = await booted()
    for (const status of reported) await actor.call(1, 'SignedFirmwareStatusNotification', { status })
    const events = [...actor.events('firmware.update_started'), ...actor.events('firmware.update_completed')]
    t.same(
      events.map(({ status }) => status),
      told,
    )
  })

test('told once - an update that the charge point never calls installed, once it boots with another version', async (t) => {
  const actor = await booted()
  const boot = (firmwareVersion: string) =>
    actor.call(1, 'BootNotification', { chargePointVendor: 'V', chargePointModel: 'M', firmwareVersion })
  const report = (status: string) => actor.call(1, 'FirmwareStatusNotification', { status })
  await boot('1.0')
  await report('Downloading')
  await boot('1.0')
  t.same(actor.events('firmware.update_completed'), [], 'it runs what it ran before')
  await boot('2.0')
  t.equal(actor.events('firmware.update_completed').length, 1, 'its version shows it')
  await report('Installed')
  await boot('2.0')
  t.match(actor.events('firmware.update_completed'), [{ status: 'Installed', firmware_version: '2.0' }])
  t.equal(actor.events('firmware.update_completed').length, 1)
})

test('told once - a security event that is sent again, which no other is', async (t) => {
  const actor = await booted()
  const report = (type: string, second: number, more = {}) =>
    actor.call(1, 'SecurityEventNotification', { type, timestamp: `2026-01-01T23:00:0${second}Z`, ...more })
  await report('TamperDetectionActivated', 1)
  await report('ResetOrReboot', 2)
  actor.restart()
  await actor.attach(1, 100)
  await report('TamperDetectionActivated', 1)
  await report('ResetOrReboot', 2)
  await report('ResetOrReboot', 3)
  await report('ResetOrReboot', 3, { techInfo: 'watchdog' })
  t.same(
    actor.events('alert.triggered').map(({ details }) => details),
    [
      { security_event: 'TamperDetectionActivated', reported_at: '2026-01-01T23:00:01.000Z' },
      { security_event: 'ResetOrReboot', reported_at: '2026-01-01T23:00:02.000Z' },
      { security_event: 'ResetOrReboot', reported_at: '2026-01-01T23:00:03.000Z' },
      { security_event: 'ResetOrReboot', reported_at: '2026-01-01T23:00:03.000Z', tech_info: 'watchdog' },
    ],
  )
})

test('told once - the words of a security event are shown without secrets and without what breaks lines', async (t) => {
  const actor = await booted()
  const told =
    'ftp://box:S3cret@files.example/x failed;\n AuthorizationKey=0123abcd\u202e, wifi_password: hunter2 on line=3'
  await actor.call(1, 'SecurityEventNotification', {
    type: 'Firmware\u001b[2J',
    timestamp: '2026-01-01T23:00:01Z',
    techInfo: told,
  })
  await actor.call(1, 'SecurityEventNotification', {
    type: 'Long',
    timestamp: '2026-01-01T23:00:02Z',
    techInfo: 'x'.repeat(5_000),
  })
  const [first, second] = actor.events('alert.triggered')
  t.equal(first.message, 'the charge point reports a security event: Firmware[2J')
  t.equal(
    first.details.tech_info,
    'ftp://box:redacted@files.example/x failed; AuthorizationKey=(redacted) wifi_password: (redacted) on line=3',
  )
  t.equal(second.details.tech_info, 'x'.repeat(255))
})

test('told once - a completed update has the new version once the charge point has booted with it, and null before', async (t) => {
  const actor = await booted()
  const boot = (firmwareVersion: string) =>
    actor.call(1, 'BootNotification', { chargePointVendor: 'V', chargePointModel: 'M', firmwareVersion })
  const report = async (...statuses: string[]) => {
    for (const status of statuses) await actor.call(1, 'FirmwareStatusNotification', { status })
  }
  await boot('1.0')
  await report('Downloading', 'Installing', 'Installed')
  await boot('2.0')
  await report('Downloading', 'Installing')
  await boot('3.0')
  await report('Installed')
  const versions = (name: string) => actor.events(name).map(({ firmware_version }) => firmware_version)
  t.same(versions('firmware.update_started'), ['1.0', '2.0'])
  t.same(versions('firmware.update_completed'), [null, '3.0'])
})
