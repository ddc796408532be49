// How many messages of each action this shard has taken; read by the metrics. Actions are a closed set, so the map is bounded.

const counts = new Map<string, number>()

export function countMessage(action: string): void {
  counts.set(action, (counts.get(action) ?? 0) + 1)
}

export function messageCounts(): Record<string, number> {
  return Object.fromEntries(counts)
}
