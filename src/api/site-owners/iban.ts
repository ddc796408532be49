// International bank account numbers (ISO 13616): whether one can be right, and how much of it is shown.

/** Without blanks and in capitals; undefined for what is none. */
export function readIban(text: string): string | undefined {
  const iban = text.replace(/\s/g, '').toUpperCase()
  return /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban) && remainder(iban) === 1 ? iban : undefined
}

/** ISO 7064, MOD 97-10: country and check digits go to the end, letters are the numbers from 10 on. */
function remainder(iban: string): number {
  let rest = 0
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest
}

export function maskIban(iban: string): string {
  return iban.slice(-4).padStart(iban.length, '*')
}
