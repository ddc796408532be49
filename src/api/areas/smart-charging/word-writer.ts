// JSON text that is put together from parts known before, eight bytes at a time: a long answer of many short numbers takes a third of the time that
// strings take, and a tenth of what objects and JSON.stringify do. It never writes anything but ASCII, except for its first text.

const bytesOfWord = 8

/** ASCII, padded to whole words. No byte of ASCII makes a word that is not a number, so words come out as they went in. */
export interface Words {
  readonly length: number
  readonly words: Float64Array
}

export function wordsOf(text: string): Words {
  const bytes = new Uint8Array(Math.ceil(text.length / bytesOfWord) * bytesOfWord)
  Buffer.from(bytes.buffer).write(text, 'latin1')
  const view = new DataView(bytes.buffer)
  const words = Float64Array.from({ length: bytes.length / bytesOfWord }, (_, at) => view.getFloat64(at * bytesOfWord))
  return { length: text.length, words }
}

/** Numbers up to here, and what stands behind their point, are known before. */
const known = 1_000
const integers = Array.from({ length: known }, (_, value) => wordsOf(String(value)))
const thousandths = Array.from({ length: known }, (_, value) => wordsOf(String(value / known).slice(1)))

/** A number of so many digits is printed as it was written. */
const mostDigits = 1e15

export interface WordWriter {
  readonly bytes: Buffer
  readonly view: DataView
  /** Where the next byte goes. */
  at: number
}

/** `room`: for all that will be written behind `first`. */
export function createWordWriter(first: string, room: number): WordWriter {
  const length = Buffer.byteLength(first)
  const bytes = Buffer.allocUnsafe(length + room + bytesOfWord)
  bytes.write(first)
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length), at: length }
}

/** What is written behind the last word is overwritten by the next. */
export function put(writer: WordWriter, { words, length }: Words): void {
  for (let index = 0; index < words.length; index++)
    writer.view.setFloat64(writer.at + index * bytesOfWord, words[index] as number)
  writer.at += length
}

export function putInteger(writer: WordWriter, value: number): void {
  put(writer, (value < known ? integers[value] : undefined) ?? wordsOf(String(value)))
}

/** A number of thousandths, rounded, with as many decimals as it needs. */
export function putThousandths(writer: WordWriter, value: number): void {
  const rounded = Math.round(value)
  if (rounded < 0 || rounded > mostDigits) {
    put(writer, wordsOf(String(rounded / known)))
    return
  }
  const whole = Math.floor(rounded / known)
  putInteger(writer, whole)
  const fraction = thousandths[rounded - whole * known]
  if (fraction !== undefined && rounded !== whole * known) put(writer, fraction)
}

export function written({ bytes, at }: WordWriter): Uint8Array {
  return bytes.subarray(0, at)
}
