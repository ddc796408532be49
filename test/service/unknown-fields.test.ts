// Unknown fields over the sockets of a running service.

import { test } from 'tap'
import { tenantOf } from '../support/organization.js'
import { sharedService } from '../support/shared-services.js'

test('unknown fields - a running service names them, and refuses them where that is preferred', async (t) => {
  const service = await tenantOf(await sharedService())
  await service.register('UF-1')
  const path = '/api/v1/chargepoints/UF-1'
  const taken = await service.request('PATCH', `${path}?dry=1`, { name: 'New', größe: 1, 'x\r\ny': 1 })
  t.equal(taken.status, 200)
  t.equal(taken.headers.get('x-ampshard-unknown-fields'), '/gr%C3%B6%C3%9Fe, /x%0D%0Ay, dry')
  t.equal(taken.body.name, 'New')
  const refused = await service.request('PATCH', path, { name: 'Newer', nonsense: 1 }, { prefer: 'handling=strict' })
  t.match(refused, { status: 400, body: { error: { code: 'validation_error', details: [{ path: '/nonsense' }] } } })
  t.equal(refused.headers.get('preference-applied'), 'handling=strict')
  t.equal((await service.request('GET', path)).body.name, 'New')
})
