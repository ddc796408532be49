// The reference as pages, made of the OpenAPI document at build time: a first page that explains what holds everywhere, one for each subject,
// one of the named schemas, one of the events, and what the search looks through. A page needs no script to be read.

import { createHash } from 'node:crypto'
import { anchorOf } from '../manual.js'
import { operationHref, type Place, placesOf, type Reference, schemaHref, slugOf } from './document.js'
import { fieldsOf } from './fields.js'
import { block, escaped, json, placeOperation } from './html.js'
import { methodBadge, operationSection } from './operation.js'
import { commandNames, type Found, furtherWords } from './search.js'

interface Group {
  readonly title: string
  readonly has: (places: readonly Place[]) => boolean
}

const under = (root: string) => (places: readonly Place[]) => places.some(({ path }) => path.startsWith(root))

/** Who calls: the first group that has one of its paths takes a subject. */
const groups: readonly Group[] = [
  { title: 'Roaming partners call (OCPI)', has: under('/ocpi/') },
  { title: 'Field installers call', has: under('/api/v1/installer/') },
  { title: 'Operators and their systems call', has: under('/api/v1/') },
  { title: 'Anyone calls', has: () => true },
]

/** In the contents; the document has the subjects in another order. */
const groupOrder = [groups[2], groups[1], groups[0], groups[3]] as readonly Group[]

interface Subject {
  readonly name: string
  readonly about: string | undefined
  readonly slug: string
  readonly group: Group
  readonly places: readonly Place[]
}

function subjectsOf(document: Reference): readonly Subject[] {
  const places = placesOf(document)
  return document.tags.flatMap(({ name, description }) => {
    const own = places.filter(({ operation }) => operation.tags[0] === name)
    if (own.length === 0) return []
    const group = groups.find(({ has }) => has(own)) as Group
    return [{ name, about: description, slug: slugOf(name), group, places: own }]
  })
}

export interface PageAssets {
  /** The names under which the style and the script are served, which change with their content. */
  readonly style: string
  readonly script: string
}

interface PageText {
  readonly title: string
  readonly slug: string
  readonly description: string
  readonly main: string
}

const headingsOf = (markdown: string): readonly string[] =>
  [...markdown.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading as string)

function contentsOf(document: Reference, subjects: readonly Subject[], current: string): string {
  const link = (href: string, text: string, slug?: string): string =>
    `<a href="${href}"${slug === current ? ' aria-current="page"' : ''}>${text}</a>`
  const guide = headingsOf(document.info.description).map(
    (heading) => `<li>${link(`/docs#${anchorOf(heading)}`, escaped(heading))}</li>`,
  )
  const parts = groupOrder.map((group) => {
    const entries = subjects
      .filter((subject) => subject.group === group)
      .map(({ name, slug, places }) => {
        const own =
          slug !== current
            ? ''
            : `<ul>${places.map(({ method, operation }) => `<li><a href="#${operation.operationId}">${methodBadge(method)} ${escaped(operation.summary)}</a></li>`).join('')}</ul>`
        return `<li>${link(`/docs/api/${slug}`, escaped(name), slug)}${own}</li>`
      })
    return `<h2>${group.title}</h2><ul>${entries.join('')}</ul>`
  })
  return `<h2>${link('/docs', 'Start here', '')}</h2><ul>${guide.join('')}</ul>
${parts.join('\n')}
<h2>What is sent and received</h2><ul><li>${link('/docs/api/schemas', 'Schemas', 'schemas')}</li><li>${link('/docs/api/webhook-events', 'Webhook events', 'webhook-events')}</li></ul>
<h2>Elsewhere</h2><ul><li><a href="/docs/manual">Manual</a></li><li><a href="/docs/try">Try requests out</a></li><li><a href="/api/v1/openapi.json">OpenAPI document</a></li></ul>`
}

function pageOf(page: PageText, contents: string, { style, script }: PageAssets): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escaped(page.description)}">
<title>${escaped(page.title)} - ampshard API reference</title>
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/api/${style}">
<script src="/docs/api/${script}" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header>
<a class="brand" href="/docs">ampshard <span>API reference</span></a>
<div class="search" role="search"><input id="search" type="search" placeholder="Search operations, schemas, events, errors" aria-label="Search the reference" autocomplete="off" spellcheck="false" disabled><kbd>/</kbd><ul id="hits" class="hits" hidden></ul></div>
<nav aria-label="Other documents"><a href="/docs/manual">Manual</a></nav>
</header>
<nav class="contents" aria-label="Reference">
<details id="contents" open><summary>Contents</summary>
${contents}
</details>
</nav>
<main id="main">
${page.main}
</main>
</body>
</html>
`
}

function firstPage(document: Reference, subjects: readonly Subject[]): PageText {
  const [about = '', ...rest] = document.info.description.split(/\n\n(?=## )/)
  const cards = groupOrder.map(
    (group) =>
      `<h3>${group.title}</h3><ul class="cards">${subjects
        .filter((subject) => subject.group === group)
        .map(
          ({ name, slug, about, places }) =>
            `<li><a href="/docs/api/${slug}">${escaped(name)}</a> <span class="count">${places.length}</span>${block(about)}</li>`,
        )
        .join('')}</ul>`,
  )
  const count = subjects.reduce((sum, { places }) => sum + places.length, 0)
  const main = `<div class="prose"><h1>ampshard API reference</h1>
${block(about)}
<p>Version ${escaped(document.info.version)}: ${count} operations, ${Object.keys(document.components.schemas).length} named schemas, ${Object.keys(document.webhooks).length} events.
The <a href="/docs/manual">manual</a> explains how things are done; this reference says what each request takes and returns. It is made of the
<a href="/api/v1/openapi.json">OpenAPI 3.1 document</a> of this installation, which clients can be generated from. Requests can be <a href="/docs/try">tried out</a> in the browser.</p>
${rest.map(block).join('\n')}
<h2 id="operations">All subjects</h2>
${cards.join('\n')}</div>`
  return { title: 'Start here', slug: '', description: 'How to call the API, and every operation of it.', main }
}

function subjectPage(document: Reference, { name, about, slug, places }: Subject): PageText {
  const main = `<div class="prose"><h1>${escaped(name)}</h1>${block(about)}</div>
${places.map((place) => operationSection(document, place)).join('\n')}`
  return { title: name, slug, description: about ?? name, main }
}

/** The operations whose request or answer has the schema, itself or in another one. */
function usersOf(document: Reference): ReadonlyMap<string, readonly Place[]> {
  const { schemas } = document.components
  const namedIn = (value: unknown): readonly string[] => [
    ...new Set([...JSON.stringify(value).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name as string)),
  ]
  const direct = new Map(Object.entries(schemas).map(([name, schema]) => [name, namedIn(schema)]))
  const users = new Map<string, Place[]>(Object.keys(schemas).map((name) => [name, []]))
  for (const place of placesOf(document)) {
    const { requestBody, responses } = place.operation
    const seen = new Set<string>()
    const waiting = [...namedIn({ requestBody, responses })]
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      if (seen.has(name)) continue
      seen.add(name)
      users.get(name)?.push(place)
      waiting.push(...(direct.get(name) ?? []))
    }
  }
  return users
}

/** A list of users is longer than anybody reads where nearly all are. */
const usersShown = 12

function schemasPage(document: Reference): PageText {
  const users = usersOf(document)
  const sections = Object.entries(document.components.schemas)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, schema]) => {
      const own = users.get(name) ?? []
      const links = own
        .slice(0, usersShown)
        .map(({ operation }) => `<a href="${operationHref(operation)}">${escaped(operation.summary)}</a>`)
      const more = own.length > usersShown ? ` and ${own.length - usersShown} more operations` : ''
      return `<section class="schema" id="${name}"><h3><a href="#${name}">${escaped(name)}</a></h3>${block(schema.description)}
${fieldsOf(document, schema)}
${links.length > 0 ? `<p class="bounds">Used by ${links.join(', ')}${more}.</p>` : ''}</section>`
    })
  const main = `<div class="prose"><h1>Schemas</h1><p>What has a name of its own: a client that is generated from the OpenAPI document has a type for each.</p></div>
${sections.join('\n')}`
  return { title: 'Schemas', slug: 'schemas', description: 'The named schemas.', main }
}

function eventsPage(document: Reference): PageText {
  const sections = Object.entries(document.webhooks).map(([name, { post }]) => {
    const content = post.requestBody?.content['application/json']
    const schema = content?.schema.oneOf?.[0]?.properties?.data
    const examples = Object.values(content?.examples ?? {}).map(
      ({ summary, value }) => `<h4>${escaped(summary ?? 'Payload')}</h4>${json(value)}`,
    )
    return `<section class="operation" id="${name}" aria-labelledby="${name}-title"><div class="says"><h3 id="${name}-title"><a href="#${name}"><code>${escaped(name)}</code></a></h3>
${block(post.summary)}<h4>Fields of <code>data</code></h4>${schema === undefined ? '' : fieldsOf(document, schema)}</div><div class="shows">${examples.join('')}</div></section>`
  })
  const main = `<div class="prose"><h1>Webhook events</h1><p>What is sent to the endpoints that subscribe to it, in the payload format of the endpoint; the
<a href="/docs/api/events">feed</a> and the <a href="/docs/api/events">stream</a> of events have the same. <a href="/docs#webhooks">Webhooks</a> says how a delivery is signed and repeated.</p></div>
${sections.join('\n')}`
  return {
    title: 'Webhook events',
    slug: 'webhook-events',
    description: 'Every event, its fields and an example.',
    main,
  }
}

function searchIndex(document: Reference, subjects: readonly Subject[]): readonly Found[] {
  const errors = [...document.info.description.matchAll(/^\| \d+ \| `(\w+)` \| (.+) \|$/gm)]
  return [
    ...headingsOf(document.info.description).map((t) => ({ t, k: 'Guide', u: `/docs#${anchorOf(t)}` })),
    ...subjects.map(({ name, slug }) => ({ t: name, k: 'Subject', u: `/docs/api/${slug}` })),
    ...subjects.flatMap(({ places }) =>
      places.map((place) => ({
        t: place.operation.summary,
        k: place.method,
        p: `${place.path} ${place.operation.operationId}`,
        w: furtherWords(document, place),
        ...(commandNames(place.operation) !== '' && { c: commandNames(place.operation) }),
        u: operationHref(place.operation),
      })),
    ),
    ...Object.keys(document.components.schemas).map((t) => ({ t, k: 'Schema', u: schemaHref(t) })),
    ...Object.entries(document.webhooks).map(([t, { post }]) => ({
      t,
      k: 'Event',
      p: post.summary,
      u: `/docs/api/webhook-events#${t}`,
    })),
    ...errors.map(([, code, meaning]) => ({ t: code as string, k: 'Error', p: meaning as string, u: '/docs#errors' })),
  ]
}

/** `reference.css` and its content become `reference.3f9a61c2.css`: kept by browsers for good, and another one after an update. */
export function namedByContent(name: string, content: string): string {
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 8)
  return name.replace(/(?=\.\w+$)/, `.${digest}`)
}

/** By name; `index.html` is the first page. `assets` are the style and the script of the pages, by their names. */
export function referenceFiles(
  document: Reference,
  assets: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> {
  const named = new Map(Object.entries(assets).map(([name, content]) => [name, namedByContent(name, content)]))
  const names = { style: named.get('reference.css') as string, script: named.get('reference.js') as string }
  const subjects = subjectsOf(document)
  for (const place of placesOf(document))
    placeOperation(`${place.method} ${place.path}`, operationHref(place.operation))
  const pages = [
    firstPage(document, subjects),
    ...subjects.map((subject) => subjectPage(document, subject)),
    schemasPage(document),
    eventsPage(document),
  ]
  return new Map([
    ['openapi.json', JSON.stringify(document)],
    ['search.json', JSON.stringify(searchIndex(document, subjects))],
    ...Object.entries(assets).map(([name, content]) => [named.get(name) as string, content] as const),
    ...pages.map(
      (page) =>
        [`${page.slug || 'index'}.html`, pageOf(page, contentsOf(document, subjects, page.slug), names)] as const,
    ),
  ])
}
