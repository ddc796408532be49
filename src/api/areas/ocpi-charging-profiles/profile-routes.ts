// The routes of charging profiles (OCPI 2.2.1, 14.3.1): answered as soon as it is on disk that the request was taken, and then carried out; the
// result is posted to the partner by its actor.

import { type Static, Type } from 'typebox'
import { type OcpiPartnerMessage, ocpiPartnerAddress } from '../../../actors/ocpi-partner/messages.js'
import {
  type ChargingProfile,
  type ChargingProfileResponseType,
  chargingProfileResponseSchema,
  setChargingProfileSchema,
} from '../../../ocpi/schemas/charging-profile.js'
import { integer, url } from '../../../ocpi/schemas/common.js'
import { type OcpiCommandResult, ocpiCommandResultsTable } from '../../../records/ocpi-command-result.js'
import { conflict } from '../../../runtime/errors.js'
import { commitDraft } from '../../pipeline/commit-draft.js'
import type { Services } from '../../pipeline/services.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { senderHeaders } from '../../surfaces/ocpi-sender.js'
import type { OcpiPrincipal } from '../../surfaces/ocpi-token.js'
import { area } from './area.js'
import { type CarryOut, clearProfile, readProfile, setProfile } from './carry-out.js'
import { limits } from './limits.js'
import { askedOf, isRefused, type Refused } from './session-asked.js'

const params = { session_id: Type.String({ minLength: 1, maxLength: 36 }) }
const headers = Type.Object({ 'X-Correlation-ID': Type.Optional(Type.String({ maxLength: 128 })), ...senderHeaders })
const responseUrl = url('Where the result is posted to.')

interface Caller {
  readonly principal: OcpiPrincipal
  readonly sessionId: string
  /** Where the result goes. */
  readonly url: string
  readonly correlationId: string | undefined
}

type Begin = (request: Parameters<typeof clearProfile>[0]) => CarryOut | Refused

interface Begun {
  readonly carryOut: CarryOut
  /** Stored with the acceptance: the partner gets a result, whatever ends meanwhile. */
  readonly owed: OcpiCommandResult
}

interface Taken {
  readonly result: ChargingProfileResponseType
  readonly begun?: Begun
}

async function take(caller: Caller, begin: Begin, services: Services) {
  const { principal, sessionId } = caller
  const { result, begun } = await commitDraft<Taken>(
    {
      attempts: 5,
      decide(draft) {
        const asked = askedOf(principal, sessionId, draft, services)
        const begun = isRefused(asked) ? asked : begin({ asked, principal, draft, services })
        if (typeof begun === 'string') return { result: begun }
        const owed = owedTo(caller, services)
        draft.putPlain(ocpiCommandResultsTable, owed)
        return { result: 'ACCEPTED', begun: { carryOut: begun, owed } }
      },
      otherwise: () => conflict('several requests for the session came at once; try again'),
    },
    services,
  )
  if (begun !== undefined) void finish(begun, services)
  return { status: 200, body: { result, timeout: limits.ocpiProfileTimeoutSeconds } }
}

function owedTo({ principal, url, correlationId }: Caller, services: Services): OcpiCommandResult {
  return {
    partner_id: principal.partner.partner_id,
    result_id: services.newId('req'),
    module: 'chargingprofiles',
    url,
    ...(principal.sender !== undefined && { for_party: principal.sender }),
    ...(correlationId !== undefined && { correlation_id: correlationId }),
    accepted_at: services.clock.now(),
    run: services.presence.incarnation,
    attempts: 0,
  }
}

/** Never rejects. */
async function finish({ carryOut, owed }: Begun, services: Services) {
  const { partner_id } = owed
  let result: Awaited<ReturnType<CarryOut>>
  try {
    result = await carryOut()
  } catch (error) {
    services.log.warn({ err: error, partner_id }, 'a charging profile of a roaming partner failed')
    result = { result: 'REJECTED' }
  }
  services.tell(ocpiPartnerAddress(partner_id), { type: 'command-result', owed, result } satisfies OcpiPartnerMessage)
}

const errors = [conflict] as const
const responses = { 200: chargingProfileResponseSchema }

const putProfile = area.route({
  method: 'PUT',
  path: '/{session_id}',
  operationId: 'ocpiSetChargingProfile',
  summary: 'Set a charging profile for a session of your driver',
  description: `Takes the place of the one before. The answer says whether it was taken; where it was ACCEPTED, the result is posted to \`response_url\` within \`timeout\` seconds. At a charge point whose site shares its power, the profile is a bound: the car never gets more than the site gives it. A session has at most ${limits.ocpiProfileRequests} requests of this module a minute: more are TOO_OFTEN.`,
  params,
  headers,
  body: setChargingProfileSchema,
  responses,
  errors,
  sheddable: 'command',
  examples: {
    evening: {
      charging_profile: {
        charging_rate_unit: 'W',
        charging_profile_period: [
          { start_period: 0, limit: 11000 },
          { start_period: 3600, limit: 4200 },
        ],
      },
      response_url: 'https://emsp.example.com/ocpi/chargingprofiles/result/1',
    },
  },
  handle({ principal, params: { session_id: sessionId }, headers, body }, services) {
    const { charging_profile: profile, response_url: url } = body as Static<typeof setChargingProfileSchema>
    checkPeriods(profile)
    const { 'X-Correlation-ID': correlationId } = headers
    return take({ principal, sessionId, url, correlationId }, (request) => setProfile(request, profile), services)
  },
})

/** Throws `validation_error` for what no charge point can make anything of. */
function checkPeriods({ charging_profile_period: periods = [] }: ChargingProfile): void {
  const path = '/charging_profile/charging_profile_period'
  const fault = (message: string) => invalid([{ path, message }])
  if (periods.length === 0) throw fault('must have at least one period')
  if (periods.length > limits.ocpiProfilePeriods) throw fault(`must have at most ${limits.ocpiProfilePeriods} periods`)
  if (periods[0]?.start_period !== 0) throw fault('must begin with a period whose start_period is 0')
  if (periods.some((period, index) => period.start_period <= (periods[index - 1]?.start_period ?? -1)))
    throw fault('must have its periods in the order of start_period, each once')
}

const getProfile = area.route({
  method: 'GET',
  path: '/{session_id}',
  operationId: 'ocpiGetActiveChargingProfile',
  summary: 'Ask which charging profile is in force for a session of your driver',
  description:
    'The charge point is asked. The answer says whether the request was taken; where it was ACCEPTED, the profile is posted to `response_url` within `timeout` seconds.',
  params,
  headers,
  query: Type.Object({ duration: integer(0, 'Seconds from now; at most a day.'), response_url: responseUrl }),
  responses,
  errors,
  sheddable: 'command',
  handle({ principal, params: { session_id: sessionId }, headers, query }, services) {
    const { response_url: url, duration } = query
    const { 'X-Correlation-ID': correlationId } = headers
    return take({ principal, sessionId, url, correlationId }, (request) => readProfile(request, duration), services)
  },
})

const deleteProfile = area.route({
  method: 'DELETE',
  path: '/{session_id}',
  operationId: 'ocpiClearChargingProfile',
  summary: 'Take the charging profile of a session of your driver back',
  description:
    'The answer says whether the request was taken; where it was ACCEPTED, the result is posted to `response_url` within `timeout` seconds: UNKNOWN where there was no profile.',
  params,
  headers,
  query: Type.Object({ response_url: responseUrl }),
  responses,
  errors,
  sheddable: 'command',
  handle({ principal, params: { session_id: sessionId }, headers, query }, services) {
    const { 'X-Correlation-ID': correlationId } = headers
    return take({ principal, sessionId, url: query.response_url, correlationId }, clearProfile, services)
  },
})

export const ocpiChargingProfileRoutes = [getProfile, putProfile, deleteProfile]
