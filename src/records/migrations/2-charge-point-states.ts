// Version 1 did not keep how many connectors a charge point has beyond those that its operator declared, which the fleet's total adds up.

import { defineMigrationStep } from '../../runtime/store/storage/migrate.js'
import { chargePointsTable } from '../charge-point.js'
import { type ChargePointState, chargePointStatesTable } from '../charge-point-state.js'
import { undeclaredConnectors } from '../connector-count.js'

export const undeclaredConnectorsAreCounted = defineMigrationStep<ChargePointState>(
  chargePointStatesTable,
  (stored, beside) => {
    const state = stored as ChargePointState
    const registration = beside.view.get(chargePointsTable, [state.charge_point_id])
    if (registration?.organization_id !== state.organization_id) return state
    return { ...state, undeclared_connectors: undeclaredConnectors(registration, state) }
  },
)
