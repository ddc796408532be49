// What the fuzzer found: each finding with the input that made it, kept as a file, and the command that replays it.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const fuzzTargets = ['frames', 'upgrades', 'requests', 'floods'] as const
export type FuzzTarget = (typeof fuzzTargets)[number]

/** An input as it is kept: what to send, in order, as base64 of bytes or as a request. */
export type KeptInput =
  | { readonly target: 'frames'; readonly frames: readonly string[] }
  | { readonly target: 'upgrades'; readonly chunks: readonly string[] }
  | {
      readonly target: 'requests'
      readonly method: string
      readonly path: string
      readonly headers: Readonly<Record<string, string>>
      readonly body: string | undefined
    }

export interface Finding {
  readonly what: string
  readonly file: string | undefined
}

export interface Findings {
  /** Keeps the first inputs of each kind of finding; the kind is the text up to its first colon. */
  add(what: string, input: KeptInput | undefined): void
  readonly list: readonly Finding[]
  readonly counts: ReadonlyMap<string, number>
}

const keptOfAKind = 3

export function createFindings(corpus: string, seed: number): Findings {
  const list: Finding[] = []
  const counts = new Map<string, number>()
  return {
    list,
    counts,
    add(what, input) {
      const kind = what.split(':')[0] as string
      const count = (counts.get(kind) ?? 0) + 1
      counts.set(kind, count)
      if (count > keptOfAKind) return
      let file: string | undefined
      if (input !== undefined) {
        mkdirSync(corpus, { recursive: true })
        file = join(corpus, `${input.target}-${seed}-${list.length + 1}.json`)
        writeFileSync(file, `${JSON.stringify({ what, ...input }, undefined, 2)}\n`)
      }
      list.push({ what, file })
    },
  }
}
