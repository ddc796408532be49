// The route of commands (OCPI 2.2.1, 13.2): answered as soon as it is on disk that the command was taken, and then carried out; the result is posted
// to the partner by its actor.

import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { type OcpiPartnerMessage, ocpiPartnerAddress } from '../../../actors/ocpi-partner/messages.js'
import {
  type CommandResult,
  type CommandType,
  commandResponseSchema,
  commandSchemas,
  commandTypes,
} from '../../../ocpi/schemas/command.js'
import { ocpiCommandsTable } from '../../../records/ocpi-command.js'
import { type OcpiCommandResult, ocpiCommandResultsTable } from '../../../records/ocpi-command-result.js'
import { keyOfParty } from '../../../records/ocpi-party.js'
import { conflict, notFound } from '../../../runtime/errors.js'
import { canonicalJson } from '../../pipeline/canonical-json.js'
import { commitDraft } from '../../pipeline/commit-draft.js'
import { anyObject } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { bodyCheck } from '../../pipeline/validator.js'
import { notEnoughInformation, unknownLocation } from '../../surfaces/ocpi-errors.js'
import { senderHeaders } from '../../surfaces/ocpi-sender.js'
import { area } from './area.js'
import { type Asked, type CarryOut, commands, isResponse } from './commands.js'
import { limits } from './limits.js'
import type { Ended, Response } from './results.js'

const checks = Object.fromEntries(commandTypes.map((type) => [type, bodyCheck(commandSchemas[type])])) as Readonly<
  Record<CommandType, ReturnType<typeof bodyCheck>>
>

const isCommand = (name: string): name is CommandType => Object.hasOwn(commandSchemas, name)

const english = (text: string) => ({ language: 'en', text })

function responseOf({ result, message }: Response) {
  return {
    result,
    timeout: limits.ocpiCommandTimeoutSeconds,
    message: message === undefined ? [] : [english(message)],
  }
}

const accepted: Response = { result: 'ACCEPTED' }

interface Begun {
  readonly carryOut: CarryOut
  /** As it is on disk. */
  readonly owed: OcpiCommandResult
}

interface Taken {
  readonly response: Response
  readonly begun?: Begun
}

interface Sent extends Asked {
  readonly correlationId: string | undefined
}

const sendCommand = area.route({
  method: 'POST',
  path: '/{command}',
  operationId: 'ocpiSendCommand',
  summary: 'Send a command for a driver',
  description:
    'The commands are START_SESSION, STOP_SESSION, RESERVE_NOW, CANCEL_RESERVATION and UNLOCK_CONNECTOR, each with its body. The answer says whether the command was taken; where it was ACCEPTED, the result is posted to `response_url` within `timeout` seconds. The same command, sent again within two minutes, gets the same answer and is not carried out again.',
  params: { command: Type.String({ maxLength: 40 }) },
  headers: Type.Object({ 'X-Correlation-ID': Type.Optional(Type.String({ maxLength: 128 })), ...senderHeaders }),
  body: anyObject(
    'The body of the command: `StartSession`, `StopSession`, `ReserveNow`, `CancelReservation` or `UnlockConnector`.',
  ),
  responses: { 200: commandResponseSchema },
  errors: [notFound, notEnoughInformation, unknownLocation, conflict],
  sheddable: 'command',
  examples: {
    start: {
      response_url: 'https://emsp.example.com/ocpi/commands/START_SESSION/1',
      token: { uid: '012345678', type: 'APP_USER', contract_id: 'NL-EMP-C12345678-X' },
      location_id: 'SITE-1',
      evse_uid: 'CP-1_1',
      connector_id: '1',
    },
  },
  async handle({ params: { command }, headers, body, principal }, services) {
    if (!isCommand(command)) throw notFound(`there is no command ${command}`)
    const faults = checks[command](body)
    if (faults !== undefined) throw invalid(faults)
    if (!principal.partner.commands)
      return answerOf({ result: 'NOT_SUPPORTED', message: 'The operator has not allowed commands for this partner.' })
    const { 'X-Correlation-ID': correlationId } = headers
    const { response, begun } = await take(command, body, { principal, services, correlationId })
    if (begun !== undefined) void finish(begun, services)
    return answerOf(response)
  },
})

const answerOf = (response: Response) => ({ status: 200, body: responseOf(response) })

/** One that comes again is the one that was taken: two at a time, too, at whichever fronts. */
function take(command: CommandType, body: Readonly<Record<string, unknown>>, asked: Sent): Promise<Taken> {
  const { principal, correlationId, services } = asked
  const { sender } = principal
  const { partner_id } = principal.partner
  const sent = { command, body, ...(sender !== undefined && { from: keyOfParty(sender) }) }
  const fingerprint = createHash('sha256')
    .update(canonicalJson(Buffer.from(JSON.stringify(sent))))
    .digest('hex')
  return commitDraft<Taken>(
    {
      attempts: 5,
      decide(draft) {
        const now = services.clock.now()
        const known = draft.get(ocpiCommandsTable, [partner_id, fingerprint])
        if (known !== undefined && Math.abs(now - known.received_at) < limits.ocpiRepeatMs)
          return { response: accepted }
        const begun = commands[command].begin(body as never, draft, asked)
        if (isResponse(begun)) return { response: begun }
        draft.put(ocpiCommandsTable, { partner_id, fingerprint, command, received_at: now })
        const owed: OcpiCommandResult = {
          partner_id,
          result_id: `${fingerprint}/${now}`,
          url: String(body.response_url),
          ...(sender !== undefined && { for_party: sender }),
          ...(correlationId !== undefined && { correlation_id: correlationId }),
          accepted_at: now,
          run: services.presence.incarnation,
          attempts: 0,
        }
        draft.putPlain(ocpiCommandResultsTable, owed)
        return { response: accepted, begun: { carryOut: begun, owed } }
      },
      otherwise: () => conflict('the same command came several times at once; try again'),
    },
    services,
  )
}

/** Never rejects. */
async function finish({ carryOut, owed }: Begun, services: Services): Promise<void> {
  const { partner_id } = owed
  let ended: Ended
  try {
    ended = await carryOut()
  } catch (error) {
    services.log.warn({ err: error, partner_id }, 'a command of a roaming partner failed')
    ended = { result: 'FAILED', message: 'The service could not carry the command out.' }
  }
  const result: CommandResult = { result: ended.result, message: [english(ended.message)] }
  services.tell(ocpiPartnerAddress(partner_id), {
    type: 'command-result',
    owed,
    result,
  } satisfies OcpiPartnerMessage)
}

export const ocpiCommandRoutes = [sendCommand]
