// What becomes of one charge point of a rollout, by what it says and boots with, and by the time that passes.

import { test } from 'tap'
import { limits } from '../../../src/actors/firmware-rollout/limits.js'
import { answered, type Facts, look, said, sent } from '../../../src/actors/firmware-rollout/progress.js'
import { type FirmwareRollout, type RolloutChargePoint, statusOfUpdate } from '../../../src/records/firmware-rollout.js'

const minute = 60_000
const begin = Date.parse('2026-11-23T00:00:00.000Z')

const rollout: FirmwareRollout = {
  rollout_id: 'rol_1',
  organization_id: 'org_1',
  status: 'in_progress',
  strategy: 'all_at_once',
  firmware_url: 'https://firmware.example/2.0.bin',
  charge_point_count: 1,
  first_stage_size: 1,
  next_stage_size: 1,
  started_stages: 1,
  max_failure_percent: 20,
  created_by: 'api_key:key_1',
  created_at: new Date(begin).toISOString(),
}

const waiting: RolloutChargePoint = {
  rollout_id: 'rol_1',
  place: 0,
  stage: 1,
  charge_point_id: 'CP-1',
  organization_id: 'org_1',
  registered_at: rollout.created_at,
  standing: 'waiting',
  updated_at: rollout.created_at,
}

/** A charge point that runs version 1.0; what happens to it takes a minute each. */
function updated(fields: Partial<FirmwareRollout> = {}, before: Partial<Facts> = {}) {
  const of = { ...rollout, ...fields }
  let now = begin
  let facts: Facts = {
    isOnline: true,
    isAccepted: true,
    connectedAt: 0,
    bootedAt: 0,
    isCharging: false,
    version: '1.0',
    ...before,
  }
  let row = answered(sent(waiting, 'cmd_1', facts, now), of, { type: 'answered', payload: {}, responseTimeMs: 1 }, now)
  const seen = () => {
    const found = look(row, of, facts, now)
    row = found.row
    return { ...row, status: statusOfUpdate(row), isSent: found.type === 'send' }
  }
  return {
    says(...statuses: string[]) {
      for (const status of statuses) {
        now += minute
        row = said(row, of, { status }, now)
      }
      return seen()
    },
    boots(version: string | undefined) {
      now += minute
      const { version: _, ...rest } = facts
      facts = { ...rest, bootedAt: now, ...(version !== undefined && { version }) }
      return seen()
    },
    after(ms: number) {
      now += ms
      return seen()
    },
    answers(outcome: Parameters<typeof answered>[2]) {
      row = answered(sent(waiting, 'cmd_1', facts, now), of, outcome, now)
      return seen()
    },
  }
}

test('firmware progress - statuses that are repeated, missing or out of order come to the version that it boots with', (t) => {
  const odd: readonly (readonly string[])[] = [
    ['Downloading', 'Downloaded', 'Installing', 'Installed', 'Installed'],
    ['Installed', 'Installed', 'Downloading', 'Idle', 'Installing'],
    ['Idle'],
    [],
  ]
  for (const statuses of odd) {
    const one = updated()
    one.says(...statuses)
    t.match(one.boots('2.0'), { standing: 'installed', firmware_version: '2.0' }, statuses.join())
    t.match(
      one.says('Installed', 'InstallationFailed'),
      { standing: 'installed' },
      'and what it says then changes nothing',
    )
  }
  t.end()
})

test('firmware progress - installed before the boot is believed until the boot says otherwise', (t) => {
  const never = updated()
  t.match(never.says('Installed'), { standing: 'updating', status: 'installed' })
  t.match(never.after(limits.bootsWithinMs - 1), { standing: 'updating' })
  t.match(never.after(1), { standing: 'installed' }, 'it never boots: its word is all there is')

  const old = updated()
  old.says('Installed')
  t.match(old.boots('1.0'), { standing: 'updating' }, 'it may boot once more')
  t.match(old.after(limits.bootsWithinMs), { standing: 'failed', error: 'version_unchanged', firmware_version: '1.0' })

  const twice = updated()
  twice.says('Installed')
  twice.boots('1.0')
  t.match(twice.boots('2.0'), { standing: 'installed' })

  const other = updated({ target_version: '2.0' })
  other.says('Installed')
  other.boots('1.5')
  t.match(other.after(limits.bootsWithinMs), { standing: 'failed', error: 'other_version' })

  const nameless = updated({}, { version: undefined as never })
  nameless.boots(undefined)
  t.match(nameless.says('Installed'), { standing: 'installed' }, 'one that names no version is believed at once')
  t.end()
})

test('firmware progress - a boot with a version that is neither the target nor the one before is an answer', (t) => {
  const one = updated({ target_version: '2.0' })
  one.says('Downloading')
  const until = new Date(begin + 2 * minute + limits.bootsWithinMs).toISOString()
  const meanwhile = one.boots('1.5')
  t.match(meanwhile, { standing: 'updating', firmware_version: '1.5' })
  t.equal(meanwhile.detail, `It has booted with 1.5. It fails unless it boots with 2.0 before ${until}.`)
  t.match(one.after(limits.bootsWithinMs - 2 * minute), { standing: 'updating' })
  t.match(one.boots('1.5'), { standing: 'updating' }, 'the time runs from the first such boot')
  t.match(one.after(minute), { standing: 'failed', error: 'other_version', detail: /booted with 1\.5/ })

  const comes = updated({ target_version: '2.0' })
  comes.boots('1.5')
  const { standing, detail } = comes.boots('2.0')
  t.same([standing, detail], ['installed', undefined])

  const back = updated({ target_version: '2.0' })
  back.boots('1.5')
  t.match(back.boots('1.0'), { standing: 'updating', detail: undefined })
  t.match(back.after(limits.bootsWithinMs), { standing: 'updating' }, 'it may begin anew')

  const unnamed = updated({ target_version: '2.0' }, { version: undefined as never })
  unnamed.boots('1.5')
  t.match(unnamed.says('Installed'), { standing: 'updating', detail: /booted with 1\.5/ })
  t.match(unnamed.after(limits.bootsWithinMs), { error: 'other_version' }, 'what it ran before does not matter')

  const old = updated()
  old.says('Installed')
  t.match(old.boots('1.0'), {
    detail: /^It has booted with 1\.0, as before\. It fails unless it boots with another version/,
  })
  t.end()
})

test('firmware progress - the version that was named is the one that counts', (t) => {
  const one = updated({ target_version: '2.0' })
  t.match(one.boots('1.5'), { standing: 'updating', firmware_version: '1.5' })
  t.match(one.boots('2.0'), { standing: 'installed', firmware_version: '2.0' })
  const has = look(
    waiting,
    { ...rollout, target_version: '1.0' },
    { isOnline: false, isAccepted: true, isCharging: false, version: '1.0' },
    begin,
  )
  t.match(has, { type: 'row', row: { standing: 'installed', detail: /already/ } }, 'one that has it is sent nothing')
  t.end()
})

test('firmware progress - other hardware under the same id is sent the update, whatever it boots with', (t) => {
  const facts: Facts = { isOnline: true, isAccepted: true, isCharging: false, version: '1.0', serialNumber: '1' }
  const row = sent(waiting, 'cmd_1', facts, begin)
  const now = begin + minute
  const seen = (serialNumber: string, fields: Partial<FirmwareRollout> = {}) =>
    look(row, { ...rollout, ...fields }, { ...facts, bootedAt: now, version: '1.5', serialNumber }, now)
  t.match(seen('1'), { row: { standing: 'installed' } })
  t.match(seen('2'), { type: 'send', row: { first_sent_at: undefined, version_before: undefined } })
  t.match(seen('2', { target_version: '1.5' }), { row: { standing: 'installed' } }, 'unless it has the version already')
  t.end()
})

test('firmware progress - an update that comes to no end has failed after a day', (t) => {
  const one = updated()
  t.match(one.says('Downloading'), { status: 'downloading' })
  t.match(one.after(limits.updateMs - 2 * minute), { standing: 'updating' })
  t.match(one.after(2 * minute), { standing: 'updating' }, 'and some minutes, since the clock may be wrong')
  t.match(one.after(limits.overdueMs - 1), { standing: 'updating' })
  t.match(one.after(1), { standing: 'failed', error: 'timeout' })
  const jumped = updated()
  t.match(jumped.after(2 * limits.updateMs), { standing: 'updating' }, 'the clock has jumped ahead')
  t.match(jumped.after(-2 * limits.updateMs + minute), { standing: 'updating', overdue_at: undefined })
  t.match(jumped.after(limits.updateMs), { standing: 'updating' })
  t.match(jumped.after(limits.overdueMs), { error: 'timeout' })
  t.end()
})

test('firmware progress - a download that fails may be tried again, where the rollout says so', (t) => {
  t.match(updated().says('Downloading', 'DownloadFailed'), { standing: 'failed', error: 'download_failed' })
  const again = updated({ retries: 3, retry_interval_seconds: 60 })
  t.match(again.says('Downloading', 'DownloadFailed'), { standing: 'updating' })
  t.match(again.says('Downloading'), { standing: 'updating', status: 'downloading' })
  t.match(again.after(3_600_000), { standing: 'updating' })
  again.says('DownloadFailed')
  t.match(again.after(60_000 + limits.downloadAgainMs), { standing: 'failed', error: 'download_failed' })
  t.end()
})

test('firmware progress - statuses of another signed update are not of this one', (t) => {
  const row = {
    ...sent(waiting, 'cmd_1', { isOnline: true, isAccepted: true, isCharging: false }, begin),
    request_id: 7,
  }
  t.equal(said(row, rollout, { status: 'InvalidSignature', requestId: 6 }, begin), row)
  t.match(said(row, rollout, { status: 'InvalidSignature', requestId: 7 }, begin), { error: 'invalid_signature' })
  t.end()
})

test('firmware progress - what a charge point answers', (t) => {
  const signed = { signature: 'c2ln', signing_certificate: 'PEM' }
  const error = (code: string) =>
    ({ type: 'call-error', code, description: '', details: {}, responseTimeMs: 1 }) as const
  const status = (status: string) => ({ type: 'answered', payload: { status }, responseTimeMs: 1 }) as const
  t.match(updated().answers(error('NotSupported')), {
    error: 'signed_firmware_required',
    detail: /signing_certificate/,
  })
  t.match(updated().answers(error('NotImplemented')), { error: 'not_supported' })
  t.match(updated().answers(error('InternalError')), { error: 'refused', detail: /InternalError/ })
  t.match(
    updated(signed).answers(error('NotSupported')),
    { isSent: true, is_unsigned: true },
    'the unsigned one is sent',
  )
  t.match(updated(signed).answers(status('InvalidCertificate')), { error: 'invalid_certificate' })
  t.match(updated(signed).answers(status('Rejected')), { error: 'refused' })
  t.match(updated(signed).answers(status('AcceptedCanceled')), { standing: 'updating' })
  t.match(updated().answers({ type: 'offline' }), { isSent: true, sent_at: undefined }, 'it was sent nothing')
  t.end()
})

test('firmware progress - an answer that is lost: it is sent again, unless the charge point has begun', (t) => {
  const lost = updated()
  t.match(lost.answers({ type: 'timeout' }), { standing: 'queued', isSent: false })
  t.match(lost.after(limits.connectedMs - 1), { isSent: false })
  t.match(lost.after(1), { isSent: true })
  const began = updated()
  began.answers({ type: 'connection-lost' })
  t.match(began.says('Downloading'), { standing: 'updating', isSent: false }, 'it was sent')
  const booted = updated()
  booted.answers({ type: 'connection-lost' })
  t.match(booted.boots('2.0'), { standing: 'installed' }, 'it was sent')
  t.end()
})

test('firmware progress - each that has failed says what has happened, and what to do', (t) => {
  const error = (code: string) =>
    ({ type: 'call-error', code, description: '', details: {}, responseTimeMs: 1 }) as const
  const failed = [
    updated().says('DownloadFailed'),
    updated().says('InvalidSignature'),
    updated().says('InstallationFailed'),
    updated().answers(error('InternalError')),
    updated().answers(error('NotImplemented')),
    updated().answers({ type: 'answered', payload: { status: 'InvalidCertificate' }, responseTimeMs: 1 }),
  ]
  for (const { detail, error } of failed)
    t.match(detail, /^It (reported|answered) [A-Za-z]+\. .{30,}\.$/, String(error))
  const silent = updated()
  t.match(silent.answers({ type: 'timeout' }), { status: 'pending', detail: /not answered 1 of 3 times/ })
  t.match(silent.says('Downloading'), { status: 'downloading', detail: undefined })
  t.end()
})

test('firmware progress - where no record tells whether it was sent, no attempt is counted', (t) => {
  const facts: Facts = { isOnline: true, isAccepted: true, isCharging: false, version: '1.0', connectedAt: begin - 1 }
  let row = waiting
  let now = begin
  for (let times = 1; times < limits.lostSendings; times++) {
    row = sent(row, `cmd_${times}`, facts, now)
    const connected = { ...facts, connectedAt: ++now }
    row = look(row, rollout, connected, now).row
    t.match(
      row,
      { standing: 'queued', unanswered: undefined, command_id: `cmd_${times}` },
      `it connects anew, ${times}`,
    )
    t.match(look(row, rollout, connected, now + limits.connectedMs - 1), { type: 'row' })
    now += limits.connectedMs
    t.match(look(row, rollout, connected, now), { type: 'send' })
  }
  const answer = answered(row, rollout, { type: 'answered', payload: {}, responseTimeMs: 1 }, now)
  t.match(answer, { standing: 'updating', lost: undefined }, 'an answer that comes late counts')
  row = sent(row, 'cmd_last', facts, now)
  t.match(look(row, rollout, facts, now + limits.answerLostMs), { row: { standing: 'failed', error: 'no_answer' } })
  t.end()
})

test('firmware progress - when a charge point is not sent its update', (t) => {
  const facts: Facts = {
    isOnline: true,
    isAccepted: true,
    connectedAt: begin - 60_000,
    bootedAt: begin - 59_000,
    isCharging: false,
    version: '1.0',
  }
  const at = (more: Partial<Facts>, of: Partial<FirmwareRollout> = {}) =>
    look(waiting, { ...rollout, ...of }, { ...facts, ...more }, begin)
  t.match(at({}), { type: 'send' })
  t.match(at({ isOnline: false }), { type: 'row', row: { standing: 'offline' } })
  t.match(at({ isAccepted: false }), { type: 'row', row: { standing: 'offline' } })
  t.match(at({ isCharging: true }), { type: 'send' })
  t.match(at({ isCharging: true }, { not_while_charging: true }), { type: 'row', row: { standing: 'charging' } })
  t.match(at({ connectedAt: begin - 1 }), { type: 'row', row: { standing: 'queued' } }, 'it may be about to boot')
  t.match(at({}, { start_at: new Date(begin + 1).toISOString() }), { type: 'row', row: { due_at: begin + 1 } })
  t.match(at({}, { status: 'paused' }), { type: 'row', row: { standing: 'waiting' } })
  t.match(look(waiting, rollout, undefined, begin), { row: { standing: 'gone', error: 'charge_point_removed' } })
  t.end()
})
