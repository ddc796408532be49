// Counts functions of more than 150 lines.

import { lineAt, type Offence, roomOf, type Tree } from './tree.js'

const longestLines = 150

export function findLongFunctions({ sources }: Tree): Offence[] {
  return sources.flatMap(({ path, text, functions }) =>
    functions
      .map(({ start, end }) => ({ start, lines: text.slice(start, end).split('\n').length }))
      .filter(({ lines }) => lines > longestLines)
      .map(({ start, lines }) => ({
        room: roomOf(path),
        path,
        line: lineAt(text, start),
        text: `a function of ${lines} lines`,
      })),
  )
}
