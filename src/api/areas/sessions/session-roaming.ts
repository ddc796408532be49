// What operators see of the partner whose driver a session is of.

import { Type } from 'typebox'
import { ocpiPartnersTable } from '../../../records/ocpi-partner.js'
import { ocpiAuthMethods, ocpiTokenTypes } from '../../../records/ocpi-token.js'
import type { Session } from '../../../records/session.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { nullable } from '../../pipeline/schemas.js'

export const sessionRoamingSchema = nullable(
  Type.Object(
    {
      partner_id: Type.String({ description: 'The roaming partner. It may have been deleted since.' }),
      partner_name: nullable(Type.String({ description: 'null if the partner has been deleted.' })),
      country_code: Type.String({ description: 'Of the party whose driver it is.' }),
      party_id: Type.String(),
      uid: Type.String({ description: 'The uid of the token, as the partner knows it.' }),
      type: Type.Enum([...ocpiTokenTypes]),
      contract_id: Type.String({ description: 'The contract of the driver with the partner.' }),
      auth_method: Type.Enum([...ocpiAuthMethods], {
        description:
          'How the charge was authorized: by the token as it was known (WHITELIST), by asking the partner (AUTH_REQUEST), or by a command of the partner (COMMAND).',
      }),
      authorization_reference: nullable(
        Type.String({ description: 'The last one that the partner has given for this charge.' }),
      ),
    },
    { description: 'Of a session of a roaming partner’s driver.' },
  ),
)

export function sessionRoamingView(view: ReadView, { roaming }: Session) {
  if (roaming === undefined) return null
  const { partner_id, country_code, party_id, uid, type, contract_id, auth_method, authorization_reference } = roaming
  return {
    partner_id,
    partner_name: view.get(ocpiPartnersTable, [partner_id])?.name ?? null,
    country_code,
    party_id,
    uid,
    type,
    contract_id,
    auth_method,
    authorization_reference: authorization_reference ?? null,
  }
}
