// Charge points of one model, or of one firmware of it: what is summed up of both stands in totals under these keys.

import type { Key } from '../runtime/store/table.js'

export interface ModelGroup {
  /** '' is what a charge point has not said. */
  readonly vendor: string
  readonly model: string
  /** Absent: whatever it is. */
  readonly firmware_version?: string
}

export function groupKey(organizationId: string, { vendor, model, firmware_version }: ModelGroup): Key {
  return firmware_version === undefined
    ? [organizationId, 'model', vendor, model]
    : [organizationId, 'firmware', vendor, model, firmware_version]
}

/** Both groups that a charge point counts for. */
export function groupKeys(
  organizationId: string,
  { vendor, model, firmware_version = '' }: ModelGroup,
): readonly Key[] {
  return [groupKey(organizationId, { vendor, model }), groupKey(organizationId, { vendor, model, firmware_version })]
}
