// Mails an organization its alerts: each in a mail of its own while they are few, all that have gathered in one where they are many,
// and never more than so many mails an hour. What is to be mailed is on disk with the alert, and goes with the mail's own row.

import { type ActorDefinition, type Context, type Effect, effect } from '../../runtime/actor.js'
import { limits } from '../../runtime/limits.js'
import { mailEffects } from '../mail/new-mail.js'
import { alertsTable, type UntoldAlert, untoldAlertsTable } from '../records/alert.js'
import { type AlertMails, alertMailsTable } from '../records/alert-mails.js'
import type { MailContent } from '../records/mail.js'
import { defaultNotificationPreferences, type Organization, organizationsTable } from '../records/organization.js'
import { noticeMail, summaryMail } from './content.js'
import { type AlertMailMessage, alertMailKind } from './messages.js'

export interface AlertMailState {
  mailedAt: readonly number[]
  /** Monotonic ms since which alerts gather. */
  gatheringSince: number | undefined
}

const none: readonly Effect[] = []
const hourMs = 3_600_000
/** What happens together is mailed together. */
const gatherMs = 10_000

export const alertMail: ActorDefinition<AlertMailState, AlertMailMessage> = {
  kind: alertMailKind,
  load: (context) => ({
    mailedAt: context.read().get(alertMailsTable, [context.id])?.mailed_at ?? [],
    gatheringSince: undefined,
  }),
  idle: ({ gatheringSince }) => gatheringSince === undefined,
  handle(state, _message, context) {
    const organization = context.read().get(organizationsTable, [context.id])
    const { alert_emails } = organization?.notification_preferences ?? defaultNotificationPreferences
    if (organization === undefined || !alert_emails) {
      state.gatheringSince = undefined
      return untoldOf(context).map(forget)
    }
    const mailedAt = state.mailedAt.filter((at) => Math.abs(context.now() - at) < hourMs)
    const left = limits.alertMailsPerHour - mailedAt.length
    if (left <= 0) {
      state.gatheringSince = undefined
      return none
    }
    state.gatheringSince ??= context.monotonic()
    if (context.monotonic() - state.gatheringSince < gatherMs) return none
    state.gatheringSince = undefined
    return send(state, organization, mailedAt, left, context)
  },
}

function untoldOf(context: Context): readonly UntoldAlert[] {
  return context.read().list(untoldAlertsTable, [context.id], { limit: limits.alertsPerMail })
}

function forget(row: UntoldAlert): Effect {
  return effect.remove(untoldAlertsTable, untoldAlertsTable.key(row))
}

function send(
  state: AlertMailState,
  organization: Organization,
  mailedAt: readonly number[],
  left: number,
  context: Context,
): readonly Effect[] {
  const untold = untoldOf(context)
  if (untold.length === 0) return none
  // The last mail of an hour sums up: what comes after it waits longest.
  const single = untold.length <= Math.min(limits.singleAlertMails, left - 1)
  const contents = single ? singles(untold, organization, context) : [summaryMail(untold, organization, context)]
  state.mailedAt = [...mailedAt, ...contents.map(() => context.now())]
  const row: AlertMails = { organization_id: context.id, mailed_at: state.mailedAt }
  const wish = { organizationId: context.id, to: organization.contact_email }
  return [
    ...contents.flatMap((content) => mailEffects({ ...wish, content }, context)),
    ...untold.map(forget),
    effect.put(alertMailsTable, row),
  ]
}

function singles(untold: readonly UntoldAlert[], organization: Organization, context: Context): readonly MailContent[] {
  return untold.flatMap(({ alert_id, status }) => {
    const alert = context.read().get(alertsTable, [alert_id])
    return alert === undefined ? [] : [noticeMail(alert, status, organization, context)]
  })
}
