// CDRs and what corrects them: each that was made reaches the partner, whatever else happens in the turn that makes it.

import { test } from 'tap'
import { limits } from '../../../src/actors/ocpi-partner/limits.js'
import { type OcpiCdrPush, ocpiCdrPushesTable } from '../../../src/records/ocpi-push.js'
import { createStage, hour, minute, type Stage, second } from './stage.js'

const corrected = ['ses_1', 'ses_1-C', 'ses_1-2']

function posted(stage: Stage): readonly string[] {
  return stage.pushed.filter(({ path }) => path === 'cdrs').map(({ body }) => body.id)
}

/** As a version has left it whose turn did not see the CDRs that it had made. */
async function forgetCorrection(stage: Stage, sessionId = 'ses_1'): Promise<void> {
  const { next_attempt_at: _, is_posted: __, sent, ...row } = stage.cdr(sessionId) as OcpiCdrPush
  await stage.put(ocpiCdrPushesTable, { ...row, sent: sent.slice(0, 1) })
}

test('ocpi partner - a correction is posted, whenever the answer to the first CDR comes', async (t) => {
  for (const modules of [['cdrs'], ['cdrs', 'sessions']])
    for (let turns = 0; turns < 10; turns++) {
      const stage = createStage()
      await stage.register({}, modules)
      await stage.start('ses_1')
      stage.partner(() => ({ afterMs: second }))
      await stage.end('ses_1', 10)
      stage.clock.advance(second - limits.ocpiIdleReadEveryMs)
      Object.assign(stage.sessions.get('ses_1') ?? {}, { bill: 12 })
      await stage.append('session.reconciled', { session_id: 'ses_1' })
      for (let turn = 0; turn < turns; turn++) await stage.turn()
      stage.clock.advance(second)
      await stage.pass(minute)
      t.same(posted(stage), corrected, `${modules} ${turns}`)
    }
})

test('ocpi partner - a CDR that nothing would post is found at the next start, once a day, and when the partner changes', async (t) => {
  const again: ((stage: Stage) => Promise<void>)[] = [
    (stage) => stage.restart(),
    async (stage) => stage.pass(limits.ocpiCompareEveryMs),
    (stage) => stage.register({}, ['cdrs']),
  ]
  for (const find of again) {
    const stage = createStage()
    await stage.register({}, ['cdrs'])
    await stage.pass(minute)
    await stage.start('ses_1')
    await stage.end('ses_1', 10)
    await stage.end('ses_1', 12)
    t.same(posted(stage), corrected)
    await forgetCorrection(stage)
    await stage.pass(hour)
    t.equal(posted(stage).length, 3, 'nothing looks meanwhile')
    await find(stage)
    await stage.pass(minute)
    t.same(posted(stage), [...corrected, ...corrected.slice(1)])
    t.match(stage.cdr('ses_1'), { sent: corrected.map((cdr_id) => ({ cdr_id })) })
    await stage.restart()
    await stage.pass(minute)
    t.equal(posted(stage).length, 5, 'and it is posted once')
  }
})

test('ocpi partner - the comparison goes through all sessions, and posts none that the partner reads by itself', async (t) => {
  const stage = createStage()
  const count = 2 * limits.ocpiComparedPerTurn + 1
  await stage.register({}, [])
  for (let at = 0; at < count; at++) {
    await stage.start(`ses_${at}`)
    await stage.end(`ses_${at}`)
  }
  await stage.register({}, ['cdrs'])
  await stage.pass(minute)
  t.same(posted(stage), [], 'they were made while it had no place for CDRs')
  const rows = Array.from({ length: count }, (_, at) => stage.cdr(`ses_${at}`) as OcpiCdrPush)
  await stage.put(ocpiCdrPushesTable, ...rows.map((row) => ({ ...row, is_posted: true as const })))
  await stage.restart()
  await stage.pass(minute)
  t.same([...posted(stage)].sort(), rows.map(({ session_id }) => session_id).sort())
})

test('ocpi partner - what changes while its call is under way is compared with what that call has told', async (t) => {
  const stage = createStage()
  await stage.register({}, ['tariffs', 'chargingprofiles'])
  stage.partner(() => ({ afterMs: second }))
  stage.tariffs.set('T1', 'monday')
  stage.profiles.set('ses_1', 'sixteen')
  await stage.tell({ type: 'limit-changed', sessionId: 'ses_1' })
  await stage.pass(limits.ocpiLookEveryMs)
  t.same(stage.lines().sort(), ['PUT chargingprofiles/ses_1', 'PUT tariffs/T1'])
  stage.profiles.set('ses_1', 'ten')
  await stage.tell({ type: 'limit-changed', sessionId: 'ses_1' })
  stage.profiles.set('ses_1', 'sixteen')
  await stage.tell({ type: 'limit-changed', sessionId: 'ses_1' })
  await stage.pass(minute)
  t.same(
    stage.pushed.filter(({ path }) => path.startsWith('chargingprofiles')).map(({ body }) => body),
    ['sixteen', 'ten', 'sixteen'],
  )
  stage.partner(() => ({ afterMs: 2 * limits.ocpiLookEveryMs }))
  stage.tariffs.set('T1', 'tuesday')
  await stage.pass(limits.ocpiLookEveryMs)
  stage.tariffs.set('T1', 'wednesday')
  stage.unsaid.add('T1')
  await stage.pass(minute)
  t.same(
    stage.lines().filter((line) => line.endsWith('T1')),
    ['PUT tariffs/T1', 'PUT tariffs/T1', 'DELETE tariffs/T1'],
  )
})
