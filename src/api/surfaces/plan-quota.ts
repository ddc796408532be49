// The quota of API keys: by the plan of their organization.

import type { Organization } from '../../records/organization.js'

/** Requests an hour of each key of an organization; undefined where no quota holds. */
export function requestsPerHour(
  { plan, requests_per_hour }: Pick<Organization, 'plan' | 'requests_per_hour'>,
  enterprisePerHour: number | undefined,
): number | undefined {
  if (plan === 'enterprise') return requests_per_hour ?? enterprisePerHour
  return plan === 'pro' ? 10_000 : 1_000
}
