// What commissioning learns about a model, over the service as it is built: who may count on it, and what an organization corrects.

import { test } from 'tap'
import { type Box, commissioningOf, commissioningPath, connectBox, installedBox } from '../support/commissioning.js'
import { installerOf, type TestInstaller } from '../support/installer.js'
import { type Tenant, tenantOf } from '../support/organization.js'
import { registrationOf } from '../support/registration.js'
import { sharedService } from '../support/shared-services.js'
import { until } from '../support/until.js'

const service = await sharedService()
const modelsPath = '/api/v1/charge-point-models'
const boot = { chargePointVendor: 'Traits', chargePointModel: 'Deaf Box', firmwareVersion: '3.1' }

async function connectDeaf(id: string): Promise<Box> {
  const box = await connectBox(service, id, {
    keys: new Map([['ChargingScheduleAllowedChargingRateUnit', 'Current']]),
    answer(action, { key }) {
      if (action === 'TriggerMessage') return { status: 'NotImplemented' }
      return action === 'ChangeConfiguration' && key === 'MeterValueSampleInterval'
        ? { status: 'NotSupported' }
        : undefined
    },
  })
  await box.client.call('BootNotification', boot)
  await box.client.call('StatusNotification', { connectorId: 1, status: 'Available', errorCode: 'NoError' })
  return box
}

/** What the box was asked by TriggerMessage, and the evidence of the step `heartbeat`. */
async function commission(installer: TestInstaller, id: string) {
  const box = await connectDeaf(id)
  await installer.request('POST', commissioningPath(id, 'start'), { template_id: 'quick' })
  const session = await commissioningOf(installer, id, ({ status }) => status !== 'running')
  await box.client.close()
  const triggers = box.asked.filter((one) => one.startsWith('TriggerMessage'))
  return { session, triggers, evidence: session.steps[1].evidence }
}

const claim = (organization: Tenant, id: string) =>
  organization.request('POST', '/api/v1/chargepoints', registrationOf(id, { connector_count: 1 }))

test('model traits - what a claimed charge point has shown is known of the next one, and an organization may know better', async (t) => {
  const [first, second, third] = [await installerOf(service), await installerOf(service), await installerOf(service)]
  const [organization, other] = [await tenantOf(service), await tenantOf(service)]
  for (const [installer, id] of [
    [first, 'TRAITS-1'],
    [second, 'TRAITS-2'],
    [third, 'TRAITS-3'],
    [third, 'TRAITS-4'],
  ] as const)
    await installedBox(installer, id)
  const ours = async (tenant: Tenant) => {
    const { body } = await tenant.request('GET', `${modelsPath}?limit=100`)
    return body.data.filter(({ model }: { model: string }) => model === boot.chargePointModel)
  }

  const learning = await commission(first, 'TRAITS-1')
  t.match(learning.session, { status: 'completed' })
  t.same(learning.triggers, ['TriggerMessage Heartbeat', 'TriggerMessage StatusNotification'])
  t.same(await ours(organization), [], 'nobody vouches for a charge point that no organization has claimed')
  t.equal((await commission(second, 'TRAITS-2')).triggers.length, 2, 'another installer does not count on it')

  t.equal((await claim(organization, 'TRAITS-1')).status, 201)
  const [model] = await until(async () => {
    const found = await ours(other)
    return found.length > 0 && found
  })
  t.match(model, {
    model_id: /^mdl_/,
    vendor: 'Traits',
    firmware_version: '3.1',
    learned: {
      answers_pings: true,
      refused_keys: ['MeterValueSampleInterval'],
      triggers: { Heartbeat: false, StatusNotification: false },
    },
    traits: { triggers: { Heartbeat: false } },
    correction: null,
  })
  t.notMatch(JSON.stringify(model), new RegExp(`TRAITS-|${first.id}|${organization.id}`), 'nothing says whose it was')

  const knowing = await commission(third, 'TRAITS-3')
  t.match(knowing.session, { status: 'completed', result: 'passed' })
  t.same(knowing.triggers, [])
  t.match(knowing.evidence, [{ sent: 'TriggerMessage', outcome: 'not_asked', answer: 'NotImplemented' }])
  t.match(knowing.session.steps[1], { status: 'passed', detail: /known not to send a Heartbeat on request/ })

  const correction = `${modelsPath}/${model.model_id}/correction`
  const said = { triggers: { Heartbeat: true } }
  t.match(await other.request('PUT', correction, said), {
    status: 200,
    body: { correction: said, traits: { triggers: { Heartbeat: true, StatusNotification: false } } },
  })
  t.match(await organization.request('GET', `${modelsPath}/${model.model_id}`), {
    body: { correction: null, traits: { triggers: { Heartbeat: false } } },
  })
  t.equal((await claim(other, 'TRAITS-4')).status, 201)
  t.same((await commission(third, 'TRAITS-4')).triggers, ['TriggerMessage Heartbeat'], 'the owner says that it is sent')

  t.match(await other.request('PUT', correction, { triggers: { Heartbeat: null } }), {
    status: 200,
    body: { traits: { triggers: { StatusNotification: false } } },
  })
  t.equal((await other.request('DELETE', correction)).status, 204)
  t.equal((await other.request('DELETE', correction)).status, 404)
  t.equal((await other.request('PUT', `${modelsPath}/mdl_0/correction`, said)).status, 404)
  t.match(await other.request('PUT', correction, { actions: { Any: true } }), {
    status: 400,
    body: { error: { details: [{ path: '/actions/Any' }] } },
  })
  t.equal((await other.request('PUT', correction, { profile_purposes: ['Any'] })).status, 400)
})
