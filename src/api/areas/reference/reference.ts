// The interface's own description: the OpenAPI document, the reference as pages that the build has made of it, Swagger UI to try requests
// out with, and the pages of the manual, served from this machine alone.

import { Type } from 'typebox'
import { assetPath } from '../../../runtime/assets.js'
import { notFound } from '../../../runtime/errors.js'
import type { Answer, Route } from '../../pipeline/route.js'
import { noSuchPath } from '../../pipeline/steps/match-route.js'
import { area } from './area.js'
import { contentTypes, type FileRequest, fileHeaders, storedFiles } from './stored-files.js'

const documentPath = '/api/v1/openapi.json'

// Swagger UI draws its icons from data URLs; nothing comes from another origin.
const tryPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const referencePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"

// Pages of the manual run nothing.
const manualPolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const manual = storedFiles(assetPath('docs'))
const reference = storedFiles(assetPath('reference'))

/** Named by their content, so that they never change. */
const kept = /^reference\.\w+\.(?:css|js)$/

function policyOf(file: string): string {
  if (file === 'try.html') return tryPolicy
  return file.endsWith('.html') ? manualPolicy : tryPolicy
}

function manualAnswer(name: string, request: FileRequest): Promise<Answer> {
  const file = manual.find(name)
  if (file === undefined) throw noSuchPath()
  return manual.answer(file, request, { 'Content-Security-Policy': policyOf(file) })
}

function referenceAnswer(name: string, request: FileRequest): Promise<Answer> {
  const file = reference.find(name)
  if (file === undefined || name === 'openapi.json') throw noSuchPath()
  return reference.answer(file, request, {
    'Content-Security-Policy': referencePolicy,
    ...(kept.test(file) && { 'Cache-Control': 'public, max-age=31536000, immutable' }),
  })
}

const html = 'text/html; charset=utf-8'

/** The routes that describe all others and themselves. */
export const referenceRoutes: readonly Route[] = [
  area.route({
    method: 'GET',
    path: '/',
    operationId: 'getStartPage',
    summary: 'Redirect a browser to the reference, and tell others where it is',
    headers: Type.Object({ Accept: Type.Optional(Type.String()) }),
    responses: { 200: 'text/plain; charset=utf-8', 302: null },
    handle: ({ headers: { Accept: accepted = '' } }) =>
      accepted.includes('text/html')
        ? { status: 302, headers: { Location: '/docs', Vary: 'Accept' } }
        : {
            status: 200,
            body: 'ampshard: the reference of the API is at /docs, its OpenAPI document at /api/v1/openapi.json.\n',
            contentType: 'text/plain; charset=utf-8',
            headers: { Vary: 'Accept' },
          },
  }),
  area.route({
    method: 'GET',
    path: documentPath,
    operationId: 'getOpenApiDocument',
    summary: 'Get this document',
    headers: fileHeaders,
    responses: { 200: Type.Object({ openapi: Type.String({ examples: ['3.1.0'] }) }), 304: null },
    handle: ({ headers }) => reference.answer('openapi.json', headers, {}),
  }),
  area.route({
    method: 'GET',
    path: '/docs',
    operationId: 'getReferencePage',
    summary: 'Get the first page of the reference',
    headers: fileHeaders,
    responses: { 200: html, 304: null },
    handle: ({ headers }) => referenceAnswer('index', headers),
  }),
  area.route({
    method: 'GET',
    path: '/docs/api/{page}',
    operationId: 'getReferencePart',
    summary: 'Get a page of the reference, or its style, script or search index',
    params: { page: Type.String() },
    headers: fileHeaders,
    responses: { 200: Object.values(contentTypes), 304: null },
    errors: [notFound],
    handle: ({ params, headers }) => referenceAnswer(params.page, headers),
  }),
  area.route({
    method: 'GET',
    path: '/docs/manual/{page}',
    operationId: 'getManualPage',
    summary: 'Get a page of the manual',
    description: '`/docs/manual/alerts` is the same page as `/docs/alerts`.',
    params: { page: Type.String() },
    headers: fileHeaders,
    responses: { 200: html, 304: null },
    errors: [notFound],
    handle: ({ params: { page }, headers }) => {
      const file = manual.find(page)
      if (file?.endsWith('.html') !== true || page === 'try') throw notFound('there is no such page of the manual')
      return manualAnswer(page, headers)
    },
  }),
  area.route({
    method: 'GET',
    path: '/docs/{file}',
    operationId: 'getReferenceFile',
    summary: 'Get a page of the manual or one of its files, or the page to try requests out',
    params: { file: Type.String() },
    headers: fileHeaders,
    responses: { 200: Object.values(contentTypes), 304: null },
    errors: [notFound],
    handle: ({ params, headers }) => manualAnswer(params.file, headers),
  }),
]
