// Bugs to plant in the compiled system, one at a time: a simulator that catches none of them proves nothing.
// Each is a line of a compiled module, found by its text, so that no source carries a switch for it.

import type { Mutant } from './mutant.js'
import { billing } from './planted/billing.js'
import { chargePoints } from './planted/charge-points.js'
import { commands } from './planted/commands.js'
import { commissioning } from './planted/commissioning.js'
import { guests } from './planted/guests.js'
import { mails } from './planted/mails.js'
import { requests } from './planted/requests.js'
import { roaming } from './planted/roaming.js'
import { runtime } from './planted/runtime.js'
import { sessions } from './planted/sessions.js'
import { sites } from './planted/sites.js'
import { webhooks } from './planted/webhooks.js'

export const mutants: readonly Mutant[] = [
  ...runtime,
  ...chargePoints,
  ...sessions,
  ...commands,
  ...webhooks,
  ...guests,
  ...billing,
  ...mails,
  ...requests,
  ...commissioning,
  ...sites,
  ...roaming,
]
