// The service fails again and again at commands.

import { defineAlertKind } from './define-kind.js'

export const commandsQuarantined = defineAlertKind({
  name: 'commands_quarantined',
  severity: 'critical',
  meaning:
    'The service has failed again and again to handle commands to a charge point, or bulk commands. It refuses these alone for a minute each time, and for ten minutes or more where they have ended a thread of the service. Sent at most once an hour.',
  lasts: false,
  nextStep: 'Read the log of the service for the command that fails, and report it to its developers.',
  /** `commands`: as `commands to the charge point CP-1`. */
  find: (commands: string) => ({
    message: `the service failed again and again to handle ${commands}, and refuses them for a while`,
  }),
})
