// A service one of whose charge points sells energy.

import { type Service, startService, type Teardowns } from './service.js'

/** EUR per kWh, without tax. */
export async function sellEnergyAt(
  t: Teardowns,
  chargePointId: string,
  price: number,
  flags: readonly string[] = [],
): Promise<Service> {
  const service = await startService(t, { flags })
  await service.register(chargePointId)
  await priceEnergyAt(service, chargePointId, price)
  return service
}

/** EUR per kWh, without tax, at a charge point that is registered. */
export async function priceEnergyAt(service: Service, chargePointId: string, price: number): Promise<void> {
  const tariff = await service.request('POST', '/api/v1/billing/tariffs', {
    name: 'Energy',
    currency: 'EUR',
    components: [{ type: 'energy', price }],
  })
  const { tariff_id } = tariff.body
  const assigned = await service.request('PUT', `/api/v1/chargepoints/${chargePointId}/tariff`, { tariff_id })
  if (assigned.status !== 200) throw new Error(`the tariff could not be assigned: ${JSON.stringify(assigned.body)}`)
}
