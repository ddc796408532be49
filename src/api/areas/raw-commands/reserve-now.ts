// reserve_now: ReserveNow (OCPP 1.6, 5.13). The number is the caller's choice; reservations of the API have numbers of their own.

import { Type } from 'typebox'
import { reserveNow as message, readTimestamp, writeTimestamp } from '../../../ocpp16/index.js'
import { conflict } from '../../../runtime/errors.js'
import { connectorId, idTagText, integer32, timestamp } from '../../pipeline/schemas.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { defineRaw } from './define-raw.js'

export const reserveNow = defineRaw(message, {
  summary: 'Reserve a connector for an id tag',
  description:
    'An accepted reservation is listed in `GET /api/v1/reservations` under the number that you chose, and keeps the connector from other ' +
    'tags like any other. If the charge point already knows the number, the new reservation replaces the previous one; the number of an ' +
    'active reservation that was created with `POST /api/v1/reservations` is refused. Connector 0 means any connector, if the charge point ' +
    'supports it.',
  errors: [conflict],
  body: {
    connector_id: connectorId(0),
    expiry_date: timestamp(),
    id_tag: idTagText(),
    reservation_id: integer32(),
    parent_id_tag: Type.Optional(idTagText()),
  },
  payload: ({ connector_id, expiry_date, id_tag, reservation_id, parent_id_tag }) => ({
    connectorId: connector_id,
    expiryDate: writeTimestamp(readTimestamp(expiry_date) ?? 0),
    idTag: id_tag,
    ...(parent_id_tag !== undefined && { parentIdTag: parent_id_tag }),
    reservationId: reservation_id,
  }),
  repeats: ['connector_id', 'reservation_id'],
  answer: {
    fields: { expires_at: timestamp() },
    of: ({ expiry_date }) => ({ expires_at: formatTimestamp(readTimestamp(expiry_date) ?? 0) }),
  },
  example: { connector_id: 1, expiry_date: '2030-01-01T12:00:00Z', id_tag: 'TAG-1', reservation_id: 5 },
})
