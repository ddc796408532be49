// What becomes of rollouts of firmware when the service is killed in the middle of them.

import { historyOf } from '../support/charge-point.js'
import { testOverKill } from '../support/over-a-kill.js'
import { actOn, comesBack, makeRollout, reports, rolloutOnce, takesUpdate, updatable } from '../support/rollout.js'

// biome-ignore lint/suspicious/noExplicitAny: the answer of the API
const isCompleted = ({ status }: any): boolean => status === 'completed'

testOverKill('firmware rollout - an update that was answered is not sent again, and goes on', async (_, service) => {
  const client = await updatable(service, 'KILL-1')
  const id = await makeRollout(service, ['KILL-1'])
  await actOn(service, id, 'execute-stage')
  await takesUpdate(client)
  await rolloutOnce(service, id, ({ chargers: [one] }) => one.status === 'sent')
  return async (t, service) => {
    const back = await comesBack(service, 'KILL-1', '1.0')
    await reports(back, 'Downloading')
    await rolloutOnce(service, id, ({ chargers: [one] }) => one.status === 'downloading')
    await back.boot({ firmwareVersion: '2.0' })
    t.match(await rolloutOnce(service, id, isCompleted), { installed: 1, failed: 0 })
    t.equal((await historyOf(service, 'KILL-1')).length, 1)
  }
})

testOverKill(
  'firmware rollout - an update whose answer was lost is sent again, unless it has begun',
  async (_, service) => {
    const [silent, busy] = [await updatable(service, 'KILL-2A'), await updatable(service, 'KILL-2B')]
    const id = await makeRollout(service, ['KILL-2A', 'KILL-2B'])
    await actOn(service, id, 'execute-stage')
    for (const client of [silent, busy]) await client.nextFrame()
    return async (t, service) => {
      const [again, begun] = [await comesBack(service, 'KILL-2A', '1.0'), await comesBack(service, 'KILL-2B', '1.0')]
      await reports(begun, 'Downloading')
      t.match(await takesUpdate(again), ['UpdateFirmware', {}])
      await again.boot({ firmwareVersion: '2.0' })
      await begun.boot({ firmwareVersion: '2.0' })
      t.match(await rolloutOnce(service, id, isCompleted), { installed: 2 })
      t.same(await historyOf(service, 'KILL-2B'), [], 'it was sent nothing more')
    }
  },
)

testOverKill(
  'firmware rollout - a charge point that was away is sent the update after the restart',
  async (_, service) => {
    await (await updatable(service, 'KILL-3')).close()
    const id = await makeRollout(service, ['KILL-3'])
    await actOn(service, id, 'execute-stage')
    await rolloutOnce(service, id, ({ chargers: [one] }) => one.waiting_for === 'connection')
    return async (t, service) => {
      const back = await comesBack(service, 'KILL-3', '1.0')
      t.match(await takesUpdate(back), ['UpdateFirmware', {}])
      await back.boot({ firmwareVersion: '2.0' })
      t.match(await rolloutOnce(service, id, isCompleted), { installed: 1 })
    }
  },
)

testOverKill(
  'firmware rollout - what a charge point has been answered is known, and a stage that has begun goes on',
  async (_, service, atLast) => {
    const ids = ['KILL-4A', 'KILL-4B']
    const [first] = await Promise.all(ids.map((id) => updatable(service, id)))
    const id = await makeRollout(service, ids, { strategy: 'canary', soak_minutes: 0 })
    await actOn(service, id, 'execute-stage')
    await takesUpdate(first as NonNullable<typeof first>)
    atLast(async () => {
      await first?.boot({ firmwareVersion: '2.0' })
    })
    return async (t, service) => {
      await rolloutOnce(service, id, ({ started_stages, installed }) => started_stages === 2 && installed === 1)
      const back = await comesBack(service, 'KILL-4B', '1.0')
      t.match(await takesUpdate(back), ['UpdateFirmware', {}])
      await back.boot({ firmwareVersion: '2.0' })
      t.match(await rolloutOnce(service, id, isCompleted), { installed: 2 })
    }
  },
)
