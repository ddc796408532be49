// Numbers of connections and of socket items: a counter of whoever gives them out, its node and its front, so that each names one
// thing in the installation, and any reader finds the front that it came from.

export const frontsMaximum = 16
export const nodesMaximum = 64
/** The number of a node that is all there is. */
export const onlyNode = 0

/** Who gives out numbers. */
export interface NumberedBy {
  /** The front's index in its node. */
  readonly front: number
  /** `onlyNode` where there is one. */
  readonly node?: number
}

export function numbered({ front, node = onlyNode }: NumberedBy, count: number): number {
  return (count * nodesMaximum + node) * frontsMaximum + front
}

export const frontOf = (number: number): number => number % frontsMaximum
