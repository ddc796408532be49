// The subject of a mail as a header (RFC 2047). Names that callers choose stand in it: what looks like an encoded word in one would be
// decoded by the reader's program, to text that nobody has checked.

/** A word has 75 characters at most, twelve of which are not its text: 45 bytes in base64. */
const wordBytes = 45

/** For nodemailer: as text, which it encodes where it must, or encoded already where it would not. */
export function subjectHeader(text: string): string | { readonly prepared: true; readonly value: string } {
  if (!text.includes('=?')) return text
  const words: string[] = []
  let word = ''
  for (const character of text) {
    if (Buffer.byteLength(word + character) > wordBytes) {
      words.push(word)
      word = ''
    }
    word += character
  }
  words.push(word)
  const encoded = words.map((part) => `=?UTF-8?B?${Buffer.from(part).toString('base64')}?=`)
  return { prepared: true, value: encoded.join('\r\n ') }
}
