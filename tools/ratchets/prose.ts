// The English of a file: comments, texts and documents. All other characters become bars, so that offsets stay those of the file
// and no pattern matches across code.

import type { Page, Source } from './tree.js'

const bars = (text: string): string => '|'.repeat(text.length)
const blanks = (text: string): string => ' '.repeat(text.length)

/** One line with single-character blanks; an empty line ends a paragraph. */
function onOneLine(text: string): string {
  return text.replace(/\n\s*\n/g, bars).replace(/\s/g, ' ')
}

/** Comment marks and code in backticks are not English. */
function commentText(text: string): string {
  return text.replace(/^\/[/*]+|\*\/$|^[ \t]*\*/gm, blanks).replace(/`[^`\n]*`/g, (code) => '`'.repeat(code.length))
}

const withoutQuotes = (text: string): string => text.replace(/^['"`}]|['"`]$/g, '|')
const severalWords = /\p{L}[,;:.]? +\p{L}/u

/** The English of a source, as long as the source. */
export function proseOfSource({ text, comments, literals }: Source): string {
  const commented = comments.map(({ start, end }) => ({ start, end, clean: commentText }))
  const quoted = literals
    .filter(({ start, end }) => severalWords.test(text.slice(start, end)))
    .map(({ start, end }) => ({ start, end, clean: withoutQuotes }))
  let prose = ''
  for (const { start, end, clean } of [...commented, ...quoted].sort((one, other) => one.start - other.start)) {
    const between = text.slice(prose.length, start)
    prose += between.trim() === '' ? between : bars(between)
    prose += clean(text.slice(start, end))
  }
  return onOneLine(prose)
}

/** The English of a document or a style sheet, without code, addresses and the sections that programs write. */
export function proseOfPage({ path, text }: Page): string {
  if (path.endsWith('.css')) return onOneLine(text.replace(/(^|\*\/)[\s\S]*?(\/\*|$(?![\s\S]))/g, bars))
  const prose = text
    .replace(/<!-- ([\w ]+): begin -->[\s\S]*?<!-- \1: end -->/g, bars)
    .replace(/^( *)```[\s\S]*?^\1```/gm, bars)
    .replace(/<!--[\s\S]*?-->/g, bars)
    .replace(/`[^`\n]*`/g, (code) => '`'.repeat(code.length))
    .replace(/\]\([^)\s]*\)/g, blanks)
    .replace(/\n\s*(?:[-*]|\d+\.|#+) /g, bars)
    .replace(/[*_[]/g, ' ')
  return onOneLine(prose)
}
