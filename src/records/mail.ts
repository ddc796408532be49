// A mail that is to be sent: what its template is filled with, and how often it has been tried. It may hold a secret, such as an
// invitation's token, so the row goes when the mail is sent, and its content when it is given up.

import type { AlertDetails, AlertSeverity } from '../alert-kinds/index.js'
import { timeOfId } from '../runtime/ids.js'
import { defineTable } from '../runtime/store/table.js'
import type { Role } from './member.js'

/** What is said in each mail; src/jobs/mail/templates/ says it in words. Times are ISO 8601. */
export type MailContent =
  | {
      readonly type: 'member-invitation'
      readonly organizationName: string
      readonly role: Role
      readonly token: string
      readonly expiresAt: string
      readonly timeZone?: string
    }
  | {
      readonly type: 'site-owner-invitation'
      readonly organizationName: string
      readonly name: string
      readonly token: string
      readonly expiresAt: string
      readonly timeZone?: string
    }
  | {
      readonly type: 'site-owner-sent-back'
      readonly organizationName: string
      readonly name: string
      /** In the words of the organization. */
      readonly reason: string
    }
  | {
      readonly type: 'console-sign-in-code'
      readonly organizationName: string
      readonly code: string
      readonly expiresAt: string
    }
  | ({ readonly type: 'alert-raised' } & AlertNotice)
  | ({ readonly type: 'alert-resolved' } & AlertNotice)
  | ({ readonly type: 'alert-summary' } & AlertSummary)
  | ({ readonly type: 'weekly-report' } & WeekSummary)
  | ({ readonly type: 'dispute-opened' } & DisputeNotice)
  | InstallerMailContent

/** To installers; `organizationName` is the operator of the installation. */
export type InstallerMailContent = { readonly organizationName: string } & (
  | {
      readonly type: 'installer-confirmation'
      readonly token: string
      readonly signedUpAt: string
      readonly expiresAt: string
    }
  | { readonly type: 'installer-address-taken' }
  | {
      readonly type: 'installer-password-reset'
      readonly token: string
      readonly expiresAt: string
    }
  | { readonly type: 'installer-password-changed'; readonly name: string; readonly at: string }
  | { readonly type: 'installer-identity-approved'; readonly name: string }
  /** In the words of the operator. */
  | { readonly type: 'installer-identity-rejected'; readonly name: string; readonly reason: string }
  | { readonly type: 'installer-removed'; readonly name: string }
)

export interface AlertNotice {
  readonly organizationName: string
  /** What and where, in a few words: they become the mail's subject. */
  readonly subject: string
  /** The alert's own: times in it are in UTC. */
  readonly message: string
  readonly chargePointId?: string
  readonly time: string
  /** IANA name, in which all times are told; UTC unless given. */
  readonly timeZone?: string
  /** Absent in mails that an earlier version has stored. */
  readonly alert?: NotedAlert
  /** Where its charge point is, as far as its operator has said it. */
  readonly place?: ChargePointPlace
}

/** What a mail tells of an alert beside its message. */
export interface NotedAlert {
  readonly alertId: string
  /** One of `alertKinds`, unless a later version has stored it. */
  readonly kind: string
  readonly severity: AlertSeverity
  /** False for a notice. */
  readonly lasts: boolean
  readonly since: string
  readonly connectorId?: number
  readonly webhookEndpointId?: string
  readonly details?: AlertDetails
}

export interface ChargePointPlace {
  readonly name?: string
  readonly address?: string
  /** Absent for a charge point that registered itself, and has never been told where it is. */
  readonly coordinates?: { readonly latitude: number; readonly longitude: number }
  readonly siteId?: string
  /** Absent where the site is gone. */
  readonly siteName?: string
}

export interface DisputeNotice {
  readonly organizationName: string
  readonly disputeId: string
  readonly sessionId: string
  readonly chargePointId: string
  /** In the words of the driver. */
  readonly reason: string
  /** In the currency. */
  readonly cost: number
  readonly expectedCost?: number
  readonly currency: string
  readonly minorUnits: number
  readonly startedAt: string
  readonly timeZone?: string
}

/** Of many alerts at once. */
export interface AlertSummary {
  readonly organizationName: string
  /** Critical ones first, then the rarest. */
  readonly kinds: readonly {
    readonly name: string
    /** Absent in mails that an earlier version has stored. */
    readonly severity?: AlertSeverity
    readonly raised: number
    readonly resolved: number
  }[]
  readonly first: readonly {
    readonly about: string
    readonly text: string
    /** When it was raised or resolved; absent in mails that an earlier version has stored. */
    readonly time?: string
    /** What the time is; absent in mails that an earlier version has stored. */
    readonly resolved?: boolean
  }[]
  /** How many are not among the first. */
  readonly more: number
  readonly time: string
  readonly timeZone?: string
}

/** Of a week of an organization. */
export interface WeekSummary {
  readonly organizationName: string
  /** Inclusive; and exclusive. */
  readonly from: string
  readonly to: string
  readonly timeZone: string
  readonly chargePoints: number
  /** That ended in the week. */
  readonly sessions: number
  readonly energy_kwh: number
  /** By currency, with tax. */
  readonly costs: readonly { readonly name: string; readonly total: number; readonly minorUnits: number }[]
  /** By kind. */
  readonly alerts: readonly { readonly name: string; readonly raised: number }[]
  readonly openAlerts: number
}

export interface Mail {
  readonly mail_id: string
  /** Whose matter it is; `noOrganization` for what is sent to installers. */
  readonly organization_id: string
  /** One address. */
  readonly to: string
  readonly type: MailContent['type']
  /** Is removed when its turn comes: it stands for a mail that would be sent if its address had an account, so that the same is stored. */
  readonly is_for_nobody?: true
  /** Absent once the mail has been given up. */
  readonly content?: MailContent
  readonly created_at: string
  /** The same as steady time, ms; absent before it was kept. */
  readonly since?: number
  /** Counted before each attempt: one that nobody hears of again was made all the same. */
  readonly attempts: number
  /** Why the last attempt failed. */
  readonly error?: string
}

/** How long a mail that could not be delivered is shown as such. */
const keptMs = 30 * 24 * 3_600_000

export const mailsTable = defineTable<Mail>({
  name: 'mails',
  key: (row) => [row.mail_id],
  // That the disk fills up is told by mail too.
  importance: 'operation',
  retention: { milliseconds: keptMs, timeOf: (row) => timeOfId(row.mail_id) },
})
