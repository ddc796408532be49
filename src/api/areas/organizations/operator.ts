// What only the organization that operates the installation may do.

import { installationTable, type Organization, organizationsTable } from '../../../records/organization.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { forbidden } from '../../pipeline/errors.js'
import type { Owned, OwnedRow, Tenant } from '../../pipeline/owned.js'
import type { Requirement } from '../../pipeline/surface.js'

/** The organization that operates the installation. */
export function operatorOf(view: ReadView): Organization | undefined {
  const id = view.get(installationTable, ['installation'])?.default_organization_id
  return id === undefined ? undefined : view.get(organizationsTable, [id])
}

export function operates({ organization }: Tenant, view: ReadView): boolean {
  return view.get(installationTable, ['installation'])?.default_organization_id === organization.organization_id
}

/** Of callers of routes that are only for the operator. */
export const operatesInstallation: Requirement<Tenant> = {
  error: forbidden,
  message: 'only the organization that operates the installation can do this',
  isMet: operates,
}

/**
 * Records of every organization, for the operator. To others those of other organizations are absent, and for their own they get
 * `forbidden`, with `refusal`. The key of a record has to be its identifier alone.
 */
export function operated<Row extends OwnedRow, Id extends string>(
  owned: Owned<Row, Id>,
  refusal: string,
): Owned<Row, Id> {
  return {
    ...owned,
    own(reader, principal, id) {
      const view = 'view' in reader ? reader.view : reader
      const isOperator = operates(principal, view)
      const organization = isOperator ? view.get(owned.table, [id]) : undefined
      const row = owned.own(reader, organization === undefined ? principal : { organization }, id)
      if (isOperator) return row
      throw forbidden(refusal)
    },
  }
}
