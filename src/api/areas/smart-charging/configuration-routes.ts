// How the power of a site is to be shared: stored, and read.

import type { Static } from 'typebox'
import type { Site } from '../../../records/site.js'
import { type SiteConfiguration, siteConfigurationsTable } from '../../../records/site-configuration.js'
import { notFound } from '../../../runtime/errors.js'
import { named } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { announceSite } from '../charge-points/announce-site.js'
import { sites } from '../sites/area.js'
import { warningsSchema } from '../sites/power-warnings.js'
import { area } from './area.js'
import { configurationBody, configurationSchema, configurationView } from './configuration.js'
import { requireSound, warningsOf } from './configuration-checks.js'
import { exceedsGridCapacity } from './errors.js'

const path = '/{site_id}/config'
const defaultMinPowerKw = 1.4

type Body = Static<typeof configurationBody>

const storedSchema = named('StoredSmartChargingConfiguration', {
  ...configurationSchema.properties,
  warnings: warningsSchema,
})

const putConfiguration = area.put(path, {
  operationId: 'putSmartChargingConfiguration',
  summary: 'Set how the power of a site is shared',
  description:
    'Creates or replaces the configuration, which applies at once: charge points that are to draw less are sent their new limits first, and others only when those are confirmed. ' +
    'What `GET` returns can be sent back as it is. What is stored and cannot work as it is, such as a budget that is too small for any car, is named in `warnings`.',
  of: sites,
  body: configurationBody,
  answer: storedSchema,
  errors: [exceedsGridCapacity],
  examples: {
    equal: { max_power_kw: 50, strategy: 'equal' },
    evenings: {
      max_power_kw: 80,
      strategy: 'scheduled',
      schedule: [
        { days: ['mon', 'tue', 'wed', 'thu', 'fri'], start_time: '17:00', end_time: '21:00', max_power_kw: 30 },
      ],
    },
  },
  change({ row: site, body, principal }, draft, services) {
    requireSound(site, body, draft.view, principal)
    const { site_id } = site
    const before = draft.get(siteConfigurationsTable, [site_id])
    const stored = storedConfiguration(site, body, (before?.version ?? 0) + 1, services)
    draft.put(siteConfigurationsTable, stored)
    announceSite(draft, site_id)
    return { ...configurationView(stored), warnings: warningsOf(site, stored, draft.view) }
  },
})

/** As it is stored, with the defaults of what the body leaves out. */
export function storedConfiguration(
  { site_id, organization_id }: Site,
  body: Body,
  version: number,
  { clock }: Pick<Services, 'clock'>,
): SiteConfiguration {
  return {
    site_id,
    organization_id,
    version,
    max_power_kw: body.max_power_kw,
    strategy: body.strategy as SiteConfiguration['strategy'],
    min_power_kw: body.min_power_kw ?? defaultMinPowerKw,
    ...(typeof body.max_current_per_phase_a === 'number' && { max_current_per_phase_a: body.max_current_per_phase_a }),
    priority_order: body.priority_order ?? [],
    schedule: (body.schedule ?? []).map(
      ({ days, ...entry }) =>
        (Array.isArray(days) ? { ...entry, days } : entry) as SiteConfiguration['schedule'][number],
    ),
    updated_at: formatTimestamp(clock.now()),
  }
}

const getConfiguration = area.get(path, {
  operationId: 'getSmartChargingConfiguration',
  summary: 'Get how the power of a site is shared',
  of: sites,
  answer: configurationSchema,
  read({ row: { site_id } }, services) {
    const stored = services.view().get(siteConfigurationsTable, [site_id])
    if (stored === undefined) throw notConfigured()
    return configurationView(stored)
  },
})

const deleteConfiguration = area.delete(path, {
  operationId: 'deleteSmartChargingConfiguration',
  summary: 'Stop sharing the power of a site',
  description:
    'The limits of its charge points are cleared, of those that are offline when they come back. Cars that charge go on, without a limit of the site.',
  of: sites,
  answer: null,
  change({ row: { site_id } }, draft) {
    if (draft.get(siteConfigurationsTable, [site_id]) === undefined) throw notConfigured()
    draft.remove(siteConfigurationsTable, [site_id])
    announceSite(draft, site_id)
  },
})

function notConfigured() {
  return notFound('the site has no smart-charging configuration: set one with PUT')
}

export const configurationRoutes = [putConfiguration, getConfiguration, deleteConfiguration]
