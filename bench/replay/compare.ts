// How two answers differ, but for what differs each time: the clock, the numbers of transactions, and intervals, which a service varies.

/** Fields that are the service's own each time. */
const ofTheMoment = new Set(['currentTime', 'transactionId', 'expiryDate'])
/** By how much an interval may be another. */
const intervalShare = 0.25

/** In words; empty where they are the same. `recorded` and `seen`: the elements of a CALLRESULT or a CALLERROR. */
export function differences(recorded: readonly unknown[], seen: readonly unknown[]): readonly string[] {
  if (recorded[0] !== seen[0]) return [`was ${kindOf(recorded)}, is ${kindOf(seen)}`]
  if (recorded[0] === 4) return recorded[2] === seen[2] ? [] : [`error was ${shown(recorded[2])}, is ${shown(seen[2])}`]
  return compare('', recorded[2] ?? {}, seen[2] ?? {})
}

function kindOf(frame: readonly unknown[]): string {
  return frame[0] === 4 ? `the error ${shown(frame[2])}` : `an answer, ${JSON.stringify(frame[2])}`
}

const shown = (value: unknown): string => (value === undefined ? 'absent' : JSON.stringify(value))

function compare(path: string, recorded: unknown, seen: unknown): readonly string[] {
  const name = path.split('.').at(-1) ?? ''
  if (ofTheMoment.has(name)) return []
  if (name === 'interval' && isNear(recorded, seen)) return []
  const areObjects = [recorded, seen].every((value) => typeof value === 'object' && value !== null)
  if (areObjects) {
    const [before, now] = [recorded, seen] as [Record<string, unknown>, Record<string, unknown>]
    const names = [...new Set([...Object.keys(before), ...Object.keys(now)])]
    return names.flatMap((field) => compare(path === '' ? field : `${path}.${field}`, before[field], now[field]))
  }
  return recorded === seen ? [] : [`${path || 'answer'} was ${shown(recorded)}, is ${shown(seen)}`]
}

function isNear(recorded: unknown, seen: unknown): boolean {
  if (typeof recorded !== 'number' || typeof seen !== 'number') return false
  return Math.abs(recorded - seen) <= Math.max(1, intervalShare * recorded)
}
