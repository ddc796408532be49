// The evidence of the step `configuration`: what was wanted of each key, and what the charge point has made of it.

import { test } from 'tap'
import { evidenceOf } from '../../../src/actors/commissioning/configuration-evidence.js'
import {
  type ApplicationKey,
  type ConfigurationApplication,
  configurationApplicationsTable,
  reportedConfigurationsTable,
} from '../../../src/records/configuration.js'
import { installerId } from '../../support/registration.js'
import { commissioningOverStore } from './commissioning-over-store.js'

const begunAt = '2026-11-01T00:00:00.000Z'
const endedAt = '2026-11-01T00:00:07.500Z'

function application(keys: readonly ApplicationKey[], fields: Partial<ConfigurationApplication> = {}) {
  return {
    charge_point_id: 'CP-1',
    organization_id: installerId,
    application_id: 'cfg_1',
    status: 'completed',
    template_id: 'standard',
    begun_by: 'installer:ins_1',
    begun_at: begunAt,
    progress_at: endedAt,
    ended_at: endedAt,
    to_read: [],
    keys,
    reboots: 0,
    unanswered: 0,
    ...fields,
  } satisfies ConfigurationApplication
}

const reportedKey = (key: string, value: string) => ({ key, value, read_only: false, read_at: begunAt })

test('commissioning evidence - a configuration has what was wanted and reported of each key, counted, and no secrets', async (t) => {
  const keys: ApplicationKey[] = [
    { key: 'MeterValueSampleInterval', value: '60', outcome: 'applied', answer: 'Accepted' },
    { key: 'ConnectionTimeOut', value: '30', outcome: 'applied' },
    { key: 'HeartbeatInterval', value: '300', outcome: 'other_value', answer: 'Accepted', detail: '600' },
    { key: 'SupportedFeatureProfiles', value: 'Core', outcome: 'read_only' },
    { key: 'AuthorizationKey', value: 'a secret', outcome: 'rejected' },
    { key: 'Backend', value: 'ftp://user:hush@example.com', outcome: 'unverified', answer: 'Accepted' },
  ]
  const reported = {
    keys: {
      connectiontimeout: reportedKey('ConnectionTimeOut', '30'),
      heartbeatinterval: reportedKey('HeartbeatInterval', '600'),
      supportedfeatureprofiles: reportedKey('SupportedFeatureProfiles', 'Core,Reservation'),
    },
  }
  t.same(evidenceOf(application(keys), reported, 0), {
    sent: 'Configuration',
    parameters: { template_id: 'standard', keys: 6 },
    sent_at: begunAt,
    ended_at: endedAt,
    outcome: 'answered',
    answer: '2 written, 1 already set, 1 read-only, 2 refused',
    response_time_ms: 7_500,
    keys: [
      { key: 'HeartbeatInterval', wanted: '300', outcome: 'other_value', answer: 'Accepted', reported: '600' },
      { key: 'SupportedFeatureProfiles', wanted: 'Core', outcome: 'read_only', reported: 'Core,Reservation' },
      { key: 'AuthorizationKey', wanted: '(redacted)', outcome: 'rejected' },
      { key: 'Backend', wanted: 'ftp://user:(redacted)@example.com', outcome: 'unverified', answer: 'Accepted' },
      { key: 'MeterValueSampleInterval', wanted: '60', outcome: 'applied', answer: 'Accepted' },
      { key: 'ConnectionTimeOut', wanted: '30', outcome: 'applied' },
    ],
  })
})

test('commissioning evidence - of many keys with long values, those that are not as wanted are kept, each cut off', async (t) => {
  const taken = Array.from({ length: 200 }, (_, at) => ({ key: `Key${at}`, value: '1', outcome: 'applied' }) as const)
  const refused: ApplicationKey = { key: 'Long', value: 'x'.repeat(500), outcome: 'rejected' }
  const { keys = [], parameters, answer } = evidenceOf(application([...taken, refused]), undefined, 0)
  t.equal(keys.length, 100)
  t.match(keys[0], { key: 'Long', wanted: 'x'.repeat(200) })
  t.match([parameters?.keys, answer], [201, '200 already set, 1 refused'])
})

test('commissioning evidence - an application that ends without an answer, or is cut off, says so', async (t) => {
  const keys: ApplicationKey[] = [{ key: 'One', value: '1', outcome: 'not_attempted' }]
  const silent = evidenceOf(application(keys, { status: 'failed', reason: 'no_answer' }), undefined, 0)
  t.match(silent, { outcome: 'timeout', answer: '1 not attempted' })
  const { ended_at: _, ...running } = application([{ key: 'One', value: '1' }], { status: 'running' })
  t.match(evidenceOf(running, undefined, Date.parse(endedAt)), { outcome: 'unknown', ended_at: endedAt })
})

test('commissioning evidence - a session keeps it however the step ends', async (t) => {
  const wanted = { configuration: [{ key: 'HeartbeatInterval', value: '300' }] }
  const key = { key: 'HeartbeatInterval', value: '300' }
  const evidence = (actor: Awaited<ReturnType<typeof commissioningOverStore>>) => actor.session().steps[2]?.evidence

  const passes = await commissioningOverStore('configuration', () => wanted)
  await passes.pass(2)
  const { application_id = '' } = passes.session().steps[2] ?? {}
  const applied = application([{ ...key, outcome: 'applied', answer: 'Accepted' }], { application_id })
  await passes.put(configurationApplicationsTable, applied)
  await passes.pass(6)
  t.match(passes.session().steps[2], { status: 'passed', evidence: { length: 1 } })
  t.match(evidence(passes), [{ sent: 'Configuration', answer: '1 written', keys: [{ wanted: '300' }] }])

  const fails = await commissioningOverStore('configuration', () => wanted)
  await fails.pass(2)
  const { application_id: id = '' } = fails.session().steps[2] ?? {}
  await fails.put(reportedConfigurationsTable, {
    charge_point_id: 'CP-1',
    organization_id: installerId,
    keys: { heartbeatinterval: reportedKey('HeartbeatInterval', '600') },
    unknown: [],
  })
  await fails.put(
    configurationApplicationsTable,
    application([{ ...key, outcome: 'rejected' }], { application_id: id }),
  )
  await fails.pass(6)
  t.match(fails.session().steps[2], { status: 'failed' })
  t.match(evidence(fails), [{ keys: [{ wanted: '300', reported: '600', outcome: 'rejected' }] }])

  const stops = await commissioningOverStore('configuration', () => wanted)
  await stops.pass(2)
  const { application_id: open = '' } = stops.session().steps[2] ?? {}
  const { ended_at: _, ...running } = application([key], { application_id: open, status: 'running' })
  await stops.put(configurationApplicationsTable, running)
  await stops.deliver({ type: 'stop', installerId })
  t.match(stops.session().steps[2], {
    status: 'skipped',
    evidence: [{ outcome: 'unknown', answer: '1 not attempted' }],
  })
})
