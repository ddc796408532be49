// The files of the reference, as the build writes them to dist/assets/reference.

import { readFileSync } from 'node:fs'
import { apiRoutes } from '../../src/api/areas/index.js'
import { openApiDocument } from '../../src/api/openapi/openapi.js'
import type { Reference } from './document.js'
import { referenceFiles } from './pages.js'

const folder = 'tools/reference/page'

export function builtReference(): ReadonlyMap<string, string> {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string }
  const document = openApiDocument(apiRoutes(), { version }) as unknown as Reference
  const asset = (name: string): string => readFileSync(`${folder}/${name}`, 'utf8')
  return referenceFiles(document, {
    'reference.css': asset('reference.css'),
    'reference.js': asset('reference.js'),
  })
}
