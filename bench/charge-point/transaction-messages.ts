// What a charge point says of a transaction (OCPP 1.6, 4.7, 4.8 and 4.10). Its id comes with the answer to the first of these
// messages, and the others may be waiting by then: each takes it when it is sent.

import type { CallOutcome, Payload } from './call-channel.js'
import type { Message } from './outbox.js'

export type StopReason =
  | 'DeAuthorized'
  | 'EmergencyStop'
  | 'EVDisconnected'
  | 'HardReset'
  | 'Local'
  | 'Other'
  | 'PowerLoss'
  | 'Reboot'
  | 'Remote'
  | 'SoftReset'
  | 'UnlockCommand'

export interface StartedTransaction {
  readonly connectorId: number
  readonly idTag: string
  /** Wh. */
  readonly meterStart: number
  readonly timestamp: string
  readonly reservationId?: number
}

/** `id` is undefined until StartTransaction has been answered. */
interface Identified {
  id: number | undefined
}

/** `settled` is told how the central system takes the id tag, or of no answer when the start is given up. */
export function startMessage(
  transaction: Identified,
  { connectorId, idTag, meterStart, timestamp, reservationId }: StartedTransaction,
  settled: (idTagStatus: string | undefined, outcome: CallOutcome) => void,
): Message {
  const payload = {
    connectorId,
    idTag,
    meterStart,
    timestamp,
    ...(reservationId === undefined ? {} : { reservationId }),
  }
  return {
    action: 'StartTransaction',
    payload: () => payload,
    settled(outcome) {
      if (outcome.type !== 'result') return settled(undefined, outcome)
      transaction.id = Number(outcome.payload.transactionId)
      settled((outcome.payload.idTagInfo as { status?: string } | undefined)?.status, outcome)
    },
  }
}

/** Without a transaction: of a connector that does not charge, or whose charge point leaves the id out. */
export function meterValuesMessage(
  connectorId: number,
  transaction: Identified | undefined,
  meterValue: object,
): Message {
  return {
    action: 'MeterValues',
    payload: () => ({
      connectorId,
      ...(transaction?.id === undefined ? {} : { transactionId: transaction.id }),
      meterValue: [meterValue],
    }),
  }
}

export function stopMessage(
  transaction: Identified,
  stop: { readonly idTag: string; readonly meterStop: number; readonly timestamp: string; readonly reason: StopReason },
  settled?: (outcome: CallOutcome) => void,
): Message {
  return {
    action: 'StopTransaction',
    // -1 when the start was never answered: the central system has to find the transaction itself (errata 3.18).
    payload: (): Payload => ({ transactionId: transaction.id ?? -1, ...stop }),
    ...(settled === undefined ? {} : { settled }),
  }
}
