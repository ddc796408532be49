// Who issues a document or is billed, as it was when the document was made. Kept with the document, so that it stays what it was.

/** What a legal invoice names beside name and country; each is printed when it is set. */
export const legalDetails = ['legal_name', 'street', 'postal_code', 'city', 'vat_id', 'registration_number'] as const
export type LegalDetails = { readonly [Detail in (typeof legalDetails)[number]]?: string }

export interface Issuer extends LegalDetails {
  readonly name: string
  /** ISO 3166-1 alpha-2. */
  readonly country: string
  readonly contact_email: string
}

/** How a document is laid out; kept with it, so that its file stays the same. Absent: as schema version 1 printed it. */
export type PaperLayout = 2
export const paperLayout: PaperLayout = 2

/** `organization` is the row as it is stored now. */
export function issuerOf(organization: Issuer | undefined): Issuer {
  const { name = '', country = '', contact_email = '' } = organization ?? {}
  return { name, country, contact_email, ...legalDetailsOf(organization ?? {}) }
}

/** Those that are set. */
export function legalDetailsOf(row: LegalDetails): LegalDetails {
  return Object.fromEntries(
    legalDetails.flatMap((detail) => (row[detail] === undefined ? [] : [[detail, row[detail]]])),
  )
}
