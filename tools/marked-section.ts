// A part of a document that a program writes, between two marks. It changes text; reading and writing files is its callers'.

/** The text with `content` between the marks of `name`; throws when the marks are missing. */
export function withSection(text: string, name: string, content: string): string {
  const begin = `<!-- ${name}: begin -->`
  const end = `<!-- ${name}: end -->`
  const from = text.indexOf(begin)
  const to = text.indexOf(end)
  if (from === -1 || to < from) throw new Error(`the document has no place for it: ${begin} and ${end}`)
  return `${text.slice(0, from + begin.length)}\n${content}\n${text.slice(to)}`
}
