// The settings of an organization: its currency, time zone, where invoices go, which mails it gets.

import { Type } from 'typebox'
import { isCurrency } from '../../../pricing/currencies.js'
import {
  defaultCurrency,
  defaultNotificationPreferences,
  defaultTimeZone,
  type NotificationPreferences,
  type Organization,
  organizationsTable,
  silenceHoursOf,
  tagRules,
} from '../../../records/organization.js'
import { emailAddress, named, nullable } from '../../pipeline/schemas.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { timezoneFaults, timezoneName } from '../../pipeline/timezone.js'
import {
  changedThresholds,
  changedThresholdsSchema,
  thresholdsSchema,
  thresholdsView,
} from '../alerts/alert-thresholds.js'
import { announceOrganization } from '../charge-points/announce-place.js'
import { tariffs } from '../tariffs/area.js'
import { currencyCode } from '../tariffs/tariffs.js'
import { area, organizations } from './area.js'

const unknownIdTags = () =>
  Type.Enum([...tagRules], {
    description:
      'Whether an id tag that is not registered may charge: the charge point gets Accepted or Invalid (OCPP 1.6, 7.2).',
  })
const concurrentTransactions = () =>
  Type.Enum([...tagRules], {
    description:
      'Whether an id tag that is already charging may start another transaction: the charge point gets Accepted or ConcurrentTx.',
  })

const silenceHours = () =>
  Type.Integer({
    minimum: 1,
    maximum: 8_760,
    description:
      'The number of hours after which the running sessions of a charge point that is offline are closed by estimate. null means never.',
  })

const tariffId = () =>
  Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'The tariff of charge points that have none of their own, and none of their site. null means none.',
  })

const freeCharging = () =>
  Type.Boolean({
    description:
      'Whether charging without a tariff is intended. Otherwise the first session that starts at a charge point without a tariff raises an alert.',
  })

const billingEmail = () =>
  emailAddress(
    'The address to which invoices and mails about disputes are sent. Until it is set, it is the contact address.',
  )

const preferencesWords = 'Which mails the organization gets.'

const notificationPreferences = {
  alert_emails: Type.Boolean({
    description: 'Whether a mail is sent to the contact address when an alert is raised or resolved.',
  }),
  weekly_report: Type.Boolean({
    description: 'Whether a report of the past week is sent to the contact address on Monday morning.',
  }),
  dispute_emails: Type.Boolean({
    description: 'Whether a mail is sent to the billing address when a dispute is opened.',
  }),
}

const settingsSchema = named('OrganizationSettings', {
  org_id: Type.String(),
  default_currency: currencyCode(),
  default_tariff_id: nullable(tariffId()),
  free_charging: freeCharging(),
  timezone: Type.String(),
  billing_email: billingEmail(),
  notification_preferences: Type.Object(notificationPreferences, { description: preferencesWords }),
  session_silence_hours: nullable(silenceHours()),
  alert_thresholds: thresholdsSchema,
  unknown_id_tags: unknownIdTags(),
  concurrent_transactions: concurrentTransactions(),
})

function settingsView(row: Organization) {
  return {
    org_id: row.organization_id,
    default_currency: row.default_currency ?? defaultCurrency,
    default_tariff_id: row.default_tariff_id ?? null,
    free_charging: row.free_charging ?? false,
    timezone: row.time_zone ?? defaultTimeZone,
    billing_email: row.billing_email ?? row.contact_email,
    notification_preferences: {
      dispute_emails: true,
      ...(row.notification_preferences ?? defaultNotificationPreferences),
    },
    session_silence_hours: silenceHoursOf(row),
    alert_thresholds: thresholdsView(row.alert_thresholds),
    unknown_id_tags: row.unknown_id_tags,
    concurrent_transactions: row.concurrent_transactions ?? 'accept',
  }
}

/** Of the preferences, those that were sent; undefined where none were. */
function changedPreferences(
  set: NotificationPreferences = defaultNotificationPreferences,
  sent: { readonly [Name in keyof NotificationPreferences]?: boolean | undefined } | undefined,
): NotificationPreferences | undefined {
  if (sent === undefined) return undefined
  return {
    alert_emails: sent.alert_emails ?? set.alert_emails,
    weekly_report: sent.weekly_report ?? set.weekly_report,
    dispute_emails: sent.dispute_emails ?? set.dispute_emails ?? true,
  }
}

const getSettings = area.get('/{org_id}/settings', {
  operationId: 'getOrganizationSettings',
  summary: 'Get the settings of your organization',
  of: organizations,
  answer: settingsSchema,
  read: ({ row }) => settingsView(row),
})

const changeSettings = area.put('/{org_id}/settings', {
  operationId: 'changeOrganizationSettings',
  summary: 'Update the settings of your organization',
  description:
    'Settings that you leave out keep their values. The time zone determines hours, days and months for schedules, billing rules and invoices; ' +
    'sessions that have already started keep the time zone of their start. An alert threshold takes effect within seconds, also for conditions ' +
    'that began earlier; `session_silence_hours` takes effect within an hour. An open alert stays open until its cause is gone, unless you switch ' +
    'its kind off with null. A rule for id tags applies from the next message of a charge point on. The id tags of guests and of remote starts ' +
    'are valid under every rule.',
  of: organizations,
  body: Type.Object({
    default_currency: Type.Optional(currencyCode()),
    default_tariff_id: Type.Optional(nullable(tariffId())),
    free_charging: Type.Optional(freeCharging()),
    timezone: Type.Optional(timezoneName()),
    billing_email: Type.Optional(billingEmail()),
    notification_preferences: Type.Optional(
      Type.Object(
        {
          alert_emails: Type.Optional(notificationPreferences.alert_emails),
          weekly_report: Type.Optional(notificationPreferences.weekly_report),
          dispute_emails: Type.Optional(notificationPreferences.dispute_emails),
        },
        { description: `${preferencesWords} One that you leave out keeps its value.` },
      ),
    ),
    session_silence_hours: Type.Optional(nullable(silenceHours())),
    alert_thresholds: Type.Optional(changedThresholdsSchema),
    unknown_id_tags: Type.Optional(unknownIdTags()),
    concurrent_transactions: Type.Optional(concurrentTransactions()),
  }),
  answer: settingsSchema,
  examples: {
    timezone: { timezone: 'Europe/Amsterdam' },
    tariff: { default_tariff_id: 'trf_01JD3Z5W4Q8Y7V6T5S4R3P2N1M' },
    mail: { notification_preferences: { weekly_report: true } },
    idTags: { unknown_id_tags: 'reject', concurrent_transactions: 'reject' },
    alerts: { alert_thresholds: { charge_point_offline_minutes: 5, connector_faulted_minutes: null } },
  },
  change({ row: before, principal, body }, draft, services) {
    const faults = timezoneFaults(body.timezone)
    const { default_currency, default_tariff_id, session_silence_hours, alert_thresholds } = body
    if (default_currency !== undefined && !isCurrency(default_currency))
      faults.push({ path: '/default_currency', message: 'is not an ISO 4217 currency' })
    if (faults.length > 0) throw invalid(faults)
    // The tariff that is set already needs not be there any more.
    const isNew = default_tariff_id !== before.default_tariff_id
    if (typeof default_tariff_id === 'string' && isNew) tariffs.own(draft, principal, default_tariff_id)
    const preferences = changedPreferences(before.notification_preferences, body.notification_preferences)
    const row = draft.put(organizationsTable, {
      ...before,
      default_currency: default_currency ?? before.default_currency,
      default_tariff_id: default_tariff_id === undefined ? before.default_tariff_id : default_tariff_id,
      free_charging: body.free_charging ?? before.free_charging,
      time_zone: body.timezone ?? before.time_zone,
      billing_email: body.billing_email ?? before.billing_email,
      notification_preferences: preferences ?? before.notification_preferences,
      session_silence_hours: session_silence_hours === undefined ? before.session_silence_hours : session_silence_hours,
      alert_thresholds:
        alert_thresholds === undefined
          ? before.alert_thresholds
          : changedThresholds(before.alert_thresholds, alert_thresholds),
      unknown_id_tags: body.unknown_id_tags ?? before.unknown_id_tags,
      concurrent_transactions: body.concurrent_transactions ?? before.concurrent_transactions,
      updated_at: formatTimestamp(services.clock.now()),
    })
    announceOrganization(draft, before, row, services)
    return settingsView(row)
  },
})

export const organizationSettingsRoutes = [getSettings, changeSettings]
