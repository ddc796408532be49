// The manual as a running service serves it: every page, and whatever a page refers to.

import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import { createTestApi } from '../api/fixture.js'

const pages = readdirSync(fileURLToPath(new URL('../../../src/docs/', import.meta.url)))
  .filter((name) => name.endsWith('.md'))
  .map((name) => name.replace(/\.md$/, ''))

test('manual - every page is served, and what it refers to is there', async (t) => {
  t.ok(pages.includes('manual') && pages.length > 10, 'the pages are found')
  const service = await createTestApi()
  const get = (path: string) => service.call('GET', path, undefined, { key: undefined })
  const documents = new Map<string, string>()
  for (const name of pages) {
    const { status, headers, body } = await get(`/docs/${name}`)
    t.equal(status, 200, name)
    t.match(headers['Content-Type'], /^text\/html/)
    t.match(headers['Content-Security-Policy'], /^default-src 'none'; style-src 'self'; img-src 'self';/)
    documents.set(`/docs/${name}`, String(body))
  }
  for (const [path, text] of documents) {
    const references = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(
      (match) => new URL(match[1] as string, `http://x${path}`),
    )
    t.ok(references.length > pages.length, `${path} has the contents beside it`)
    for (const { host, pathname, hash } of references.filter(({ host }) => host === 'x')) {
      t.equal((await get(pathname)).status, 200, `${path} refers to ${host}${pathname}`)
      if (hash !== '')
        t.ok(documents.get(pathname)?.includes(`id="${hash.slice(1)}"`), `${path} refers to ${pathname}${hash}`)
    }
  }
})

test('manual - a page that is asked for below the contents is where its name says', async (t) => {
  const service = await createTestApi()
  const get = (path: string) => service.call('GET', path, undefined, { key: undefined })
  for (const name of pages)
    t.match(await get(`/docs/manual/${name}`), { status: 200, body: (await get(`/docs/${name}`)).body })
  for (const name of ['nothing', 'alerts.html', 'manual.css', 'start.js', 'try', '..%2Falerts', '%2Fevil.example'])
    t.equal((await get(`/docs/manual/${name}`)).status, 404, name)
})

test('manual - nothing but pages and their files is served beside them', async (t) => {
  const service = await createTestApi()
  for (const name of ['alerts.md', 'alerts.html', 'nothing', '..%2FNOTICES.txt', 'swagger-ui.css.map'])
    t.equal((await service.call('GET', `/docs/${name}`, undefined, { key: undefined })).status, 404, name)
})
