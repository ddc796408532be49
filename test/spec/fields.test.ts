// The fields that the interface and its decisions name, against the schemas that are served. That answers are of their schemas is
// seen to by every test of the API.

import { test } from 'tap'
import type { TObject } from 'typebox'
import { apiRoutes } from '../../src/api/areas/index.js'

interface Schema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

/** Where a schema stands (an operation, what it takes or answers, and the way in), and the fields in it; one with a `?` may be left out. */
const specified = `
getSession answers . session_id transaction_id charge_point_id connector_id id_tag status started_at ended_at meter_start meter_stop energy_kwh stop_reason cost currency site_id tariff_id flags other_stops
listSessions answers . sessions total page per_page
listSessions answers sessions session_id transaction_id charge_point_id connector_id id_tag status started_at ended_at meter_start meter_stop energy_kwh stop_reason cost currency site_id tariff_id flags
listPortalSessions answers data session_id charge_point_id connector_id started_at ended_at energy_kwh cost currency status
getCostBreakdown answers . session_id currency tariff_id lines adjustments subtotal tax_percentage tax total
getCostBreakdown answers lines type description quantity unit unit_price amount
getCostBreakdown answers adjustments rule_id name effect amount
getIdTag answers . id_tag status parent_id_tag expiry_date label
getTariff answers . tariff_id name currency components tax_percentage created_at updated_at
getTariff answers components type price step_size grace_minutes
replaceTariffRates takes . band components
replaceTariffRates answers . tariff_id bands
replaceTariffSchedule takes . band days? start_time end_time from_date? to_date?
replaceTariffSchedule answers . tariff_id timezone entries
getCurrentRate answers . charge_point_id tariff_id band components currency evaluated_at
assignChargePointTariff answers . charge_point_id tariff_id assigned_at
getBillingRule answers . rule_id name priority conditions actions active created_at updated_at
getBillingRule answers conditions field operator value
getBillingRule answers actions type value
testBillingRule answers . rule_id matched condition_results applied_actions base_cost adjusted_cost difference
testBillingRule answers condition_results field operator value actual matched
testBillingRule answers applied_actions type value effect
listWebhookDeliveries answers deliveries id endpoint_id event status response_code attempts last_attempted_at next_retry_at event_id event_type http_status delivered_at
`

const routes = apiRoutes()

function schemaOf(operationId: string, side: string): Schema | undefined {
  const route = routes.find((one) => one.operationId === operationId)
  if (side === 'takes') return route?.body as Schema | undefined
  const found = Object.entries(route?.responses ?? {}).find(([status]) => status.startsWith('2'))
  return found?.[1] as TObject as Schema
}

const rowOf = (schema: Schema | undefined): Schema | undefined => (schema?.type === 'array' ? schema.items : schema)

for (const line of specified.trim().split('\n')) {
  const [operationId = '', side = '', way = '', ...fields] = line.split(' ')
  test(`fields - ${operationId} ${side} ${way === '.' ? 'what is named' : `${way} with what is named`}`, (t) => {
    const whole = rowOf(schemaOf(operationId, side))
    const schema = way === '.' ? whole : rowOf(whole?.properties?.[way])
    const required = fields.filter((field) => !field.endsWith('?'))
    const optional = fields.filter((field) => field.endsWith('?')).map((field) => field.slice(0, -1))
    const missing = [
      ...required.filter((field) => !schema?.required?.includes(field)),
      ...optional.filter((field) => schema?.properties?.[field] === undefined),
    ]
    t.same(missing, [])
    t.end()
  })
}
