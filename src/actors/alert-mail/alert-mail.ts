// Mails an organization its alerts: each in a mail of its own while they are few, all that have gathered in one where they are many,
// and never more than so many mails an hour, and so many more about what is critical. What is to be mailed is on disk with the alert,
// and goes with the mail's own row.

import { alertsTable, type UnsentAlert, unsentAlertsTable } from '../../records/alert.js'
import { type AlertMails, alertMailsTable } from '../../records/alert-mails.js'
import type { MailContent } from '../../records/mail.js'
import { defaultNotificationPreferences, type Organization, organizationsTable } from '../../records/organization.js'
import { type ActorDefinition, type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { mailEffects } from '../mail/new-mail.js'
import { noticeMail, summaryMail } from './content.js'
import { limits } from './limits.js'
import { type AlertMailMessage, alertMailKind } from './messages.js'

export interface AlertMailState {
  mailedAt: readonly number[]
  criticalMailedAt: readonly number[]
  /** Monotonic ms since which alerts gather. */
  gatheringSince: number | undefined
}

const none: readonly Effect[] = []
const hourMs = 3_600_000
/** What happens together is mailed together. */
const gatherMs = 10_000

export const alertMail: ActorDefinition<AlertMailState, AlertMailMessage> = {
  kind: alertMailKind,
  load(context) {
    const row = context.read().get(alertMailsTable, [context.id])
    return {
      mailedAt: row?.mailed_at ?? [],
      criticalMailedAt: row?.critical_mailed_at ?? [],
      gatheringSince: undefined,
    }
  },
  idle: ({ gatheringSince }) => gatheringSince === undefined,
  handle(state, _message, context) {
    const organization = context.read().get(organizationsTable, [context.id])
    const { alert_emails } = organization?.notification_preferences ?? defaultNotificationPreferences
    if (organization === undefined || !alert_emails) {
      state.gatheringSince = undefined
      return unsentOf(context).map(forget)
    }
    const batch = batchOf(state, context)
    if (batch === undefined) {
      state.gatheringSince = undefined
      return none
    }
    state.gatheringSince ??= context.monotonic()
    if (context.monotonic() - state.gatheringSince < gatherMs) return none
    state.gatheringSince = undefined
    return send(state, organization, batch, context)
  },
}

/** What may be mailed now, and on whose account. */
interface Batch {
  readonly account: 'mailedAt' | 'criticalMailedAt'
  /** Mails of the last hour, wall ms. */
  readonly mailedAt: readonly number[]
  /** Mails that may go out still; one at least. */
  readonly left: number
}

function batchOf(state: AlertMailState, context: Context): Batch | undefined {
  const recent = (times: readonly number[]) => times.filter((at) => Math.abs(context.now() - at) < hourMs)
  const mailedAt = recent(state.mailedAt)
  const left = limits.alertMailsPerHour - mailedAt.length
  if (left > 0) return { account: 'mailedAt', mailedAt, left }
  const critical = recent(state.criticalMailedAt)
  const criticalLeft = limits.criticalAlertMailsPerHour - critical.length
  const wanted = criticalLeft > 0 && criticalOf(context, 1).length > 0
  return wanted ? { account: 'criticalMailedAt', mailedAt: critical, left: criticalLeft } : undefined
}

function criticalOf(context: Context, limit: number = limits.alertsPerMail): readonly UnsentAlert[] {
  return context.read().listBy(unsentAlertsTable, 'critical', [context.id], { limit })
}

function unsentOf(context: Context): readonly UnsentAlert[] {
  return context.read().list(unsentAlertsTable, [context.id], { limit: limits.alertsPerMail })
}

/** What is critical, also where it lies behind more than a mail sums up; then the others. */
function criticalFirst(context: Context): readonly UnsentAlert[] {
  const critical = criticalOf(context)
  const keys = new Set(critical.map(keyText))
  const others = unsentOf(context).filter((row) => !keys.has(keyText(row)))
  return [...critical, ...others].slice(0, limits.alertsPerMail)
}

const keyText = (row: UnsentAlert): string => unsentAlertsTable.key(row).join('/')

function forget(row: UnsentAlert): Effect {
  return effect.remove(unsentAlertsTable, unsentAlertsTable.key(row))
}

function send(
  state: AlertMailState,
  organization: Organization,
  { account, mailedAt, left }: Batch,
  context: Context,
): readonly Effect[] {
  const unsent = account === 'mailedAt' ? criticalFirst(context) : criticalOf(context)
  if (unsent.length === 0) return none
  // The last mail of an hour sums up: what comes after it waits longest.
  const single = unsent.length <= Math.min(limits.singleAlertMails, left - 1)
  const contents = single ? singles(unsent, organization, context) : [summaryMail(unsent, organization, context)]
  state[account] = [...mailedAt, ...contents.map(() => context.now())]
  const row: AlertMails = {
    organization_id: context.id,
    mailed_at: state.mailedAt,
    critical_mailed_at: state.criticalMailedAt,
  }
  const wish = { organizationId: context.id, to: organization.contact_email }
  return [
    ...contents.flatMap((content) => mailEffects({ ...wish, content }, context)),
    ...unsent.map(forget),
    effect.put(alertMailsTable, row),
  ]
}

function singles(unsent: readonly UnsentAlert[], organization: Organization, context: Context): readonly MailContent[] {
  return unsent.flatMap(({ alert_id, status }) => {
    const alert = context.read().get(alertsTable, [alert_id])
    return alert === undefined ? [] : [noticeMail(alert, status, organization, context)]
  })
}
