// Commands of eMSPs: what they ask for, what is answered at once, and what is posted to them later (OCPI 2.2.1, 13).

import type { Static } from 'typebox'
import { ciString, dateTime, displayTextSchema, integer, listOf, object, oneOf, optional, url } from './common.js'
import { commandTokenSchema } from './token.js'

const responseUrl = () => url('Where the result of the command is posted to.')

export const startSessionSchema = object('StartSession', {
  response_url: responseUrl(),
  token: commandTokenSchema,
  location_id: ciString(36),
  evse_uid: optional(ciString(36)),
  connector_id: optional(ciString(36, 'Needs an `evse_uid`.')),
  authorization_reference: optional(ciString(36)),
})
export type StartSession = Static<typeof startSessionSchema>

export const stopSessionSchema = object('StopSession', { response_url: responseUrl(), session_id: ciString(36) })
export type StopSession = Static<typeof stopSessionSchema>

export const reserveNowSchema = object('ReserveNow', {
  response_url: responseUrl(),
  token: commandTokenSchema,
  expiry_date: dateTime(),
  reservation_id: ciString(36),
  location_id: ciString(36),
  evse_uid: optional(ciString(36)),
  authorization_reference: optional(ciString(36)),
})
export type ReserveNow = Static<typeof reserveNowSchema>

export const cancelReservationSchema = object('CancelReservation', {
  response_url: responseUrl(),
  reservation_id: ciString(36),
})
export type CancelReservation = Static<typeof cancelReservationSchema>

export const unlockConnectorSchema = object('UnlockConnector', {
  response_url: responseUrl(),
  location_id: ciString(36),
  evse_uid: ciString(36),
  connector_id: ciString(36),
})
export type UnlockConnector = Static<typeof unlockConnectorSchema>

/** What is sent with each command. */
export const commandSchemas = {
  CANCEL_RESERVATION: cancelReservationSchema,
  RESERVE_NOW: reserveNowSchema,
  START_SESSION: startSessionSchema,
  STOP_SESSION: stopSessionSchema,
  UNLOCK_CONNECTOR: unlockConnectorSchema,
} as const
export type CommandType = keyof typeof commandSchemas
export const commandTypes = Object.keys(commandSchemas) as readonly CommandType[]

export const commandResponseTypes = ['NOT_SUPPORTED', 'REJECTED', 'ACCEPTED', 'UNKNOWN_SESSION'] as const
export type CommandResponseType = (typeof commandResponseTypes)[number]

export const commandResponseSchema = object('CommandResponse', {
  result: oneOf(commandResponseTypes),
  timeout: integer(0, 'Seconds in which a result is posted, where the command was accepted.'),
  message: listOf(displayTextSchema),
})
export type CommandResponse = Static<typeof commandResponseSchema>

export const commandResultTypes = [
  'ACCEPTED',
  'CANCELED_RESERVATION',
  'EVSE_OCCUPIED',
  'EVSE_INOPERATIVE',
  'FAILED',
  'NOT_SUPPORTED',
  'REJECTED',
  'TIMEOUT',
  'UNKNOWN_RESERVATION',
] as const
export type CommandResultType = (typeof commandResultTypes)[number]

export const commandResultSchema = object('CommandResult', {
  result: oneOf(commandResultTypes),
  message: listOf(displayTextSchema),
})
export type CommandResult = Static<typeof commandResultSchema>
