// Exact fractions of whole numbers: a partner that doubts a bill computes without rounding, and without knowing how the operator does.

export interface Fraction {
  readonly over: bigint
  /** Above 0, and without a common divisor with `over`. */
  readonly under: bigint
}

function divisorOf(one: bigint, other: bigint): bigint {
  let [a, b] = [one < 0n ? -one : one, other]
  while (b !== 0n) [a, b] = [b, a % b]
  return a
}

/** `under` is not 0. */
export function fraction(over: bigint, under: bigint = 1n): Fraction {
  const sign = under < 0n ? -1n : 1n
  const divisor = divisorOf(over, under * sign)
  return { over: (over * sign) / divisor, under: (under * sign) / divisor }
}

export const zero = fraction(0n)
export const one = fraction(1n)

/** The decimal that a number prints as: 0.1 is a tenth. */
export function fractionOf(number: number): Fraction {
  const [, sign, whole = '0', decimals = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(number)) ?? []
  const digits = BigInt(`${whole}${decimals}`) * (sign === '-' ? -1n : 1n)
  const power = Number(exponent) - decimals.length
  return power < 0 ? fraction(digits, 10n ** BigInt(-power)) : fraction(digits * 10n ** BigInt(power))
}

export function plus(a: Fraction, b: Fraction): Fraction {
  return fraction(a.over * b.under + b.over * a.under, a.under * b.under)
}

export function minus(a: Fraction, b: Fraction): Fraction {
  return fraction(a.over * b.under - b.over * a.under, a.under * b.under)
}

export function times(a: Fraction, b: Fraction): Fraction {
  return fraction(a.over * b.over, a.under * b.under)
}

/** `b` is not 0. */
export function dividedBy(a: Fraction, b: Fraction): Fraction {
  return fraction(a.over * b.under, a.under * b.over)
}

/** Below 0, 0, or above 0. */
export function compare(a: Fraction, b: Fraction): number {
  const difference = a.over * b.under - b.over * a.under
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

export function sumOf(fractions: readonly Fraction[]): Fraction {
  return fractions.reduce(plus, zero)
}

export function floorOf({ over, under }: Fraction): bigint {
  const quotient = over / under
  return over < 0n && quotient * under !== over ? quotient - 1n : quotient
}

/** The smallest multiple of `step` that is not below. */
export function roundedUpTo(value: Fraction, step: Fraction): Fraction {
  const steps = dividedBy(value, step)
  const whole = floorOf(steps)
  return times(fraction(whole * steps.under === steps.over ? whole : whole + 1n), step)
}

/** Half up, away from 0. */
export function roundedTo(value: Fraction, decimals: number): Fraction {
  const unit = 10n ** BigInt(decimals)
  const isNegative = value.over < 0n
  const size = isNegative ? -value.over : value.over
  const rounded = (2n * size * unit + value.under) / (2n * value.under)
  return fraction(isNegative ? -rounded : rounded, unit)
}

/** The number that prints as the decimal, of at most so many decimals. */
export function numberOf(value: Fraction, decimals: number): number {
  const unit = 10n ** BigInt(decimals)
  return Number(floorOf(times(roundedTo(value, decimals), fraction(unit)))) / Number(unit)
}
