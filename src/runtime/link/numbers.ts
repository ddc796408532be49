// Numbers of connections and of socket items: a counter of whoever gives them out, its node and its front, so that each names one
// thing in the installation, and any reader finds the front that it came from.

export const frontsMaximum = 16
export const nodesMaximum = 64

/** Who gives out numbers. */
export interface NumberedBy {
  /** The front's index in its node. */
  readonly front: number
  /** 0 where there is one node. */
  readonly node?: number
}

export function numbered({ front, node = 0 }: NumberedBy, count: number): number {
  return (count * nodesMaximum + node) * frontsMaximum + front
}

export const frontOf = (number: number): number => number % frontsMaximum
