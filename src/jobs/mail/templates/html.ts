// HTML that is escaped by construction: what is put into the template is text, unless it was made by the template itself.

const made = Symbol('html')

export interface Html {
  readonly [made]: string
}

type Part = string | Html | readonly Html[]

export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { [made]: texts.reduce((whole, text, at) => whole + textOf(parts[at - 1] ?? '') + text) }
}

export function htmlText(page: Html): string {
  return page[made]
}

function textOf(part: Part): string {
  if (typeof part === 'string') return escaped(part)
  return made in part ? part[made] : part.map(htmlText).join('')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] as string)
}
