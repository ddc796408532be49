// Text as HTML: escaped, or made of the Markdown in which the OpenAPI document describes things.

import { markdown } from '../manual.js'

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] as string)
}

/** Paragraphs, lists and tables. */
export function block(text: string | undefined): string {
  return text === undefined || text === '' ? '' : linked(markdown.parse(text, { async: false }))
}

/** One line, without a paragraph around it. */
export function inline(text: string): string {
  return linked(markdown.parseInline(text, { async: false }))
}

/** Where the operations that the text names are: their places by method and path. */
const places = new Map<string, string>()

export function placeOperation(name: string, href: string): void {
  places.set(name, href)
}

/** `GET /api/v1/events` becomes a link to the operation. */
function linked(html: string): string {
  return html.replace(/<code>((?:GET|POST|PUT|PATCH|DELETE) \/[^<\s]*)<\/code>/g, (code, name: string) => {
    const href = places.get(name.replace(/\?.*$/, ''))
    return href === undefined ? code : `<a href="${href}">${code}</a>`
  })
}

export function json(value: unknown): string {
  return `<pre class="json" tabindex="0"><code>${coloured(JSON.stringify(value, null, 2))}</code></pre>`
}

/** Names, texts and other values of JSON, each with a colour of its own. */
function coloured(text: string): string {
  return escaped(text).replace(
    /(&quot;(?:\\.|(?!&quot;).)*&quot;)(:)?|\b(true|false|null)\b|(-?\b\d[\d.eE+-]*)/g,
    (whole, quoted: string | undefined, colon: string | undefined, word: string | undefined) => {
      if (quoted !== undefined && colon !== undefined) return `<i class="n">${quoted}</i>:`
      return `<i class="${quoted !== undefined ? 't' : word !== undefined ? 'w' : 'd'}">${whole}</i>`
    },
  )
}
