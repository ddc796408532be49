// What many owners wait with, in lines that take turns: however much one of them waits with, the next of another is not later for it. What waits
// is bounded, of each owner and of all. Members who share the turn of an owner take turns in it, too.

export interface FairLinesOptions {
  readonly waitingPerOwner: number
  readonly waiting: number
  /** Of each member who shares the turn of an owner; as many as of the owner when absent. */
  readonly waitingPerMember?: number
}

export interface FairLines<Work> {
  /** False where as much waits as may. */
  add(owner: string, work: Work, member?: string): boolean
  /** The next, of the owners that may have one now. */
  take(mayHave?: (owner: string) => boolean): Taken<Work> | undefined
  readonly waiting: number
}

export interface Taken<Work> {
  readonly owner: string
  readonly work: Work
}

interface Line<Work> {
  /** Of those without a member, and of each member, in the order of their turns; none is empty. */
  readonly members: Map<string | undefined, Work[]>
  waiting: number
}

export function createFairLines<Work>({
  waitingPerOwner,
  waiting,
  waitingPerMember = waitingPerOwner,
}: FairLinesOptions): FairLines<Work> {
  /** In the order of their turns; none is empty. */
  const lines = new Map<string, Line<Work>>()
  let inLines = 0

  return {
    add(owner, work, member) {
      const line = lines.get(owner) ?? { members: new Map(), waiting: 0 }
      const own = line.members.get(member)
      const most = member === undefined ? waitingPerOwner : waitingPerMember
      if (inLines >= waiting || line.waiting >= waitingPerOwner || (own?.length ?? 0) >= most) return false
      if (own === undefined) line.members.set(member, [work])
      else own.push(work)
      lines.set(owner, line)
      line.waiting++
      inLines++
      return true
    },
    take(mayHave = () => true) {
      for (const [owner, line] of lines) {
        if (!mayHave(owner)) continue
        const [member, own] = line.members.entries().next().value as [string | undefined, Work[]]
        const work = own.shift() as Work
        line.members.delete(member)
        if (own.length > 0) line.members.set(member, own)
        inLines--
        line.waiting--
        lines.delete(owner)
        if (line.waiting > 0) lines.set(owner, line)
        return { owner, work }
      }
      return undefined
    },
    get waiting() {
      return inLines
    },
  }
}
