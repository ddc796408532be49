// Who holds memory that several parties share: where it is full, the party that holds most gives up what it has held longest.

export interface Holders<Holder> {
  add(party: string, holder: Holder): void
  /** False where it is not there. */
  remove(party: string, holder: Holder): boolean
  /** Of the party that holds most. */
  oldestOfGreediest(): Holder | undefined
}

export function createHolders<Holder>(bytesOf: (party: string, own: ReadonlySet<Holder>) => number): Holders<Holder> {
  /** By party, the oldest first; none is empty. */
  const holders = new Map<string, Set<Holder>>()
  return {
    add(party, holder) {
      const own = holders.get(party) ?? new Set()
      own.add(holder)
      holders.set(party, own)
    },
    remove(party, holder) {
      const own = holders.get(party)
      if (own?.delete(holder) !== true) return false
      if (own.size === 0) holders.delete(party)
      return true
    },
    oldestOfGreediest() {
      let most = 0
      let found: ReadonlySet<Holder> | undefined
      for (const [party, own] of holders) {
        const bytes = bytesOf(party, own)
        if (bytes <= most) continue
        most = bytes
        found = own
      }
      return found?.values().next().value
    },
  }
}
