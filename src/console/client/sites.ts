// A charge point goes from one site to another, which is two requests: it is unlinked there and linked here.

import { api, ask } from './api.js'

const at = (siteId: string, chargePointId: string) => ({
  params: { path: { site_id: siteId, charge_point_id: chargePointId } },
})

const link = (siteId: string, chargePointId: string) =>
  ask(api.POST('/api/v1/sites/{site_id}/chargers/{charge_point_id}/link', at(siteId, chargePointId)))

const unlink = (siteId: string, chargePointId: string) =>
  ask(api.DELETE('/api/v1/sites/{site_id}/chargers/{charge_point_id}', at(siteId, chargePointId)))

/** `from` and `to` are null where it is in no site. Where it cannot be linked, it stays in the site that it was in. Throws an ApiError. */
export async function moveCharger(chargePointId: string, from: string | null, to: string | null): Promise<void> {
  if (from === to) return
  if (from !== null) await unlink(from, chargePointId)
  if (to === null) return
  try {
    await link(to, chargePointId)
  } catch (error) {
    if (from !== null) await link(from, chargePointId).catch(() => undefined)
    throw error
  }
}
