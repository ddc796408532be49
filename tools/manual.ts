// The pages of the manual as HTML, made of their Markdown at build time: nothing of it is left to do when they are served.

import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Marked } from 'marked'

interface Page {
  readonly name: string
  readonly title: string
  readonly html: string
}

/** As GitHub makes anchors of headings, so that a link leads to the same place in both. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')
}

export const markdown = new Marked({
  walkTokens(token) {
    // Addresses without an ending, whole: a page is served at two of them.
    if (token.type === 'link') token.href = token.href.replace(/^([\w-]+)\.md(?=$|#)/, '/docs/$1')
    if (token.type === 'image') token.href = token.href.replace(/^(?=[\w-]+\.(?:svg|png)$)/, '/docs/')
  },
  renderer: {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    // Marks of what programs write.
    html: ({ text }) => (text.startsWith('<!--') ? '' : text),
    table(token) {
      const row = (cells: typeof token.header, tag: string): string =>
        `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`
      const rows = token.rows.map((cells) => row(cells, 'td')).join('\n')
      return `<div class="table"><table>\n<thead>${row(token.header, 'th')}</thead>\n<tbody>\n${rows}\n</tbody>\n</table></div>\n`
    },
  },
})

function readPage(path: string): Page {
  const text = readFileSync(path, 'utf8')
  const [, title] = /^# (.+)$/m.exec(text) ?? []
  if (title === undefined) throw new Error(`${path} has no title`)
  return { name: basename(path, '.md'), title, html: markdown.parse(text, { async: false }) }
}

function document(page: Page, contents: readonly Page[]): string {
  const entries = contents.map(({ name, title }) =>
    name === page.name
      ? `<li><a href="/docs/${name}" aria-current="page">${title}</a></li>`
      : `<li><a href="/docs/${name}">${title}</a></li>`,
  )
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title} - ampshard</title>
<link rel="canonical" href="/docs/${page.name}">
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/manual.css">
</head>
<body>
<nav aria-label="Manual">
<p><a href="/docs/manual">ampshard</a></p>
<ul>
${entries.join('\n')}
<li><a href="/docs">API reference</a></li>
</ul>
</nav>
<main>
${page.html}</main>
</body>
</html>
`
}

/** By name; the order is that in which `manual.md` lists the pages. */
export function manualFiles(folder: string): ReadonlyMap<string, string> {
  const first = readPage(join(folder, 'manual.md'))
  const order = [...first.html.matchAll(/<a href="\/docs\/([\w-]+)">/g)].map(([, name]) => name as string)
  const named = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'manual.md')
  const missing = named.filter((name) => !order.includes(basename(name, '.md')))
  if (missing.length > 0) throw new Error(`manual.md does not list ${missing.join(', ')}`)
  const contents = order.map((name) => readPage(join(folder, `${name}.md`)))
  return new Map([first, ...contents].map((page) => [`${page.name}.html`, document(page, contents)]))
}
