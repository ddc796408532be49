// The interface's own description: the OpenAPI document, Swagger UI to read it with, and the pages of the manual, served from this machine
// alone.

import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { Type } from 'typebox'
import { assetPath } from '../../../runtime/assets.js'
import { notFound } from '../../../runtime/errors.js'
import { openApiDocument } from '../../openapi/openapi.js'
import type { Answer, Route } from '../../pipeline/route.js'
import { noSuchPath } from '../../pipeline/steps/match-route.js'
import { area } from './area.js'

const documentPath = '/api/v1/openapi.json'

const page = `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="UTF-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>ampshard API reference</title>
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
  </head>
  <body>
    <p><a href="/docs/manual">Manual</a></p>
    <div id="swagger-ui"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`

const start = `SwaggerUIBundle({ url: '${documentPath}', dom_id: '#swagger-ui', deepLinking: true, docExpansion: 'none', filter: true })\n`

// Swagger UI styles its elements in place and draws its icons from data URLs; nothing comes from another origin.
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Pages of the manual run nothing.
const manualSecurityPolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
}

const folder = assetPath('docs')
/** What is asked for, and its file: a page of the manual is asked for without the ending. */
let names: ReadonlyMap<string, string> | undefined

function fileOf(name: string): string | undefined {
  names ??= new Map(readdirSync(folder).map((file) => [file.replace(/\.html$/, ''), file]))
  return names.get(name)
}

const compress = promisify(gzip)

/** Texts of a megabyte and more, the same until the next release: made once, compressed once, off the event loop. */
interface StoredText {
  readonly plain: Uint8Array
  readonly compressed: Promise<Uint8Array>
}

const files = new Map<string, StoredText>()

/** As bytes, which all who are being sent them share. */
function newText(text: string | Uint8Array): StoredText {
  const plain = typeof text === 'string' ? Buffer.from(text) : text
  return { plain, compressed: compress(plain) }
}

const encodings = Type.Object({ 'Accept-Encoding': Type.Optional(Type.String()) })

/** Whether gzip may be sent (RFC 9110, 12.5.3). */
function takesGzip(accepted: string | undefined): boolean {
  const named = (accepted ?? '').split(',').map((one) => one.trim().toLowerCase())
  return named.some((one) => /^(?:gzip|\*)(?:\s*;\s*q=(?:0\.0*[1-9]\d*|1(?:\.0*)?))?$/.test(one))
}

async function textAnswer(
  text: StoredText,
  contentType: string,
  accepted: string | undefined,
  more: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const headers = { 'Cache-Control': 'public, max-age=3600', Vary: 'Accept-Encoding', ...more }
  if (!takesGzip(accepted)) return { status: 200, body: text.plain, contentType, headers }
  return { status: 200, body: await text.compressed, contentType, headers: { ...headers, 'Content-Encoding': 'gzip' } }
}

function fileAnswer(name: string, accepted: string | undefined): Promise<Answer> {
  const isStart = name === 'start.js'
  const file = isStart ? name : fileOf(name)
  const contentType = contentTypes[extname(file ?? '')]
  if (file === undefined || contentType === undefined) throw noSuchPath()
  const text = files.get(name) ?? newText(isStart ? start : readFileSync(join(folder, file)))
  files.set(name, text)
  return textAnswer(text, contentType, accepted, {
    'Content-Security-Policy': file.endsWith('.html') ? manualSecurityPolicy : contentSecurityPolicy,
  })
}

/** The routes that describe the given ones, and themselves. */
export function referenceRoutes(described: readonly Route[], version: string): readonly Route[] {
  let document: StoredText | undefined
  const reference: readonly Route[] = [
    area.route({
      method: 'GET',
      path: '/',
      operationId: 'getStartPage',
      summary: 'Redirect to the reference',
      responses: { 302: null },
      handle: () => ({ status: 302, headers: { Location: '/docs' } }),
    }),
    area.route({
      method: 'GET',
      path: documentPath,
      operationId: 'getOpenApiDocument',
      summary: 'Get this document',
      headers: encodings,
      responses: { 200: Type.Object({ openapi: Type.String() }) },
      handle({ headers }) {
        document ??= newText(JSON.stringify(openApiDocument([...described, ...reference], { version })))
        return textAnswer(document, 'application/json; charset=utf-8', headers['Accept-Encoding'], {
          'Cache-Control': 'no-cache',
        })
      },
    }),
    area.route({
      method: 'GET',
      path: '/docs',
      operationId: 'getReferencePage',
      summary: 'Get the reference as a page',
      responses: { 200: 'text/html; charset=utf-8' },
      handle: () => ({
        status: 200,
        body: page,
        contentType: 'text/html; charset=utf-8',
        headers: { 'Content-Security-Policy': contentSecurityPolicy },
      }),
    }),
    area.route({
      method: 'GET',
      path: '/docs/manual/{page}',
      operationId: 'getManualPage',
      summary: 'Redirect to a page of the manual',
      description:
        'The pages are beside the contents of the manual: `/docs/manual/alerts` redirects to `/docs/alerts`.',
      params: { page: Type.String() },
      responses: { 302: null },
      errors: [notFound],
      handle: ({ params: { page } }) => {
        if (!fileOf(page)?.endsWith('.html')) throw notFound('there is no such page of the manual')
        return { status: 302, headers: { Location: `/docs/${page}` } }
      },
    }),
    area.route({
      method: 'GET',
      path: '/docs/{file}',
      operationId: 'getReferenceFile',
      summary: 'Get a page of the manual, or a script or style of the reference',
      params: { file: Type.String() },
      headers: encodings,
      responses: { 200: Object.values(contentTypes) },
      errors: [notFound],
      handle: ({ params, headers }) => fileAnswer(params.file, headers['Accept-Encoding']),
    }),
  ]
  return reference
}
