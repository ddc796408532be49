// What every document has around its content: who issues it, its kind, number and date above; page numbers and notes below.

import type { Issuer, PaperLayout } from '../../records/issuer.js'
import { unknownCountry } from '../../records/organization.js'
import { scriptOf } from './fonts.js'
import { loadTypeface, type Typeface } from './scripts.js'
import { colors, contentWidth, type Sheet, sheet } from './sheet.js'

const left = sheet.margin
const right = sheet.width - sheet.margin

/** The fonts of everything that a record may print; the first layout has Noto Sans alone. */
export async function typefaceOf(record: { readonly layout?: PaperLayout }, { country }: Issuer): Promise<Typeface> {
  if (record.layout === undefined) return new Map()
  return loadTypeface(
    JSON.stringify(record).normalize('NFC'),
    country,
    (codePoint) => scriptOf(codePoint) !== undefined,
  )
}

export interface Letterhead {
  readonly kind: string
  readonly number: string
  /** Below the number, one line each. */
  readonly facts: readonly string[]
  readonly issuer: Issuer
}

const countries = new Intl.DisplayNames('en-GB', { type: 'region' })

export function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : code
}

/** Below the name: what is set of address, registration and contact. The first layout had country and contact alone. */
export function partyLines(on: Sheet, party: Issuer): string[] {
  const { name, legal_name, street, postal_code, city, country, contact_email, vat_id, registration_number } = party
  if (on.layout === undefined) return [countryName(country), contact_email].filter((line) => line !== '')
  const place = [postal_code, city].filter((part) => part !== undefined).join(' ')
  return [
    legal_name === undefined || legal_name === name ? '' : name,
    street ?? '',
    place,
    country === unknownCountry ? '' : countryName(country),
    contact_email,
    vat_id === undefined ? '' : `VAT ID ${vat_id}`,
    registration_number === undefined ? '' : `Registration number ${registration_number}`,
  ].filter((line) => line !== '')
}

export function partyName({ name, legal_name }: Issuer): string {
  return legal_name ?? name
}

export function drawLetterhead(on: Sheet, { kind, number, facts, issuer }: Letterhead): void {
  const top = on.y
  const half = contentWidth * 0.56
  let y = top + on.text(partyName(issuer), left, top, { size: 16, weight: 'bold', width: half, lineHeight: 1.25 }) + 3
  for (const line of partyLines(on, issuer)) y += on.text(line, left, y, { size: 9, color: colors.muted, width: half })
  on.text(kind.toUpperCase(), right, top, { size: 9, weight: 'bold', color: colors.accent, align: 'right' })
  let beside = top + 13
  beside += on.text(number, right, beside, { size: 16, weight: 'bold', align: 'right', lineHeight: 1.25 }) + 3
  for (const line of facts) beside += on.text(line, right, beside, { size: 9, color: colors.muted, align: 'right' })
  on.y = Math.max(y, beside) + 14
  on.rule(on.y, colors.accent, 1.6)
  on.y += 20
}

export interface Detail {
  readonly label: string
  readonly lines: readonly string[]
}

/** Blocks beside each other, each a small label with lines below. */
export function drawDetails(on: Sheet, details: readonly Detail[]): void {
  const width = contentWidth / details.length
  let lowest = on.y
  for (const [index, { label, lines }] of details.entries()) {
    const x = left + index * width
    let y = on.y + on.text(label, x, on.y, { size: 8, weight: 'bold', color: colors.muted }) + 3
    for (const [at, line] of lines.entries()) {
      const style = at === 0 ? ({ size: 10.5, weight: 'bold' } as const) : ({ size: 9 } as const)
      y += on.text(line, x, y, { ...style, width: width - 18 })
    }
    lowest = Math.max(lowest, y)
  }
  on.y = lowest + 18
}

export function drawNotes(on: Sheet, notes: readonly string[]): void {
  for (const note of notes) {
    const style = { size: 8.5, color: colors.muted, width: contentWidth }
    if (!on.fits(on.heightOf(note, style))) on.newPage()
    on.y += on.text(note, left, on.y, style) + 3
  }
}

const unshown = 'The mark \u{fffd} stands for a character that the typeface of this document does not have.'

export function finishDocument(on: Sheet, issuer: Issuer, reference: string): Promise<Buffer> {
  return on.finish((page, pages) => {
    const y = sheet.height - 62
    on.rule(y)
    const style = { size: 8, color: colors.muted } as const
    const inWidth = { ...style, width: contentWidth * 0.8 }
    const [name, end] = [partyName(issuer), `  ·  ${reference}`]
    // One line, however long the name is: the reference is not cut, and nothing below it is printed over.
    on.text(on.layout === undefined ? name + end : on.shortened(name, end, inWidth), left, y + 8, inWidth)
    on.text(`Page ${page} of ${pages}`, right, y + 8, { ...style, align: 'right' })
    if (on.replaced && page === pages) on.text(unshown, left, y + 22, style)
  })
}
