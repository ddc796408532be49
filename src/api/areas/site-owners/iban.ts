// International bank account numbers (ISO 13616): whether one can be right, and how much of it is shown.

import { isValidIBAN } from 'ibantools'

/** Without blanks and in capitals; undefined for a text that is not an IBAN: an unknown country, or the wrong length or check digits for it. */
export function readIban(text: string): string | undefined {
  const iban = text.replace(/\s/g, '').toUpperCase()
  return isValidIBAN(iban) ? iban : undefined
}

export function maskIban(iban: string): string {
  return iban.slice(-4).padStart(iban.length, '*')
}
