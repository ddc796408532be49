// Credentials tokens of roaming partners (OCPI 2.2.1, 4.1.2): `Authorization: Token`, and the token in base64. Partners that come from earlier
// versions send it as it is, and some encode the line feed behind it: each reading is tried. A token is looked up by its hash.

import { createHash } from 'node:crypto'
import { type OcpiPartner, ocpiPartnersTable } from '../../records/ocpi-partner.js'
import { type OcpiParty, type OcpiPartyId, ocpiPartiesTable } from '../../records/ocpi-party.js'
import { type Organization, organizationsTable } from '../../records/organization.js'
import { fail } from '../../runtime/errors.js'
import type { ReadView } from '../../runtime/store/store.js'
import { unauthorized } from '../pipeline/errors.js'
import type { RequestHead } from '../pipeline/message.js'
import type { Credential, Requirement } from '../pipeline/surface.js'

/** Who calls with a token. */
export interface OcpiPrincipal {
  readonly partner: OcpiPartner
  readonly organization: Organization
  /** As whom the organization appears to its partners. */
  readonly party: OcpiParty
  /** The token as it is, without its encoding. */
  readonly token: string
  /** The one party for which this request was sent; absent where it is for all of the partner's. */
  readonly sender?: OcpiPartyId
  /** registration: token A, which is good for becoming a partner. */
  readonly stage: 'registration' | 'partner'
}

export const ocpiToken: Credential<OcpiPrincipal> = {
  name: 'credentials token',
  find: presented,
  verify,
  challenge: 'Token',
  securitySchemes: {
    ocpiToken: {
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      description:
        'The word `Token`, a blank, and the credentials token of a roaming partner in base64 (OCPI 2.2.1, 4.1.2)',
    },
  },
  security: [{ ocpiToken: [] }],
}

export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

function presented({ headers }: RequestHead): string {
  const [, token] = /^Token +([\x21-\x7e]+)\s*$/i.exec(headers.authorization ?? '') ?? []
  return token ?? fail(unauthorized, 'a credentials token is needed: send `Authorization: Token <the token in base64>`')
}

/** What may have been meant, the standard's reading first. */
function readings(presentedToken: string): readonly string[] {
  const bytes = Buffer.from(presentedToken, 'base64')
  const isBase64 = bytes.toString('base64').replace(/(?<!=)=+$/, '') === presentedToken.replace(/(?<!=)=+$/, '')
  const decoded = bytes.toString('utf8')
  const all = isBase64 ? [decoded, decoded.trim(), presentedToken] : [presentedToken]
  return [...new Set(all)].filter((token) => token !== '')
}

function verify(presentedToken: string, view: ReadView, now: number): OcpiPrincipal {
  for (const token of readings(presentedToken)) {
    const sha256 = hashOf(token)
    const [partner] = view.listBy(ocpiPartnersTable, 'byToken', [sha256], { limit: 1 })
    if (partner === undefined) continue
    const organization = view.get(organizationsTable, [partner.organization_id])
    const party = view.get(ocpiPartiesTable, [partner.organization_id])
    const stage = stageOf(partner, sha256, now)
    if (organization !== undefined && party !== undefined && stage !== undefined)
      return { partner, organization, party, token, stage }
  }
  throw unauthorized('the credentials token is not valid')
}

/** A token that another has replaced stays good until its time is over, and until the new one has been used: its answer may be lost. */
function stageOf({ registration_token, inbound_tokens }: OcpiPartner, sha256: string, now: number) {
  if (registration_token === sha256) return 'registration'
  const [newest] = inbound_tokens
  const found = inbound_tokens.find((token) => token.sha256 === sha256)
  if (found === undefined) return undefined
  const isGood = found === newest || newest?.used !== true || (found.valid_until ?? 0) > now
  return isGood ? 'partner' : undefined
}

/**
 * A registration token is good until its partner has registered. It is good once more where the process ended before the answer was sent, which
 * had the token that takes its place: the partner cannot know that it is registered.
 */
export const goodForRegistration: Requirement<OcpiPrincipal> = {
  error: unauthorized,
  message: 'the registration token has been used: call with the credentials token that was returned for it',
  isMet: ({ stage, partner: { status, registered_in } }, _view, _configuration, { presence }) =>
    stage === 'partner' || status === 'invited' || (registered_in !== undefined && !presence.live.has(registered_in)),
}

export const registeredPartner: Requirement<OcpiPrincipal> = {
  error: unauthorized,
  message:
    'a registration token is good for versions and credentials only: register first with POST /ocpi/cpo/2.2.1/credentials',
  isMet: ({ stage, partner }) => stage === 'partner' && partner.status === 'registered',
}
