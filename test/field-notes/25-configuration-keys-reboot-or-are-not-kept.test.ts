// Field note 25 (lbbrhzn#1275, #1363, #1036): a charge point that restarts when one of its keys is read, keeps the last of several
// measurands, and has keys that are read-only or too short for a list.

import { test } from 'tap'
import { connectOcpp, type OcppClient } from '../support/ocpp-client.js'
import { sharedService } from '../support/shared-services.js'
import { until } from '../support/until.js'

const id = 'CP-25-1'
const path = `/api/v1/chargepoints/${id}/configuration`

test('configuration keys restart the charge point, are not kept, read-only or too short - each says so, and the others are applied', async (t) => {
  const service = await sharedService()
  await service.register(id)
  const keys = new Map([
    ['HeartbeatInterval', '60'],
    ['MeterValuesSampledData', 'Voltage'],
    ['MeterValuesAlignedData', 'Voltage'],
    ['MeterValuesAlignedDataMaxLength', '1'],
    ['AuthorizeRemoteTxRequests', 'true'],
    ['Cursed', 'x'],
    ['ConnectionTimeOut', '60'],
  ])
  const readOnly = ['AuthorizeRemoteTxRequests']
  const read: string[][] = []

  /** Undefined where it restarts instead of an answer. */
  function answer(action: unknown, { key, value }: { readonly key: string & string[]; readonly value: string }) {
    if (action === 'ChangeConfiguration') {
      if (readOnly.includes(key)) return { status: 'Rejected' }
      keys.set(key, key === 'MeterValuesSampledData' ? (value.split(',').at(-1) ?? '') : value)
      return { status: 'Accepted' }
    }
    read.push(key)
    if (key.includes('Cursed')) return undefined
    const known = key.filter((name) => keys.has(name))
    return {
      configurationKey: known.map((name) => ({ key: name, readonly: readOnly.includes(name), value: keys.get(name) })),
      unknownKey: key.filter((name) => !keys.has(name)),
    }
  }

  async function live(): Promise<void> {
    for (;;) {
      const client: OcppClient = await connectOcpp(`${service.ocppUrl}/${id}`)
      await client.boot()
      for (let restarts = false; !restarts; ) {
        const frame = await Promise.race([client.nextFrame(), isOver])
        if (frame === undefined) return client.close()
        const [, messageId, action, payload] = frame
        const answered = answer(action, payload as Parameters<typeof answer>[1])
        restarts = answered === undefined
        if (answered !== undefined) client.raw(JSON.stringify([3, messageId, answered]))
      }
      await client.close()
    }
  }

  let end = (): void => undefined
  const isOver = new Promise<undefined>((resolve) => {
    end = () => resolve(undefined)
  })
  const life = live()
  const overrides = {
    HeartbeatInterval: 300,
    MeterValuesSampledData: 'Energy.Active.Import.Register,Power.Active.Import',
    MeterValuesAlignedData: 'Energy.Active.Import.Register,Power.Active.Import',
    AuthorizeRemoteTxRequests: false,
    Cursed: 'y',
    ConnectionTimeOut: 120,
    MeterValueSampleInterval: null,
    AuthorizationCacheEnabled: null,
    LocalAuthListEnabled: null,
    AllowOfflineTxForUnknownId: null,
    StopTransactionOnEVSideDisconnect: null,
  }
  t.equal((await service.request('PATCH', path, { template_id: 'standard', overrides })).status, 200)
  t.equal((await service.request('POST', `${path}/apply`)).status, 202)
  const application = await until(async () => {
    const { body } = await service.request('GET', path)
    return body.application.status !== 'running' && body.application
  })
  end()
  await life
  t.match(application, { status: 'completed', applied_keys: 2, reboots: 2 })
  const outcomes = Object.fromEntries(
    application.keys.map(({ key, outcome }: { key: string; outcome: string }) => [key, outcome]),
  )
  t.same(outcomes, {
    AuthorizeRemoteTxRequests: 'read_only',
    ConnectionTimeOut: 'applied',
    Cursed: 'reboots',
    HeartbeatInterval: 'applied',
    MeterValuesAlignedData: 'too_long',
    MeterValuesSampledData: 'other_value',
  })
  t.equal(read.filter((asked) => asked.includes('Cursed')).length, 2, 'once among others, and once alone')
})
