// How deep JSON from outside is nested. Encoders and structured clone recurse: what is too deep for them must not reach them.

/** Whether objects and arrays in `value` are nested more than `depth` deep; looks no deeper than that. */
export function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (depth === 0) return true
  for (const part of Object.values(value)) if (isDeeperThan(part, depth - 1)) return true
  return false
}
