// What the actor's wake-ups are for, by the beginning of their reasons; the removal of its registration is the actor's own matter.

import type { Context, Effect } from '../../runtime/actor/actor.js'
import { wakeNoMore } from '../../runtime/actor/wake-ups.js'
import { provisionalCloseReason } from './awaited-stops.js'
import { takeOver } from './claim.js'
import { applicationOverdue, applicationReason, driftCheckDue } from './configuration.js'
import { driftCheckReason } from './configuration-drift.js'
import { allowanceReason, lookAtAllowance } from './keep-within.js'
import { chargePointAddress, claimedReason } from './messages.js'
import { closeProvisionally } from './provisional-close.js'
import { renewalReason, renewCertificate } from './renewal.js'
import { reservationDue } from './reservations.js'
import { upgradeDue, upgradeReason } from './security-upgrade.js'
import { certificateSentReason, certificateUnanswered } from './sent-certificate.js'
import { lookForSilence, silenceReason } from './silence.js'
import type { State } from './state.js'

export function woken(state: State, reason: string, context: Context): readonly Effect[] {
  if (reason === silenceReason) return lookForSilence(state, context)
  if (reason === allowanceReason) return lookAtAllowance(state, context)
  if (reason === certificateSentReason) return certificateUnanswered(state, context)
  if (reason.startsWith(claimedReason))
    return [...takeOver(state, context), wakeNoMore(chargePointAddress(context.id), reason)]
  if (reason === applicationReason) return applicationOverdue(state, context)
  if (reason === driftCheckReason) return driftCheckDue(state, context)
  if (reason === upgradeReason) return upgradeDue(state, context)
  if (reason === renewalReason) return renewCertificate(state, context)
  if (reason.startsWith(provisionalCloseReason)) return closeProvisionally(state, reason, context)
  return reservationDue(reason, context)
}
