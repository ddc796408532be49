// Who is signed in, or whose key it is: what a page needs in order to show what its reader may do.

import { Type } from 'typebox'
import { scopes } from '../../../records/api-key.js'
import { endOfSession, signInMethods } from '../../../records/console-session.js'
import { roles } from '../../../records/member.js'
import { defaultCurrency, defaultTimeZone } from '../../../records/organization.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import type { ApiConfiguration } from '../../pipeline/services.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import type { Principal } from '../../surfaces/principal.js'
import { operates } from '../organizations/operator.js'

/** What an installation may have, or not. */
export const features = ['certificates', 'mail', 'member_links', 'single_sign_on', 'site_owner_links'] as const

export const meSchema = named('Me', {
  name: Type.String({
    description: 'As it stands in records: `user:` with the id of a member, or `api_key:` with that of a key.',
  }),
  session: nullable(
    Type.Object({
      id: Type.String(),
      method: Type.Enum([...signInMethods]),
      created_at: timestamp(),
      ends_at: timestamp('Unless requests keep it alive until its longest life is over.'),
    }),
  ),
  key: nullable(Type.Object({ id: Type.String(), name: Type.String() })),
  member: nullable(
    Type.Object({
      user_id: Type.String(),
      name: Type.String(),
      email: Type.String(),
      role: Type.Enum([...roles]),
    }),
  ),
  organization: Type.Object({
    id: Type.String(),
    name: Type.String(),
    country: Type.String(),
    timezone: Type.String(),
    currency: Type.String({ description: 'The currency of the organization where a tariff names none (ISO 4217).' }),
    operates_installation: Type.Boolean(),
  }),
  scopes: Type.Array(Type.Enum([...scopes])),
  features: Type.Array(Type.Enum([...features]), {
    description:
      'What this installation has: `certificates` if it issues certificates to charge points, `mail` if a mail server is set, `member_links` and ' +
      '`site_owner_links` if the mails of these invitations have a link, `single_sign_on` if it has an identity provider.',
  }),
})

export function meOf(
  { key, member, organization, scopes, session }: Principal,
  name: string,
  view: ReadView,
  config: ApiConfiguration,
) {
  return {
    name,
    session:
      session === undefined
        ? null
        : {
            id: session.console_session_id,
            method: session.method,
            created_at: formatTimestamp(session.made_at),
            ends_at: formatTimestamp(endOfSession(session)),
          },
    key: key === undefined ? null : { id: key.key_id, name: key.name },
    member:
      member === undefined
        ? null
        : { user_id: member.user_id, name: member.name, email: member.email, role: member.role },
    organization: {
      id: organization.organization_id,
      name: organization.name,
      country: organization.country,
      timezone: organization.time_zone ?? defaultTimeZone,
      currency: organization.default_currency ?? defaultCurrency,
      operates_installation: operates({ organization }, view),
    },
    scopes: [...scopes],
    features: features.filter((feature) => hasFeature[feature](config)),
  }
}

const hasFeature: Readonly<Record<(typeof features)[number], (config: ApiConfiguration) => boolean>> = {
  certificates: ({ security }) => security.issuesCertificates,
  mail: ({ sendsMail }) => sendsMail === true,
  member_links: ({ invitationLinks }) => invitationLinks?.members === true,
  single_sign_on: ({ singleSignOn }) => singleSignOn !== undefined,
  site_owner_links: ({ invitationLinks }) => invitationLinks?.siteOwners === true,
}
