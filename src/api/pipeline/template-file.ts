// A template that an operator has put into the data directory: the name of its file is its id, and its content is checked like the body of a request.

import type { Static, TSchema } from 'typebox'
import type { ErrorDetail } from '../../runtime/errors.js'
import { bodyCheck } from './validator.js'

export interface TemplateFile<Body extends TSchema, Template> {
  readonly schema: Body
  /** What is wrong with content that its schema lets pass. */
  faults?(content: Static<Body>): readonly ErrorDetail[]
  template(id: string, content: Static<Body>): Template
}

const idText = /^[A-Za-z0-9][A-Za-z0-9_-]{0,47}$/

/** `id`: the name of the file without its ending. What is returned throws one line that says what is wrong. */
export function templateFileReader<Body extends TSchema, Template>({
  schema,
  faults,
  template,
}: TemplateFile<Body, Template>): (id: string, content: unknown) => Template {
  const check = bodyCheck(schema)
  return (id, content) => {
    if (!idText.test(id)) throw new Error('the name of the file must be letters, digits, hyphens and underscores')
    const found = check(content) ?? faults?.(content as Static<Body>) ?? []
    if (found.length > 0) throw new Error(found.map(inWords).join('; '))
    return template(id, content as Static<Body>)
  }
}

function inWords({ path, message }: ErrorDetail): string {
  return path === '' ? `the file ${message}` : `${path.slice(1)} ${message}`
}
