// How the power of a site is to be shared: stored, and read.

import type { Static } from 'typebox'
import type { Site } from '../../../records/site.js'
import { type SiteConfiguration, siteConfigurationsTable } from '../../../records/site-configuration.js'
import { notFound, validationError } from '../../../runtime/errors.js'
import type { Services } from '../../pipeline/services.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { announceSite } from '../charge-points/announce-site.js'
import { sites } from '../sites/area.js'
import { area } from './area.js'
import { configurationBody, configurationSchema, configurationView } from './configuration.js'
import { exceedsGridCapacity } from './errors.js'

const path = '/{site_id}/config'
const defaultMinPowerKw = 1.4

type Body = Static<typeof configurationBody>

const putConfiguration = area.put(path, {
  operationId: 'putSmartChargingConfiguration',
  summary: 'Set how the power of a site is shared',
  description:
    'Creates or replaces the configuration, which applies at once: charge points that are to draw less are sent their new limits first, and others only when those are confirmed.',
  of: sites,
  body: configurationBody,
  answer: configurationSchema,
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
  change({ row: site, body }, draft, services) {
    requireWithinGrid(site, body)
    const { site_id } = site
    const before = draft.get(siteConfigurationsTable, [site_id])
    const stored = storedConfiguration(site, body, (before?.version ?? 0) + 1, services)
    draft.put(siteConfigurationsTable, stored)
    announceSite(draft, site_id)
    return configurationView(stored)
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
    schedule: (body.schedule ?? []) as SiteConfiguration['schedule'],
    updated_at: formatTimestamp(clock.now()),
  }
}

/** Throws `exceeds_grid_capacity` and `validation_error`. */
export function requireWithinGrid(
  { max_grid_power_kw }: Site,
  { max_power_kw, strategy, priority_order, schedule = [] }: Body,
): void {
  const most = Math.max(max_power_kw, ...schedule.map((entry) => entry.max_power_kw))
  if (most > max_grid_power_kw)
    throw exceedsGridCapacity(
      `the grid connection of the site holds ${max_grid_power_kw} kW: ask for no more, or change max_grid_power_kw first`,
    )
  if (strategy === 'priority' && (priority_order ?? []).length === 0)
    throw validationError('strategy priority needs an order', {
      details: [{ path: '/priority_order', message: 'must name at least one charge point' }],
    })
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
