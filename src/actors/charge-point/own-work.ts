// What the service itself is doing with the charge point, beside what its operators command: applying its configuration, and taking it to a
// higher security profile. Each goes on after a restart, and ends with the registration.

import type { Context, Effect } from '../../runtime/actor/actor.js'
import { resumeCommissioning } from './commissioning.js'
import { endConfiguration, handleConfiguration, resumeConfiguration } from './configuration.js'
import type { ConfigurationMessage, OwnCallMessage } from './configuration-messages.js'
import {
  endUpgrade,
  handleUpgrade,
  resumeUpgrade,
  upgradeCallEnded,
  upgradeRegistrationChanged,
} from './security-upgrade.js'
import type { SecurityUpgradeMessage } from './security-upgrade-messages.js'
import { clearCallEnded, clearSiteLimits } from './site-limits.js'
import type { State } from './state.js'

export type OwnWorkMessage = ConfigurationMessage | SecurityUpgradeMessage | OwnCallMessage

export function handleOwnWork(state: State, message: OwnWorkMessage, context: Context): readonly Effect[] {
  switch (message.type) {
    case 'begin-security-upgrade':
    case 'security-upgrade-due':
      return handleUpgrade(state, message, context)
    case 'call-ended':
      return (
        upgradeCallEnded(state, message, context) ??
        clearCallEnded(state, message, context) ??
        handleConfiguration(state, message, context)
      )
    default:
      return handleConfiguration(state, message, context)
  }
}

/** The charge point has connected; or the actor was loaded again, and its socket is announced as the one that the row knows. */
export function resumeOwnWork(state: State, context: Context): readonly Effect[] {
  if (state.connection === undefined) return []
  return [
    ...resumeConfiguration(state, context),
    ...resumeUpgrade(state, context),
    ...resumeCommissioning(state, context),
    ...clearSiteLimits(state, context),
  ]
}

/** The registration is as it was, or says something else. */
export function ownWorkAfterChange(state: State, context: Context): readonly Effect[] {
  return [...clearSiteLimits(state, context), ...upgradeRegistrationChanged(state, context)]
}

/** The registration is gone, also where there is another since. */
export function endOwnWork(state: State, context: Context): readonly Effect[] {
  return [...endConfiguration(state, context), ...endUpgrade(state, context)]
}
