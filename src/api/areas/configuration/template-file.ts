// A template that an operator has put into the data directory: it is the same as the body of the request that creates one.

import type { SharedTemplate } from '../../../records/configuration-template.js'
import type { ErrorDetail } from '../../../runtime/errors.js'
import { bodyCheck } from '../../pipeline/validator.js'
import { type TemplateBody, templateBody, templateFaults, termsOf } from './templates.js'

const idText = /^[A-Za-z0-9][A-Za-z0-9_-]{0,47}$/
const check = bodyCheck(templateBody)

/** `name`: that of the file without its ending, which the template is called by. Throws one line that says what is wrong. */
export function templateOfFile(name: string, content: unknown): SharedTemplate {
  if (!idText.test(name)) throw new Error('the name of the file must be letters, digits, hyphens and underscores')
  const faults = check(content) ?? templateFaults(content as TemplateBody)
  if (faults.length > 0) throw new Error(faults.map(inWords).join('; '))
  return { template_id: name, source: 'file', ...termsOf(content as TemplateBody) }
}

function inWords({ path, message }: ErrorDetail): string {
  return path === '' ? `the file ${message}` : `${path.slice(1)} ${message}`
}
