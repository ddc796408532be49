// The interface's own description: the OpenAPI document, and Swagger UI to read it with, served from this machine alone.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Type } from 'typebox'
import { AmpshardError } from '../../runtime/errors.js'
import { openApiDocument } from '../openapi.js'
import { type Answer, defineRoute, type Route } from '../route.js'

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
    <div id="swagger-ui"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`

const start = `SwaggerUIBundle({ url: '${documentPath}', dom_id: '#swagger-ui', deepLinking: true, docExpansion: 'none' })\n`

// Swagger UI styles its elements in place and draws its icons from data URLs; nothing comes from another origin.
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const packageFiles: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
}

const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
const loaded = new Map<string, Uint8Array>()

function fileAnswer(name: string): Answer {
  const headers = { 'Cache-Control': 'public, max-age=3600', 'Content-Security-Policy': contentSecurityPolicy }
  if (name === 'start.js') return { status: 200, body: start, contentType: 'text/javascript; charset=utf-8', headers }
  const contentType = Object.hasOwn(packageFiles, name) ? packageFiles[name] : undefined
  if (contentType === undefined) throw new AmpshardError('not_found', 'there is nothing at this path')
  const body = loaded.get(name) ?? readFileSync(join(folder, name))
  loaded.set(name, body)
  return { status: 200, body, contentType, headers }
}

/** The routes that describe the given ones, and themselves. */
export function referenceRoutes(described: readonly Route[], version: string): readonly Route[] {
  let document: string | undefined
  const reference: readonly Route[] = [
    defineRoute({
      method: 'GET',
      path: documentPath,
      operationId: 'getOpenApiDocument',
      summary: 'This document',
      tags: ['Reference'],
      credential: 'none',
      responses: { 200: Type.Object({ openapi: Type.String() }) },
      sheddable: 'never',
      handle() {
        document ??= JSON.stringify(openApiDocument([...described, ...reference], { version }))
        return { status: 200, body: document, contentType: 'application/json; charset=utf-8' }
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/docs',
      operationId: 'getReferencePage',
      summary: 'The reference as a page',
      tags: ['Reference'],
      credential: 'none',
      responses: { 200: 'text/html; charset=utf-8' },
      sheddable: 'never',
      handle: () => ({
        status: 200,
        body: page,
        contentType: 'text/html; charset=utf-8',
        headers: { 'Content-Security-Policy': contentSecurityPolicy },
      }),
    }),
    defineRoute({
      method: 'GET',
      path: '/docs/{file}',
      operationId: 'getReferenceFile',
      summary: "The page's scripts and styles",
      tags: ['Reference'],
      credential: 'none',
      params: Type.Object({ file: Type.String() }),
      responses: { 200: 'text/javascript; charset=utf-8' },
      errors: ['not_found'],
      sheddable: 'never',
      handle: ({ params }) => fileAnswer(params.file),
    }),
  ]
  return reference
}
