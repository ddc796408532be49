// Many rows in the order of a number of each. Comparing a hundred thousand of them two at a time, by a function, is a long task in a browser;
// putting them into their places digit by digit takes a tenth of that.

const digitBits = 16
const digits = 1 << digitBits
/** Of a number of 64 bits. */
const places = 64 / digitBits

/** Numbers as digits, the lowest first, that have the order of the numbers: without its sign bit, a negative number of IEEE 754 grows downwards. */
function digitsOf(numbers: Float64Array, descending: boolean): Uint16Array {
  const words = new Uint32Array(numbers.buffer)
  const turned = descending ? 0xffffffff : 0
  for (let at = 0; at < words.length; at += 2) {
    const isNegative = (words[at + 1] as number) >>> 31 === 1
    words[at] = (words[at] as number) ^ (isNegative ? 0xffffffff : 0) ^ turned
    words[at + 1] = (words[at + 1] as number) ^ (isNegative ? 0xffffffff : 0x80000000) ^ turned
  }
  return new Uint16Array(numbers.buffer)
}

/** Those of the same number stay in the order in which they are given. No number is NaN. */
export function sortedByNumber(
  rows: Int32Array,
  numberOf: (row: number) => number,
  descending: boolean,
): Int32Array<ArrayBuffer> {
  const count = rows.length
  const numbers = new Float64Array(count)
  // Zero has one sign.
  for (let at = 0; at < count; at++) numbers[at] = numberOf(rows[at] as number) + 0
  const words = digitsOf(numbers, descending)
  let order = Int32Array.from(rows, (_, at) => at)
  let next = new Int32Array(count)
  const begins = new Int32Array(digits)
  for (let place = 0; place < places; place++) {
    const digitOf = (one: number): number => words[one * places + place] as number
    begins.fill(0)
    for (let one = 0; one < count; one++) begins[digitOf(one)] = (begins[digitOf(one)] as number) + 1
    // All have the same digit.
    if (count === 0 || begins[digitOf(0)] === count) continue
    let begin = 0
    for (const [digit, many] of begins.entries()) {
      begins[digit] = begin
      begin += many
    }
    for (const one of order) {
      const at = begins[digitOf(one)] as number
      begins[digitOf(one)] = at + 1
      next[at] = one
    }
    ;[order, next] = [next, order]
  }
  return order.map((at) => rows[at] as number)
}
