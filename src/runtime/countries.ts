// The countries of ISO 3166-1: their assigned alpha-2 codes. Reserved and user-assigned ones (EU, UK, ZZ) are none, but for XK: Kosovo has
// no assigned code, and XK is what its companies, its banks (IBAN) and the EU use.

// The package's main file would also read its hundreds of kilobytes of subdivisions, in every thread.
import { iso31661Alpha2ToAlpha3 } from 'iso-3166/1-a2-to-1-a3.js'
import { meaningKeyword } from './fault-words.js'

/** To be spread into the schema of a text, in requests and settings. */
export const assignedCountry = {
  enum: [...Object.keys(iso31661Alpha2ToAlpha3), 'XK'],
  [meaningKeyword]: 'an assigned country code of ISO 3166-1 alpha-2, such as NL',
} as const

/** ISO 3166-1 alpha-3; undefined for what is no assigned alpha-2 code. */
export function alpha3Of(alpha2: string): string | undefined {
  return alpha2 === 'XK' ? 'XKX' : (iso31661Alpha2ToAlpha3 as Readonly<Record<string, string>>)[alpha2]
}
