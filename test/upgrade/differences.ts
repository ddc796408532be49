// What differs between an answer of an older version and the one of today. A field that was added is no difference where it has a
// value; null may also stand for what was left out before, so that is one.

/** A field that has another value on purpose. `at` is the end of its way in the answer, with * for any step. */
export interface Changed {
  readonly target: RegExp
  readonly at: string
  /** Only where it was left out: a value that was there stays. */
  readonly was?: 'absent'
  readonly why: string
}

/** A list that has another order on purpose: its rows are found by the field `by`. */
export interface Reordered {
  readonly target: RegExp
  readonly by: string
  readonly why: string
}

export interface OnPurpose {
  readonly changed: readonly Changed[]
  readonly reordered: readonly Reordered[]
}

type Fields = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function nullsAddedTo(before: Fields, after: Fields): readonly string[] {
  return Object.keys(after).filter((name) => after[name] === null && !(name in before))
}

/** The rows of `after` in the order of `before`. */
function inOrderOf(before: readonly unknown[], after: readonly unknown[], by: string): readonly unknown[] {
  const idOf = (row: unknown): unknown => (isObject(row) ? row[by] : undefined)
  return before.map((row) => after.find((other) => idOf(other) === idOf(row)))
}

function isChanged(changed: readonly Changed[], target: string, way: string, before: unknown): boolean {
  const steps = way.split('/')
  return changed.some(({ target: pattern, at, was }) => {
    if (was === 'absent' && before !== undefined) return false
    const wanted = at.split('/')
    const end = steps.slice(-wanted.length)
    return pattern.test(target) && wanted.every((step, index) => step === '*' || step === end[index])
  })
}

/** Each as a sentence: where, what it was, what it is. */
export function differences(target: string, before: unknown, after: unknown, onPurpose: OnPurpose, way = ''): string[] {
  if (isChanged(onPurpose.changed, target, way, before)) return []
  if (isObject(before) && isObject(after))
    return [...Object.keys(before), ...nullsAddedTo(before, after)].flatMap((name) =>
      differences(target, before[name], after[name], onPurpose, `${way}/${name}`),
    )
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    // A set, in the order of the flags' names or of their coming.
    if (way.endsWith('/flags')) return same(target, way, [...before].sort(), [...after].sort())
    const by = onPurpose.reordered.find((reordered) => reordered.target.test(target))?.by
    const rows = by === undefined ? after : inOrderOf(before, after, by)
    return before.flatMap((one, index) => differences(target, one, rows[index], onPurpose, `${way}/${index}`))
  }
  return same(target, way, before, after)
}

function same(target: string, way: string, before: unknown, after: unknown): string[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return []
  return [`${target} ${way} was ${JSON.stringify(before)}, is ${JSON.stringify(after)}`]
}
