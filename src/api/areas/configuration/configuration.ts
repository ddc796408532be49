// How the API shows the configuration of a charge point: what it is to have, what it has reported, and how far an application has come.

import { Type } from 'typebox'
import { type ChargePoint, isOwnedBy } from '../../../records/charge-point.js'
import {
  applicationReasons,
  applicationStatuses,
  type ConfigurationApplication,
  configurationApplicationsTable,
  isRefused,
  isTaken,
  keyOutcomes,
  type ReportedConfiguration,
  reportedConfigurationsTable,
} from '../../../records/configuration.js'
import { foldKey, isSameValue, valueText } from '../../../records/configuration-value.js'
import { driftedKeys } from '../../../records/drifted-keys.js'
import { wantedConfiguration } from '../../../records/wanted-configuration.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { stateOf } from '../charge-points/charge-points.js'
import { overridesSchema, parametersSchema } from './parameters.js'
import { sharedTemplates } from './template-routes.js'

export const applicationSchema = named('ConfigurationApplication', {
  application_id: Type.String(),
  charge_point_id: Type.String(),
  status: Type.Enum([...applicationStatuses], {
    description:
      'While it is `running`, an application waits for a charge point that is offline or restarts, for three days at most.',
  }),
  reason: nullable(Type.Enum([...applicationReasons], { description: 'Why it has failed, or was stopped.' })),
  template_id: nullable(Type.String()),
  begun_by: Type.String(),
  begun_at: timestamp(),
  progress_at: timestamp('When it last came further.'),
  ended_at: nullable(timestamp()),
  total_keys: Type.Integer(),
  done_keys: Type.Integer(),
  applied_keys: Type.Integer(),
  rejected_keys: Type.Array(Type.String(), { description: 'Keys that the charge point has not taken.' }),
  reboots: Type.Integer({ description: 'How often the charge point has restarted over it.' }),
  keys: Type.Array(
    Type.Object({
      key: Type.String(),
      value: Type.String(),
      outcome: nullable(
        Type.Enum([...keyOutcomes], {
          description:
            'null until it is known. `applied`: the charge point reports the value. `unverified`: it has accepted the value and does not report it. `reboot_required`: ' +
            'the value holds after its next restart. `other_value`: it has accepted the value and reports another. `too_long`: it takes fewer elements in the list. ' +
            '`reboots`: it restarts each time the key is changed or read.',
        }),
      ),
      detail: nullable(
        Type.String({ description: 'What the charge point reports instead, or the error that it answered with.' }),
      ),
    }),
  ),
})

export const configurationSchema = named('ChargePointConfiguration', {
  charge_point_id: Type.String(),
  template_id: nullable(
    Type.String({
      description: 'The template that the charge point has now: the one that was named, or the one that matches.',
    }),
  ),
  named_template_id: nullable(Type.String()),
  overrides: overridesSchema,
  wanted: parametersSchema,
  reported: Type.Array(
    Type.Object({
      key: Type.String(),
      value: nullable(
        Type.String({ description: 'null for a secret, and for a key that is reported without a value.' }),
      ),
      read_only: Type.Boolean(),
      read_at: timestamp(),
    }),
  ),
  read_only: Type.Array(Type.String(), { description: 'Keys that the charge point reports as read-only.' }),
  unknown: Type.Array(Type.String(), {
    description: 'Keys that were asked for and that the charge point does not know.',
  }),
  drifted: Type.Array(Type.Object({ key: Type.String(), wanted: Type.String(), reported: nullable(Type.String()) }), {
    description: 'Keys that were applied, and of which the charge point now reports another value, or none.',
  }),
  differing: Type.Array(Type.String(), {
    description: 'Wanted keys of which the charge point has reported another value, whether or not they were applied.',
  }),
  unread: Type.Array(Type.String(), { description: 'Wanted keys of which the charge point has reported no value.' }),
  read_at: nullable(timestamp('When the charge point was last asked for any key.')),
  complete_at: nullable(timestamp('When the charge point was last asked for all of its keys.')),
  application: nullable(applicationSchema),
})

export function applicationView(application: ConfigurationApplication) {
  const {
    to_read: _,
    organization_id: __,
    unanswered: ___,
    keys,
    reason,
    template_id,
    ended_at,
    ...shown
  } = application
  return {
    ...shown,
    reason: reason ?? null,
    template_id: template_id ?? null,
    ended_at: ended_at ?? null,
    total_keys: keys.length,
    done_keys: keys.filter(({ outcome }) => outcome !== undefined).length,
    applied_keys: keys.filter(isTaken).length,
    rejected_keys: keys.filter(isRefused).map(({ key }) => key),
    keys: keys.map(({ key, value, outcome, detail }) => ({
      key,
      value,
      outcome: outcome ?? null,
      detail: detail ?? null,
    })),
  }
}

export function configurationView(services: Services, chargePoint: ChargePoint) {
  const view = services.view()
  const { charge_point_id } = chargePoint
  const { template, overrides, parameters } = wantedConfiguration(view, chargePoint, sharedTemplates(services))
  const ownRow = <Row extends { readonly organization_id: string }>(row: Row | undefined): Row | undefined =>
    row !== undefined && isOwnedBy(chargePoint, row.organization_id) ? row : undefined
  const reported = ownRow(view.get(reportedConfigurationsTable, [charge_point_id])) ?? nothingReported
  const application = ownRow(view.get(configurationApplicationsTable, [charge_point_id]))
  const bootedAt = stateOf(view, chargePoint)?.boot?.booted_at
  const keys = Object.values(reported.keys)
  const wanted = Object.entries(parameters).map(([key, value]) => ({ key, value: valueText(value) }))
  const reportedValue = (key: string): string | undefined => reported.keys[foldKey(key)]?.value
  return {
    charge_point_id,
    template_id: template?.template_id ?? null,
    named_template_id: overrides?.template_id ?? null,
    overrides: overrides?.parameters ?? {},
    wanted: parameters,
    reported: keys.map(({ key, value, read_only, read_at }) => ({ key, value: value ?? null, read_only, read_at })),
    read_only: keys.filter(({ read_only }) => read_only).map(({ key }) => key),
    unknown: reported.unknown,
    drifted: (application === undefined ? [] : driftedKeys(application, reported, bootedAt)).map((drifted) => ({
      ...drifted,
      reported: drifted.reported ?? null,
    })),
    differing: wanted
      .filter(({ key, value }) => {
        const has = reportedValue(key)
        return has !== undefined && !isSameValue(value, has)
      })
      .map(({ key }) => key),
    unread: wanted.filter(({ key }) => reportedValue(key) === undefined).map(({ key }) => key),
    read_at: reported.read_at ?? null,
    complete_at: reported.complete_at ?? null,
    application: application === undefined ? null : applicationView(application),
  }
}

const nothingReported: Pick<ReportedConfiguration, 'keys' | 'unknown' | 'read_at' | 'complete_at'> = {
  keys: {},
  unknown: [],
}
