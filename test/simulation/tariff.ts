// What the charge points of a world sell at: every eighth has a tariff, the others have none.

import { type Tariff, type TariffAssignment, tariffAssignmentsTable, tariffsTable } from '../../src/records/tariff.js'
import type { Table } from '../../src/runtime/store/table.js'
import { organizationIdOf } from './organizations.js'

/** Per kWh. */
export const energyPriceCents = 39
export const flatFeeCents = 50
export const taxPercentage = 19

export function sellsAtTariff(chargePointId: string): boolean {
  return Number(chargePointId.slice('CP-'.length)) % 8 === 0
}

export function tariffRows<Put>(
  chargePoints: readonly { readonly id: string; readonly organization: number }[],
  at: string,
  put: <Row>(table: Table<Row>, row: Row) => Put,
): Put[] {
  const organizations = [...new Set(chargePoints.map(({ organization }) => organization))]
  const tariffs = organizations.map(
    (organization): Tariff => ({
      tariff_id: `trf_${organization}`,
      organization_id: organizationIdOf(organization),
      version: 1,
      name: 'Public',
      currency: 'EUR',
      components: [
        { type: 'energy', price: energyPriceCents / 100 },
        { type: 'flat', price: flatFeeCents / 100 },
      ],
      tax_percentage: taxPercentage,
      created_at: at,
      updated_at: at,
    }),
  )
  const assignments = chargePoints
    .filter(({ id }) => sellsAtTariff(id))
    .map(
      ({ id, organization }): TariffAssignment => ({
        charge_point_id: id,
        organization_id: organizationIdOf(organization),
        version: 1,
        tariff_id: `trf_${organization}`,
        assigned_at: at,
      }),
    )
  return [
    ...tariffs.map((row) => put(tariffsTable, row)),
    ...assignments.map((row) => put(tariffAssignmentsTable, row)),
  ]
}
