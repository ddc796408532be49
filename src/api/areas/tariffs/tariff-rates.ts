// The rate bands of a tariff and the schedule that picks one of them at the start of a session. Each is replaced whole.

import { defaultTimeZone } from '../../../records/organization.js'
import {
  type TariffRates,
  type TariffSchedule,
  tariffRatesTable,
  tariffSchedulesTable,
} from '../../../records/tariff-rates.js'
import { conflict, notFound } from '../../../runtime/errors.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { putRow, unchanged } from '../../pipeline/changes.js'
import { defineRoute } from '../../pipeline/route.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { operator } from '../../surfaces/operator.js'
import type { Principal } from '../../surfaces/principal.js'
import {
  bandFaults,
  bandsBody,
  ratesSchema,
  ratesView,
  scheduleBody,
  scheduleFaults,
  scheduleSchema,
  scheduleView,
  storedBands,
  storedEntries,
} from './rates.js'
import { ownTariff, tariffParams, tariffPresent } from './tariffs.js'

const tags = ['Tariffs'] as const

/** Throws `not_found` for the tariff; its bands and schedule may never have been set. */
function readAll(view: ReadView, principal: Principal, tariffId: string) {
  const tariff = ownTariff(view, principal, tariffId)
  const key = [tariff.tariff_id]
  return { tariff, key, rates: view.get(tariffRatesTable, key), schedule: view.get(tariffSchedulesTable, key) }
}

const getRates = defineRoute({
  method: 'GET',
  path: '/api/v1/tariffs/{tariff_id}/rates',
  operationId: 'getTariffRates',
  summary: 'Read the rate bands of a tariff',
  tags,
  surface: operator,
  scopes: ['read:billing'],
  params: tariffParams,
  responses: { 200: ratesSchema },
  errors: [notFound],
  sheddable: 'never',
  handle({ principal, params }, services) {
    const { tariff, rates, schedule } = readAll(services.view(), principal, params.tariff_id)
    return { status: 200, body: ratesView(tariff.tariff_id, rates, schedule) }
  },
})

const replaceRates = defineRoute({
  method: 'POST',
  path: '/api/v1/tariffs/{tariff_id}/rates',
  operationId: 'replaceTariffRates',
  summary: 'Replace the rate bands of a tariff',
  description:
    'The schedule stays as it is. An entry whose band is not there any more is passed over until a band of its name is ' +
    'back; `missing_bands` names them.',
  tags,
  surface: operator,
  scopes: ['write:billing'],
  params: tariffParams,
  body: bandsBody,
  responses: { 200: ratesSchema },
  errors: [notFound, conflict],
  sheddable: 'never',
  examples: {
    dayAndNight: [
      { band: 'night', components: [{ type: 'energy', price: 0.29 }] },
      { band: 'day', components: [{ type: 'energy', price: 0.49 }] },
    ],
  },
  handle({ principal, params, body }, services) {
    const { tariff, key, rates, schedule } = readAll(services.view(), principal, params.tariff_id)
    const faults = bandFaults(body)
    if (faults.length > 0) throw invalid(faults)
    const row: TariffRates = {
      tariff_id: tariff.tariff_id,
      organization_id: tariff.organization_id,
      version: (rates?.version ?? 0) + 1,
      bands: storedBands(body),
      updated_at: formatTimestamp(services.clock.now()),
    }
    return {
      status: 200,
      body: ratesView(tariff.tariff_id, row, schedule),
      changes: [putRow(tariffRatesTable, row)],
      conditions: [tariffPresent(tariff), { condition: unchanged(tariffRatesTable, key, rates) }],
    }
  },
})

const deleteRates = defineRoute({
  method: 'DELETE',
  path: '/api/v1/tariffs/{tariff_id}/rates',
  operationId: 'deleteTariffRates',
  summary: 'Remove the rate bands of a tariff',
  description:
    "Sessions that start from now on are priced by the tariff's own components. The schedule stays, without effect " +
    'until bands of its names are back.',
  tags,
  surface: operator,
  scopes: ['write:billing'],
  params: tariffParams,
  responses: { 204: null },
  errors: [notFound, conflict],
  sheddable: 'never',
  handle({ principal, params }, services) {
    const { tariff, key, rates } = readAll(services.view(), principal, params.tariff_id)
    if (rates === undefined) return { status: 204 }
    // The row stays, so that its version goes on and a schedule that is written meanwhile finds out.
    const updated_at = formatTimestamp(services.clock.now())
    return {
      status: 204,
      changes: [putRow(tariffRatesTable, { ...rates, version: rates.version + 1, bands: [], updated_at })],
      conditions: [tariffPresent(tariff), { condition: unchanged(tariffRatesTable, key, rates) }],
    }
  },
})

const getSchedule = defineRoute({
  method: 'GET',
  path: '/api/v1/tariffs/{tariff_id}/schedule',
  operationId: 'getTariffSchedule',
  summary: 'Read the schedule of a tariff',
  tags,
  surface: operator,
  scopes: ['read:billing'],
  params: tariffParams,
  responses: { 200: scheduleSchema },
  errors: [notFound],
  sheddable: 'never',
  handle({ principal, params }, services) {
    const { tariff, rates, schedule } = readAll(services.view(), principal, params.tariff_id)
    const timezone = principal.organization.time_zone ?? defaultTimeZone
    return { status: 200, body: scheduleView(tariff.tariff_id, timezone, rates, schedule) }
  },
})

const replaceSchedule = defineRoute({
  method: 'PUT',
  path: '/api/v1/tariffs/{tariff_id}/schedule',
  operationId: 'replaceTariffSchedule',
  summary: 'Replace the schedule of a tariff',
  description:
    "Looked at once, at the start of a session, in the organization's time zone: the first entry that holds names the band. " +
    "Where none holds, the tariff's own components are the price. Every band must be among the rates.",
  tags,
  surface: operator,
  scopes: ['write:billing'],
  params: tariffParams,
  body: scheduleBody,
  responses: { 200: scheduleSchema },
  errors: [notFound, conflict],
  sheddable: 'never',
  examples: {
    nights: [{ band: 'night', start_time: '22:00', end_time: '06:00' }],
    workdaysInSummer: [
      {
        band: 'day',
        days: ['mon', 'tue', 'wed', 'thu', 'fri'],
        start_time: '08:00',
        end_time: '18:00',
        from_date: '2026-06-01',
        to_date: '2026-08-31',
      },
    ],
  },
  handle({ principal, params, body }, services) {
    const { tariff, key, rates, schedule } = readAll(services.view(), principal, params.tariff_id)
    const faults = scheduleFaults(body, rates)
    if (faults.length > 0) throw invalid(faults)
    const row: TariffSchedule = {
      tariff_id: tariff.tariff_id,
      organization_id: tariff.organization_id,
      version: (schedule?.version ?? 0) + 1,
      entries: storedEntries(body),
      updated_at: formatTimestamp(services.clock.now()),
    }
    return {
      status: 200,
      body: scheduleView(tariff.tariff_id, principal.organization.time_zone ?? defaultTimeZone, rates, row),
      changes: [putRow(tariffSchedulesTable, row)],
      conditions: [
        tariffPresent(tariff),
        { condition: unchanged(tariffRatesTable, key, rates) },
        { condition: unchanged(tariffSchedulesTable, key, schedule) },
      ],
    }
  },
})

export const tariffRateRoutes = [getRates, replaceRates, deleteRates, getSchedule, replaceSchedule]
