// Rollouts of more charge points than are entered in one commit: all of them, in their order, or none.

import { test } from 'tap'
import { limits } from '../../src/api/areas/firmware/limits.js'
import { putRow } from '../../src/api/pipeline/changes.js'
import { chargePointsTable } from '../../src/records/charge-point.js'
import { firmwareRolloutsTable, rolloutChargePointsTable } from '../../src/records/firmware-rollout.js'
import { registeredRow } from '../support/registration.js'
import { until } from '../support/until.js'
import { createTestApi, type TestApi } from './fixture.js'

const path = '/api/v1/cpo/firmware/rollout'
const count = 2 * limits.enteredAtOnce + 10

async function withChargePoints(): Promise<{ readonly service: TestApi; readonly ids: readonly string[] }> {
  const service = await createTestApi()
  const { organizationId: organization_id } = service.operator
  const ids = Array.from({ length: count }, (_, at) => `CP-${at}`)
  await service.commit(...ids.map((id) => putRow(chargePointsTable, registeredRow(id, { organization_id }))))
  return { service, ids }
}

const make = (service: TestApi, charge_point_ids: readonly string[]) =>
  service.call('POST', path, { charge_point_ids, firmware_url: 'https://firmware.example/2.bin', strategy: 'rolling' })

test('large rollouts - the charge points are in the order of the request', async (t) => {
  const { service, ids } = await withChargePoints()
  const { status, body } = await make(service, ids)
  t.equal(status, 201)
  t.match(body, { charge_points: count, batch_size: count / 10, stage_count: 10 })
  const { body: read } = await service.call('GET', `${path}/${body.rollout_id}`)
  t.same(read.chargers, body.chargers)
  t.same(
    read.chargers.map((one: { charge_point_id: string }) => one.charge_point_id),
    ids,
  )
  t.same(read.stages[1].charge_point_ids, ids.slice(count / 10, (2 * count) / 10))
  t.match(await service.call('POST', `${path}/${body.rollout_id}/execute-stage`), { status: 200, body: { stage: 1 } })
})

test('large rollouts - where another rollout takes a charge point meanwhile, none is made, and nothing is left of it', async (t) => {
  const { service, ids } = await withChargePoints()
  const taken = ids[limits.enteredAtOnce] as string
  const { commit } = service.services
  let other = ''
  Object.assign(service.services, {
    async commit(...asked: Parameters<typeof commit>) {
      const result = await commit(...asked)
      // Behind the commit of the first part.
      Object.assign(service.services, { commit })
      other = (await make(service, [taken])).body.rollout_id
      return result
    },
  })
  t.match(await make(service, ids), { status: 409, body: { error: { code: 'charge_point_in_rollout' } } })
  const view = service.store.view()
  await until(() => view.list(firmwareRolloutsTable, []).length === 1)
  t.match(view.list(rolloutChargePointsTable, []), [{ rollout_id: other, charge_point_id: taken }])
  t.equal(view.list(rolloutChargePointsTable, []).length, 1)
  t.equal((await make(service, ids.slice(0, limits.enteredAtOnce))).status, 201, 'the others can be in another one')
})
