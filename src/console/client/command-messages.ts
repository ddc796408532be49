// Every message of OCPP 1.6 that can be sent to a charge point: its fields as the schemas of the service have them, what it does in a few words, and what it
// may end or cost.

import { messages } from 'virtual:ocpp-messages'
import { closes, endsSessionAt, endsSessions, installsFirmware, restartsAtOnce } from './command-dangers.js'
import type { CommandTarget, Values } from './command-target.js'
import type { FormSchema } from './command-texts.js'

type Danger = (target: CommandTarget, values: Values) => string | undefined

interface Told {
  readonly does: string
  readonly danger?: Danger
}

const cannotConnect: Danger = () => 'With a wrong certificate, the charger may not be able to connect any more.'

const told: Readonly<Record<string, Told>> = {
  CancelReservation: { does: 'Gives up a reservation, by its number.' },
  CertificateSigned: { does: 'Gives it the certificate that it has asked for.', danger: cannotConnect },
  ChangeAvailability: {
    does: 'Puts a connector, or with 0 the whole charger, into or out of service.',
    danger: (_, values) => (values['/type'] === 'Inoperative' ? closes(values['/connectorId']) : undefined),
  },
  ChangeConfiguration: {
    does: 'Changes one of its settings.',
    danger: () => 'With a wrong value, the charger may not be able to connect or to charge any more.',
  },
  ClearCache: { does: 'It forgets the cards that it has seen.' },
  ClearChargingProfile: { does: 'Takes away the charging profiles that match; without fields, all of them.' },
  DataTransfer: {
    does: 'What its vendor has made up beside the standard.',
    danger: () => 'What it does is known to the vendor of the charger alone.',
  },
  DeleteCertificate: { does: 'Takes away a certificate that it trusts.', danger: cannotConnect },
  ExtendedTriggerMessage: { does: 'Asks it to send a message now.' },
  GetCompositeSchedule: { does: 'How much power its profiles allow in the next seconds.' },
  GetConfiguration: { does: 'Reads its settings: those that are named, or all.' },
  GetDiagnostics: { does: 'It uploads its own log.' },
  GetInstalledCertificateIds: { does: 'Which certificates it trusts.' },
  GetLocalListVersion: { does: 'The version of the list of cards that it keeps.' },
  GetLog: { does: 'It uploads a log.' },
  InstallCertificate: { does: 'Gives it a certificate to trust.', danger: cannotConnect },
  RemoteStartTransaction: { does: 'It starts a session as if this card had been held to it.' },
  RemoteStopTransaction: { does: 'It ends a session.', danger: () => 'The session of this transaction ends.' },
  ReserveNow: { does: 'Keeps a connector, or with 0 any, for one card.' },
  Reset: {
    does: 'It starts again.',
    danger: (target, values) => (values['/type'] === 'Hard' ? restartsAtOnce(target) : endsSessions(target)),
  },
  SendLocalList: {
    does: 'Replaces or changes the list of cards that it keeps.',
    danger: (_, values) =>
      values['/updateType'] === 'Full'
        ? 'Cards that are not in it cannot charge any more while the charger is offline.'
        : undefined,
  },
  SetChargingProfile: {
    does: 'Limits the power of a connector, or with 0 of the whole charger, over time.',
    danger: ({ charging }) => (charging > 0 ? 'A car that is charging may be given less power, or none.' : undefined),
  },
  SignedUpdateFirmware: { does: 'It downloads signed firmware and installs it.', danger: installsFirmware },
  TriggerMessage: { does: 'Asks it to send a message now.' },
  UnlockConnector: {
    does: 'It lets go of a cable.',
    danger: (target, values) => endsSessionAt(target, values['/connectorId']),
  },
  UpdateFirmware: { does: 'It downloads firmware and installs it.', danger: installsFirmware },
}

export const actions: readonly string[] = Object.keys(messages).sort()

export const schemaOf = (action: string): FormSchema | undefined => messages[action]

export const doesOf = (action: string): string | undefined => told[action]?.does

export const dangerOf = (action: string, target: CommandTarget, values: Values): string | undefined =>
  told[action]?.danger?.(target, values)
