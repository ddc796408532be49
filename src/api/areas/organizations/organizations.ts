// How an organization is shown, and what of it its own keys set.

import { type Static, type TObject, Type } from 'typebox'
import { type LegalDetails, legalDetails } from '../../../records/issuer.js'
import { defaultTimeZone, type Organization, plans, unknownCountry } from '../../../records/organization.js'
import { line } from '../../../runtime/fault-words.js'
import { country, emailAddress, nameText, nullable, timestamp } from '../../pipeline/schemas.js'
import type { ApiConfiguration } from '../../pipeline/services.js'
import { requestsPerHour } from '../../surfaces/plan-quota.js'

export const fields = {
  name: nameText(),
  country: country(),
  contact_email: emailAddress(),
}

const legalText = (description: string) => nullable(Type.String({ minLength: 1, maxLength: 200, ...line, description }))

/** Null where they are not set. */
const legalFields = {
  legal_name: legalText('The registered name, which is printed in place of the name.'),
  street: legalText('The street and the house number.'),
  postal_code: legalText('The postal code.'),
  city: legalText('The city.'),
  vat_id: legalText('The VAT identification number, such as NL001234567B01.'),
  registration_number: legalText('The number in the commercial register.'),
}

export const changedLegalFields = Type.Partial(Type.Object(legalFields)).properties

type Changed = { readonly [Detail in keyof LegalDetails]: LegalDetails[Detail] | undefined }

/** A detail that is left out stays as it is, and null removes it. */
export function changedLegalDetails(
  before: LegalDetails,
  changed: Static<TObject<typeof changedLegalFields>>,
): Changed {
  return Object.fromEntries(
    legalDetails.map((name) => [name, changed[name] === undefined ? before[name] : (changed[name] ?? undefined)]),
  )
}

export const organizationFields = {
  id: Type.String(),
  ...fields,
  country: Type.String({
    description: `ISO 3166-1 alpha-2; ${unknownCountry} if the organization has not set a country.`,
  }),
  ...legalFields,
  plan: Type.Enum([...plans]),
  requests_per_hour: nullable(
    Type.Integer({
      description: 'The quota of each API key; all keys together have ten times as much. null means no quota.',
    }),
  ),
  timezone: Type.String(),
  created_at: timestamp(),
}

export function organizationView(row: Organization, { enterpriseQuotaPerHour }: ApiConfiguration) {
  return {
    id: row.organization_id,
    name: row.name,
    country: row.country,
    contact_email: row.contact_email,
    legal_name: row.legal_name ?? null,
    street: row.street ?? null,
    postal_code: row.postal_code ?? null,
    city: row.city ?? null,
    vat_id: row.vat_id ?? null,
    registration_number: row.registration_number ?? null,
    plan: row.plan,
    requests_per_hour: requestsPerHour(row, enterpriseQuotaPerHour) ?? null,
    timezone: row.time_zone ?? defaultTimeZone,
    created_at: row.created_at,
  }
}
