// remote_start_transaction: RemoteStartTransaction (OCPP 1.6, 5.11).

import { Type } from 'typebox'
import { chargingProfile, remoteStartTransaction as message } from '../../../ocpp16/index.js'
import { connectorCount } from '../../../records/connector-count.js'
import { connectorId, idTagText, nullable } from '../../pipeline/schemas.js'
import { stateOf } from '../charge-points/charge-points.js'
import { defineRaw } from './define-raw.js'
import { sessionScopes } from './session-scopes.js'

export const remoteStartTransaction = defineRaw(message, {
  summary: 'Ask a charge point to start a transaction',
  scopes: sessionScopes,
  body: {
    id_tag: idTagText(),
    connector_id: Type.Optional(connectorId(1)),
    charging_profile: Type.Optional(chargingProfile),
  },
  payload({ id_tag, connector_id, charging_profile }, chargePoint, services) {
    // Some charge points refuse to choose, also where there is nothing to choose from.
    const count = connectorCount(chargePoint, stateOf(services.view(), chargePoint))
    const connector = connector_id ?? (count === 1 ? 1 : undefined)
    return {
      idTag: id_tag,
      ...(connector !== undefined && { connectorId: connector }),
      ...(charging_profile !== undefined && { chargingProfile: charging_profile }),
    }
  },
  answer: {
    fields: {
      connector_id: nullable(
        Type.Integer({ description: 'The connector that was asked for. null means that the charge point chooses.' }),
      ),
      id_tag: Type.String(),
    },
    // Also where it is the only one, and nobody named it.
    of: ({ id_tag }, { record }) => ({ connector_id: record.parameters?.connectorId ?? null, id_tag }),
  },
  example: { id_tag: 'TAG-1', connector_id: 1 },
})
