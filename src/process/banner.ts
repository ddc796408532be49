// What a start shows: where the service is, where its data are, and, once in a store's life, the bootstrap key.

import { type Organization, unknownCountry } from '../records/organization.js'

export interface Banner {
  readonly ocppUrl: string
  readonly apiUrl: string
  /** Undefined where there is no console. */
  readonly consoleUrl: string | undefined
  readonly dataDirectory: string
  /** Where mails are written, because there is no mail server. */
  readonly mailFolder: string | undefined
  /** The first key of a new store, unless the operator set it; it is not shown again. */
  readonly bootstrapKey: string | undefined
  /** The operator of the installation, as receipts and invoices name it. */
  readonly organization: Organization | undefined
  readonly version: string
}

export function showBanner(banner: Banner): void {
  const lines = [
    `ampshard ${banner.version}`,
    '',
    ...(banner.consoleUrl === undefined ? [] : [`  console        ${banner.consoleUrl}`]),
    `  OCPP 1.6-J     ${banner.ocppUrl}/ocpp16/<charge_point_id>`,
    `  API            ${banner.apiUrl}/api/v1`,
    `  API reference  ${banner.apiUrl}/docs`,
    `  manual         ${banner.apiUrl}/docs/manual`,
    `  data           ${banner.dataDirectory}`,
  ]
  if (banner.mailFolder !== undefined) {
    lines.push(
      `  mail           ${banner.mailFolder}`,
      '                 No --smtp-url is set: mails are written there and go to nobody.',
    )
  }
  const { organization } = banner
  if (organization !== undefined) {
    const isKnown = organization.country !== unknownCountry
    lines.push(`  organization   ${organization.name}, ${isKnown ? organization.country : 'no country'}`)
    if (!isKnown || banner.bootstrapKey !== undefined)
      lines.push(
        '                 Receipts and invoices print its name, its country and, when set, its address and VAT ID. Change them with',
        `                 PUT /api/v1/organizations/${organization.organization_id}; a first start takes`,
        '                 --organization-name and --organization-country.',
      )
  }
  if (banner.bootstrapKey !== undefined) {
    lines.push(
      '',
      `  API key        ${banner.bootstrapKey}`,
      '                 It is shown this once. Keep it: only its hash is stored.',
      ...(banner.consoleUrl === undefined ? [] : [`                 Sign in with it at ${banner.consoleUrl}`]),
    )
  }
  process.stdout.write(`\n${lines.join('\n')}\n\n`)
}
