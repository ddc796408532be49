// What two ids differ in, for whoever has to see it at a charge point: an O and a 0 are hard to tell apart.

const alike: Readonly<Record<string, string>> = { '0': 'zero', '1': 'one' }

function charWords(char: string): string {
  if (/[0-9]/.test(char)) return `the digit ${char}${alike[char] === undefined ? '' : ` (${alike[char]})`}`
  return /[a-z]/i.test(char) ? `the letter ${char}` : JSON.stringify(char)
}

/** "Character 7 is the letter O, and has to be the digit 0 (zero)."; undefined where it is not one character in the place of another. */
export function oneCharacterWords(sent: string, id: string): string | undefined {
  const [is, shouldBe] = [[...sent], [...id]]
  const places = is.flatMap((char, at) => (char === shouldBe[at] ? [] : [at]))
  const [place] = places
  if (is.length !== shouldBe.length || places.length !== 1 || place === undefined) return undefined
  return `Character ${place + 1} is ${charWords(is[place] ?? '')}, and has to be ${charWords(shouldBe[place] ?? '')}.`
}
