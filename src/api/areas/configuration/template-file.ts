// A template of configurations in a file: it is the same as the body of the request that creates one.

import type { SharedTemplate } from '../../../records/configuration-template.js'
import { templateFileReader } from '../../pipeline/template-file.js'
import { templateBody, templateFaults, termsOf } from './templates.js'

export const templateOfFile = templateFileReader({
  schema: templateBody,
  faults: templateFaults,
  template: (template_id, content): SharedTemplate => ({ template_id, source: 'file', ...termsOf(content) }),
})
