// The settings of an organization: its currency, time zone, where invoices go, what it is told of.

import { Type } from 'typebox'
import { isCurrency } from '../../../pricing/currencies.js'
import {
  defaultCurrency,
  defaultNotificationPreferences,
  defaultTimeZone,
  type Organization,
  organizationsTable,
  silenceHoursOf,
  tagRules,
} from '../../../records/organization.js'
import { tariffsTable } from '../../../records/tariff.js'
import { conflict, notFound } from '../../../runtime/errors.js'
import { putRow, unchanged } from '../../pipeline/changes.js'
import { defineRoute } from '../../pipeline/route.js'
import { emailAddress, named, nullable } from '../../pipeline/schemas.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { timezoneFaults, timezoneName } from '../../pipeline/timezone.js'
import { operator } from '../../surfaces/operator.js'
import {
  changedThresholds,
  changedThresholdsSchema,
  thresholdsSchema,
  thresholdsView,
} from '../alerts/alert-thresholds.js'
import { tariffs } from '../tariffs/area.js'
import { currencyCode } from '../tariffs/tariffs.js'
import { organizationParams, ownOrganization } from './organizations.js'

const unknownIdTags = () =>
  Type.Enum([...tagRules], {
    description: 'Whether a tag that is not registered may charge: Accepted, or Invalid (OCPP 1.6, 7.2).',
  })
const concurrentTransactions = () =>
  Type.Enum([...tagRules], {
    description: 'Whether a tag that charges already may start another transaction: Accepted, or ConcurrentTx.',
  })

const silenceHours = () =>
  Type.Integer({
    minimum: 1,
    maximum: 8_760,
    description:
      'hours for which a charge point has to be offline until its running sessions are closed by estimate; null for never',
  })

const tariffId = () =>
  Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'The tariff at which charge points sell that have none of their own; null for none.',
  })

const freeCharging = () =>
  Type.Boolean({
    description:
      'Whether charging without a tariff is meant. Otherwise the first session that starts at a charge point without a tariff is alerted.',
  })

const settingsSchema = named('OrganizationSettings', {
  org_id: Type.String(),
  default_currency: currencyCode(),
  default_tariff_id: nullable(tariffId()),
  free_charging: freeCharging(),
  timezone: Type.String(),
  billing_email: emailAddress(),
  notification_preferences: Type.Object({
    alert_emails: Type.Boolean({ description: 'alerts, as they are raised and resolved' }),
    weekly_report: Type.Boolean({ description: 'the week before, on Monday morning' }),
    dispute_emails: Type.Boolean({ description: 'disputes, as they are opened, to the billing address' }),
  }),
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

const getSettings = defineRoute({
  method: 'GET',
  path: '/api/v1/organizations/{org_id}/settings',
  operationId: 'getOrganizationSettings',
  summary: 'Read the settings of the own organization',
  tags: ['Organizations'],
  surface: operator,
  scopes: ['read:organisations'],
  params: organizationParams,
  responses: { 200: settingsSchema },
  errors: [notFound],
  sheddable: 'never',
  handle: ({ principal, params }) => ({ status: 200, body: settingsView(ownOrganization(principal, params.org_id)) }),
})

const changeSettings = defineRoute({
  method: 'PUT',
  path: '/api/v1/organizations/{org_id}/settings',
  operationId: 'changeOrganizationSettings',
  summary: 'Change the settings of the own organization',
  description:
    'What is left out stays. The time zone is what hours, days and months mean to schedules, billing rules and invoices; ' +
    'sessions that have begun keep the one of their start. A threshold of alerts counts within seconds, for what has begun ' +
    'before too, and `session_silence_hours` within an hour; an alert that is open stays until its cause is gone, unless its kind is switched off ' +
    'with null. A rule for id tags holds from the next message of a charge point on. The tags of guests and of remote starts stay good under ' +
    'every rule.',
  tags: ['Organizations'],
  surface: operator,
  scopes: ['write:organisations'],
  params: organizationParams,
  body: Type.Object({
    default_currency: Type.Optional(currencyCode()),
    default_tariff_id: Type.Optional(nullable(tariffId())),
    free_charging: Type.Optional(freeCharging()),
    timezone: Type.Optional(timezoneName()),
    billing_email: Type.Optional(emailAddress()),
    notification_preferences: Type.Optional(
      Type.Object({
        alert_emails: Type.Optional(Type.Boolean()),
        weekly_report: Type.Optional(Type.Boolean()),
        dispute_emails: Type.Optional(Type.Boolean()),
      }),
    ),
    session_silence_hours: Type.Optional(nullable(silenceHours())),
    alert_thresholds: Type.Optional(changedThresholdsSchema),
    unknown_id_tags: Type.Optional(unknownIdTags()),
    concurrent_transactions: Type.Optional(concurrentTransactions()),
  }),
  responses: { 200: settingsSchema },
  errors: [notFound, conflict],
  sheddable: 'never',
  examples: {
    timezone: { timezone: 'Europe/Amsterdam' },
    tariff: { default_tariff_id: 'trf_01JD3Z5W4Q8Y7V6T5S4R3P2N1M' },
    mail: { notification_preferences: { weekly_report: true } },
    idTags: { unknown_id_tags: 'reject', concurrent_transactions: 'reject' },
    alerts: { alert_thresholds: { charge_point_offline_minutes: 5, connector_faulted_minutes: null } },
  },
  handle({ principal, params, body }, services) {
    const key = [ownOrganization(principal, params.org_id).organization_id]
    // Read again: the one of the principal may be old when the handler runs for the second time.
    const view = services.view()
    const before = view.get(organizationsTable, key)
    if (before === undefined) throw notFound('there is no such organization')
    const { default_currency, timezone, billing_email, notification_preferences, alert_thresholds } = body
    const { default_tariff_id, free_charging } = body
    const { unknown_id_tags, concurrent_transactions, session_silence_hours } = body
    const faults = timezoneFaults(timezone)
    if (default_currency !== undefined && !isCurrency(default_currency))
      faults.push({ path: '/default_currency', message: 'is not a currency of ISO 4217' })
    if (faults.length > 0) throw invalid(faults)
    // Null, or the same again, asks for nothing.
    const tariff =
      default_tariff_id === undefined || default_tariff_id === null || default_tariff_id === before.default_tariff_id
        ? undefined
        : tariffs.own(view, principal, default_tariff_id)
    const preferences = before.notification_preferences ?? defaultNotificationPreferences
    const row: Organization = {
      ...before,
      version: before.version + 1,
      ...(default_currency !== undefined && { default_currency }),
      ...(default_tariff_id !== undefined && { default_tariff_id }),
      ...(free_charging !== undefined && { free_charging }),
      ...(timezone !== undefined && { time_zone: timezone }),
      ...(billing_email !== undefined && { billing_email }),
      ...(notification_preferences !== undefined && {
        notification_preferences: {
          alert_emails: notification_preferences.alert_emails ?? preferences.alert_emails,
          weekly_report: notification_preferences.weekly_report ?? preferences.weekly_report,
          dispute_emails: notification_preferences.dispute_emails ?? preferences.dispute_emails ?? true,
        },
      }),
      ...(session_silence_hours !== undefined && { session_silence_hours }),
      ...(alert_thresholds !== undefined && {
        alert_thresholds: changedThresholds(before.alert_thresholds, alert_thresholds),
      }),
      ...(unknown_id_tags !== undefined && { unknown_id_tags }),
      ...(concurrent_transactions !== undefined && { concurrent_transactions }),
      updated_at: formatTimestamp(services.clock.now()),
    }
    return {
      status: 200,
      body: settingsView(row),
      changes: [putRow(organizationsTable, row)],
      conditions: [
        { condition: unchanged(organizationsTable, key, before) },
        ...(tariff === undefined ? [] : [{ condition: unchanged(tariffsTable, [tariff.tariff_id], tariff) }]),
      ],
    }
  },
})

export const organizationSettingsRoutes = [getSettings, changeSettings]
