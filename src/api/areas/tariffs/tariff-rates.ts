// The rate bands of a tariff and the schedule that picks one of them at the start of a session. Each is replaced as a whole.

import { defaultTimeZone } from '../../../records/organization.js'
import { tariffRatesTable, tariffSchedulesTable } from '../../../records/tariff-rates.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { announcePrices } from '../charge-points/announce-place.js'
import { area, tariffs } from './area.js'
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

const getRates = area.get('/tariffs/{tariff_id}/rates', {
  operationId: 'getTariffRates',
  summary: 'Get the rate bands of a tariff',
  of: tariffs,
  answer: ratesSchema,
  read({ row: { tariff_id } }, services) {
    const [view, key] = [services.view(), [tariff_id]]
    return ratesView(tariff_id, view.get(tariffRatesTable, key), view.get(tariffSchedulesTable, key))
  },
})

const replaceRates = area.post('/tariffs/{tariff_id}/rates', {
  operationId: 'replaceTariffRates',
  summary: 'Replace the rate bands of a tariff',
  description:
    'The schedule stays as it is. Entries whose band no longer exists have no effect until a band of that name exists again; ' +
    '`missing_bands` lists those names.',
  of: tariffs,
  body: bandsBody,
  answer: ratesSchema,
  examples: {
    dayAndNight: [
      { band: 'night', components: [{ type: 'energy', price: 0.29 }] },
      { band: 'day', components: [{ type: 'energy', price: 0.49 }] },
    ],
  },
  change({ row: { tariff_id, organization_id }, body }, draft, services) {
    const faults = bandFaults(body)
    if (faults.length > 0) throw invalid(faults)
    draft.get(tariffRatesTable, [tariff_id])
    const rates = draft.put(tariffRatesTable, {
      tariff_id,
      organization_id,
      bands: storedBands(body),
      updated_at: formatTimestamp(services.clock.now()),
    })
    announcePrices(draft, organization_id, services)
    return ratesView(tariff_id, rates, draft.view.get(tariffSchedulesTable, [tariff_id]))
  },
})

const deleteRates = area.delete('/tariffs/{tariff_id}/rates', {
  operationId: 'deleteTariffRates',
  summary: 'Delete the rate bands of a tariff',
  description:
    "New sessions are priced by the tariff's own components. The schedule stays, and has no effect until bands of its names exist again.",
  of: tariffs,
  answer: null,
  change({ row }, draft, services) {
    const rates = draft.get(tariffRatesTable, [row.tariff_id])
    const updated_at = formatTimestamp(services.clock.now())
    // The row stays, so that its version goes on and a schedule that is written meanwhile finds out.
    if (rates === undefined) return undefined
    draft.put(tariffRatesTable, { ...rates, bands: [], updated_at })
    announcePrices(draft, row.organization_id, services)
    return undefined
  },
})

const getSchedule = area.get('/tariffs/{tariff_id}/schedule', {
  operationId: 'getTariffSchedule',
  summary: 'Get the schedule of a tariff',
  of: tariffs,
  answer: scheduleSchema,
  read({ row: { tariff_id }, principal }, services) {
    const [view, key] = [services.view(), [tariff_id]]
    const timezone = principal.organization.time_zone ?? defaultTimeZone
    return scheduleView(tariff_id, timezone, view.get(tariffRatesTable, key), view.get(tariffSchedulesTable, key))
  },
})

const replaceSchedule = area.put('/tariffs/{tariff_id}/schedule', {
  operationId: 'replaceTariffSchedule',
  summary: 'Replace the schedule of a tariff',
  description:
    "The schedule is evaluated once, when a session starts, in the organization's time zone: the first matching entry gives the band. " +
    "If none matches, the tariff's own components apply. Every band must be one of the tariff's rate bands.",
  of: tariffs,
  body: scheduleBody,
  answer: scheduleSchema,
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
  change({ row: { tariff_id, organization_id }, principal, body }, draft, services) {
    const rates = draft.get(tariffRatesTable, [tariff_id])
    const faults = scheduleFaults(body, rates)
    if (faults.length > 0) throw invalid(faults)
    draft.get(tariffSchedulesTable, [tariff_id])
    const schedule = draft.put(tariffSchedulesTable, {
      tariff_id,
      organization_id,
      entries: storedEntries(body),
      updated_at: formatTimestamp(services.clock.now()),
    })
    announcePrices(draft, organization_id, services)
    return scheduleView(tariff_id, principal.organization.time_zone ?? defaultTimeZone, rates, schedule)
  },
})

export const tariffRateRoutes = [getRates, replaceRates, deleteRates, getSchedule, replaceSchedule]
