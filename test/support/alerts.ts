// What tests of alerts look at: the thresholds of the service's own organization, and what is open.

import { tables } from '../../src/records/index.js'
import { installationTable } from '../../src/records/organization.js'
import { openView } from '../../src/runtime/store/lmdb-store.js'
import type { Service } from './service.js'
import { until } from './until.js'

/** Alerts are resolved as soon as their cause is gone. */
export const settleAtOnce = ['--alert-settle-seconds', '0']

/** Of the service's own organization. */
export async function setThresholds(service: Service, thresholds: object): Promise<void> {
  const view = openView(service.data, tables)
  const id = view.get(installationTable, ['installation'])?.default_organization_id
  await view.close()
  const answer = await service.request('PUT', `/api/v1/organizations/${id}/settings`, { alert_thresholds: thresholds })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
}

type Requests = Pick<Service, 'request'>

export async function alertsOf(service: Requests, query = ''): Promise<readonly Record<string, unknown>[]> {
  return (await service.request('GET', `/api/v1/alerts${query}`)).body.alerts
}

/** Resolves when so many are open. */
export function openAlerts(service: Requests, count: number): Promise<readonly Record<string, unknown>[]> {
  return until(async () => {
    // A connection that is made while the listener is replaced may be cut.
    const alerts = await alertsOf(service).catch(() => undefined)
    return alerts?.length === count && alerts
  }, 20_000)
}
