// The address of a charge point answers WebSockets alone; an installer who opens it in a browser is told so.

import { upgradeRequired } from '../errors.js'

const chargePointAddress = /\/ocpp16\/[^/]/i

/** Throws `upgrade_required` when a charge point's address is read like a page. */
export function requireUpgrade(method: string, path: string): void {
  if (method !== 'GET' || path.startsWith('/api/') || !chargePointAddress.test(path)) return
  throw upgradeRequired('this is the address of a charge point: it takes WebSockets of the subprotocol ocpp1.6')
}
