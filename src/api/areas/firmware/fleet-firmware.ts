// Which firmware the charge points of an organization run: by passing from one version to the next, so that the list costs its versions and the
// charge points that it names. Those of one site are few, and are read one by one.

import { Type } from 'typebox'
import { chargePointsTable } from '../../../records/charge-point.js'
import { type ChargePointState, chargePointStatesTable } from '../../../records/charge-point-state.js'
import type { ReadView } from '../../../runtime/store/store.js'
import type { Key } from '../../../runtime/store/table.js'
import { type BeginRead, longOncePaused } from '../../pipeline/long-reads.js'
import type { Page, PageQuery } from '../../pipeline/paging.js'
import { nullable } from '../../pipeline/schemas.js'
import { area } from './area.js'
import { limits } from './limits.js'

interface Firmware {
  readonly vendor: string
  readonly firmware_version: string
  readonly count: number
  readonly charge_point_ids: string[]
}

/** Behind every charge point of the firmware, and before those of the next. */
const behind = (vendor: string, version: string): Key => [vendor, `${version}\0`]

async function ofFleet(
  view: ReadView,
  organizationId: string,
  vendor: string | undefined,
  { offset, limit }: PageQuery,
  begin: BeginRead,
): Promise<Page<Firmware>> {
  const rows: Firmware[] = []
  let total = 0
  let from: Key = vendor === undefined ? [] : [vendor]
  const to = vendor === undefined ? {} : { to: [`${vendor}\0`] }
  const read = longOncePaused(begin)
  try {
    for (;;) {
      const query = { from, ...to }
      const [first] = view.listBy(chargePointStatesTable, 'byFirmware', [organizationId], { ...query, limit: 1 })
      if (first?.boot === undefined) return { rows, total }
      const { vendor, firmware_version = '' } = first.boot
      from = behind(vendor, firmware_version)
      if (total >= offset && rows.length < limit) {
        const group = [organizationId, vendor, firmware_version]
        const states = view.listBy(chargePointStatesTable, 'ofFirmware', group, {
          limit: limits.chargePointsOfFirmware,
        })
        const count = view.total(chargePointStatesTable, 'ofFirmware', group)
        rows.push({ vendor, firmware_version, count, charge_point_ids: states.map(idOf) })
      }
      total++
      if (read.isOver()) await read.pause()
    }
  } finally {
    read.end()
  }
}

const idOf = ({ charge_point_id }: ChargePointState): string => charge_point_id

async function ofSite(
  view: ReadView,
  organizationId: string,
  siteId: string,
  vendor: string | undefined,
  { offset, limit }: PageQuery,
  begin: BeginRead,
): Promise<Page<Firmware>> {
  const found = new Map<string, { readonly vendor: string; readonly firmware_version: string; ids: string[] }>()
  let from: Key = []
  const read = longOncePaused(begin)
  try {
    for (;;) {
      const query = { from, limit: limits.rolloutChargePointsPerStep }
      const chargePoints = view.listBy(chargePointsTable, 'bySite', [organizationId, siteId], query)
      for (const { charge_point_id } of chargePoints) {
        const state = view.get(chargePointStatesTable, [charge_point_id])
        if (state?.boot === undefined || state.organization_id !== organizationId) continue
        const { vendor: made, firmware_version = '' } = state.boot
        if (vendor !== undefined && made !== vendor) continue
        const key = JSON.stringify([made, firmware_version])
        const one = found.get(key) ?? { vendor: made, firmware_version, ids: [] }
        one.ids.push(charge_point_id)
        found.set(key, one)
      }
      const last = chargePoints.at(-1)
      if (last === undefined || chargePoints.length < limits.rolloutChargePointsPerStep) break
      from = [last.charge_point_id, '']
      if (read.isOver()) await read.pause()
    }
  } finally {
    read.end()
  }
  const all = [...found.values()].sort(
    (one, other) => compare(one.vendor, other.vendor) || compare(one.firmware_version, other.firmware_version),
  )
  const rows = all.slice(offset, offset + limit).map(({ ids, ...firmware }) => ({
    ...firmware,
    count: ids.length,
    charge_point_ids: ids.slice(0, limits.chargePointsOfFirmware),
  }))
  return { rows, total: all.length }
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

export const listFleetFirmware = area.list('/fleet/firmware', {
  operationId: 'listFleetFirmware',
  summary: 'List the firmware versions of the charge points',
  description:
    'One row for each vendor and version, as the charge points named them when they booted last; a charge point that has never booted is in none. ' +
    `\`count\` counts all charge points of a row; \`charge_point_ids\` has the first ${limits.chargePointsOfFirmware} of them.`,
  filters: {
    site_id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Returns only charge points of this site.' }),
    ),
    vendor: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Returns only charge points of this vendor.' }),
    ),
  },
  name: 'firmware',
  row: Type.Object({
    firmware_version: nullable(Type.String({ description: 'null where the charge points name none.' })),
    vendor: Type.String(),
    count: Type.Integer({ minimum: 0 }),
    charge_point_ids: Type.Array(Type.String()),
  }),
  perPage: 100,
  maximum: 200,
  async read({ principal, query }, services) {
    const { organization_id } = principal.organization
    const { site_id, vendor } = query
    const view = services.view()
    const begin = services.longReads.of(organization_id)
    const { rows, total } =
      site_id === undefined
        ? await ofFleet(view, organization_id, vendor, query, begin)
        : await ofSite(view, organization_id, site_id, vendor, query, begin)
    return { rows: rows.map((row) => ({ ...row, firmware_version: row.firmware_version || null })), total }
  },
})
