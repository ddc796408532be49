// get_diagnostics: GetDiagnostics; the answer names the file, the upload comes later (OCPP 1.6, 5.9).

import { Type } from 'typebox'
import { callOf, getDiagnostics as message } from '../../../ocpp16/index.js'
import { defineCommand } from '../define-command.js'
import { url } from '../parameters.js'

export const getDiagnostics = defineCommand({
  name: 'get_diagnostics',
  summary: 'Have the charge point upload its diagnostics',
  parameters: Type.Object({ upload_url: url('The directory to which the charge point uploads its diagnostics.') }),
  call: ({ upload_url }) => callOf(message, { location: upload_url }),
})
