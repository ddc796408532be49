// The messages by their actions, which are case-sensitive (OCPP-J 1.6, 4.2.1).

import * as schemas from './schemas/all.js'
import type { MessageDefinition } from './schemas/define-message.js'

function isMessage(exported: unknown): exported is MessageDefinition {
  return typeof exported === 'object' && exported !== null && 'action' in exported && 'request' in exported
}

export const messages: ReadonlyMap<string, MessageDefinition> = new Map(
  Object.values<unknown>(schemas)
    .filter(isMessage)
    .map((definition) => [definition.action, definition]),
)
