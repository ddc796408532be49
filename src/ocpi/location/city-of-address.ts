// The city that stands in an address, where nobody has said it: behind the last comma, with or without a postal code.

/** Before the city: 10117, D-10117, 3511 ED, 111 20. */
const before = /^(?:[A-Z]{1,2}-)?\d{3,6}(?: ?[A-Z]{2}| \d{2})? +/
/** Behind it: SW1A 1AA, 1011 AB, 1000. */
const behind = / +(?:[A-Z]{1,2}\d[\dA-Z]? ?\d[A-Z]{2}|\d{4,6}(?: ?[A-Z]{2})?)$/

/** `Berlin` of `Marktplatz 1, 10117 Berlin`; undefined where the address is a street alone. */
export function cityOfAddress(address: string): string | undefined {
  const parts = address.split(/[,\n]/).map((part) => part.trim())
  if (parts.length < 2) return undefined
  const city = parts.at(-1)?.replace(before, '').replace(behind, '') ?? ''
  return /\p{L}{2}/u.test(city) && !/\d/.test(city) && !/^[A-Z]{2,3}$/.test(city) ? city : undefined
}
