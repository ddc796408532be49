// What the service has acknowledged, as its clients saw it: appended to a file before anything else is done with an
// answer, and read back from that file when it is checked. It never asks the service.

import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'

export interface TransactionStart {
  readonly chargePointId: string
  readonly connectorId: number
  readonly idTag: string
  readonly timestamp: string
  readonly meterStart: number
}

export type LedgerEntry =
  /** About to be sent for the first time; whether it arrives is open. */
  | ({ readonly type: 'starting' } & TransactionStart)
  | ({ readonly type: 'started'; readonly transactionId: number } & TransactionStart)
  | {
      readonly type: 'stopped'
      readonly chargePointId: string
      readonly transactionId: number
      readonly meterStop: number
    }
  | {
      readonly type: 'metered'
      readonly chargePointId: string
      readonly transactionId: number
      readonly registerWh: number
    }
  | { readonly type: 'command'; readonly chargePointId: string; readonly commandId: string; readonly status: string }
  | { readonly type: 'charge-point'; readonly chargePointId: string; readonly name: string }
  | { readonly type: 'id-tag'; readonly idTag: string; readonly label: string }
  | { readonly type: 'api-key'; readonly keyId: string; readonly name: string }
  | { readonly type: 'revoked-api-key'; readonly keyId: string }

export interface Ledger {
  append(entry: LedgerEntry): void
  /** Entries from a position of an earlier reading on, and the position after them. */
  read(position: number): { readonly entries: readonly LedgerEntry[]; readonly position: number }
  close(): void
}

export function openLedger(file: string): Ledger {
  const descriptor = openSync(file, 'a')
  return {
    append: (entry) => void writeSync(descriptor, `${JSON.stringify(entry)}\n`),
    read(position) {
      const text = readFileSync(file).subarray(position)
      const lines = text.toString('utf8').split('\n').slice(0, -1)
      return { entries: lines.map((line) => JSON.parse(line) as LedgerEntry), position: position + text.length }
    },
    close: () => closeSync(descriptor),
  }
}

/** What makes a transaction one and the same, however often it is told. */
export function startKey({ chargePointId, connectorId, idTag, timestamp, meterStart }: TransactionStart): string {
  return [chargePointId, connectorId, idTag, timestamp, meterStart].join('|')
}
