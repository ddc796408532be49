// What differs between an answer of an older version and the one of today. Fields that were added are no difference.

/** A field that has another value on purpose. `at` is the end of its way in the answer, with * for any step. */
export interface Changed {
  readonly target: RegExp
  readonly at: string
  readonly why: string
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isChanged(changed: readonly Changed[], target: string, way: string): boolean {
  const steps = way.split('/')
  return changed.some(({ target: pattern, at }) => {
    const wanted = at.split('/')
    const end = steps.slice(-wanted.length)
    return pattern.test(target) && wanted.every((step, index) => step === '*' || step === end[index])
  })
}

/** Each as a sentence: where, what it was, what it is. */
export function differences(
  target: string,
  before: unknown,
  after: unknown,
  changed: readonly Changed[],
  way = '',
): string[] {
  if (isChanged(changed, target, way)) return []
  if (isObject(before) && isObject(after))
    return Object.keys(before).flatMap((name) =>
      differences(target, before[name], after[name], changed, `${way}/${name}`),
    )
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return before.flatMap((one, index) => differences(target, one, after[index], changed, `${way}/${index}`))
  if (JSON.stringify(before) === JSON.stringify(after)) return []
  return [`${target} ${way} was ${JSON.stringify(before)}, is ${JSON.stringify(after)}`]
}
