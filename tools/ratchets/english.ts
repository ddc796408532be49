// Counts patterns of stilted English in comments, texts and documents.

import { englishPatterns } from './english-patterns.js'
import { proseOfPage, proseOfSource } from './prose.js'
import { lineAt, type Offence, roomOf, type Tree } from './tree.js'

/** A stretch of English that a pattern matches. */
interface Finding {
  readonly at: number
  readonly text: string
  readonly name: string
  readonly instead: string
}

/** The findings of all patterns in an English text. */
export function stiltedEnglish(prose: string): Finding[] {
  return englishPatterns.flatMap(({ name, instead, pattern }) =>
    [...prose.matchAll(pattern)].map((match) => ({
      at: match.index,
      text: match[0].replace(/ +/g, ' '),
      name,
      instead,
    })),
  )
}

export function findEnglish({ sources, pages }: Tree): Offence[] {
  const written = [
    ...sources.map((source) => ({ path: source.path, text: source.text, prose: proseOfSource(source) })),
    ...pages.map((page) => ({ path: page.path, text: page.text, prose: proseOfPage(page) })),
  ]
  return written.flatMap(({ path, text, prose }) =>
    stiltedEnglish(prose).map((finding) => ({
      room: roomOf(path),
      path,
      line: lineAt(text, finding.at),
      text: `"${finding.text}": ${finding.name}; write ${finding.instead}`,
    })),
  )
}
