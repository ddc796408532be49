// What must not stand in a command's record: what lets somebody in, in addresses, in JSON, and as the value of a key.

import { withoutSecrets } from '../../ocpp16/without-secrets.js'
import { boundedFields } from '../../runtime/bounded-json.js'
import { limits } from './limits.js'

/** The parameters of a command, or an OCPP payload, as they are recorded: without secrets, and without what is too large. */
export function recordedParameters(parameters: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return boundedFields(withoutSecrets(parameters), limits.recordedParametersCharacters)
}
