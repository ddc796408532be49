// The charge point of the benchmarks: as cheap as it can be while its traffic is that of a real one. Every message id,
// id tag, timestamp and meter reading is its own, and transaction ids are those that the server gave.

import type { Payload } from '../client/call-channel.js'
import { connectWebSocket, type WebSocketClient } from '../client/websocket.js'

export interface Station {
  readonly id: string
  readonly number: number
  registerWh: number
  /** Transaction ids by connector, from index 1. */
  readonly transactions: (number | undefined)[]
  /** Sends a CALL; `settled` is told how long it took, or why it failed. The payload is JSON. Nothing else may be outstanding. */
  call(action: string, payload: string, settled: (microseconds: number, failure: string | undefined) => void): void
  /** The payload of the last CALLRESULT. */
  answer(): Payload
  close(): void
}

export interface StationOptions {
  readonly url: string
  readonly id: string
  readonly number: number
  readonly localAddress: string
  readonly opened: (station: Station) => void
  readonly closed: (reason: string) => void
}

/** What a charge point with nothing to do answers to a command, by action. */
const answers: Readonly<Record<string, string>> = {
  UnlockConnector: '{"status":"Unlocked"}',
  UpdateFirmware: '{}',
  GetDiagnostics: '{}',
  GetLocalListVersion: '{"listVersion":0}',
  GetConfiguration: '{"configurationKey":[]}',
}
const openBracket = 0x5b
const callResult = 0x33
const call = 0x32
/** `[3,"` comes before the id. */
const idStart = 4

export function connectStation(options: StationOptions): Station {
  let sequence = 0
  let sentAt = 0
  let expected = ''
  let settle: ((microseconds: number, failure: string | undefined) => void) | undefined
  let lastAnswer = ''

  function command(text: string): void {
    const frame = JSON.parse(text) as [number, string, string]
    socket.send(`[3,${JSON.stringify(frame[1])},${answers[frame[2]] ?? '{"status":"Accepted"}'}]`)
  }

  function received(buffer: Buffer, start: number, end: number): void {
    if (buffer[start] === openBracket && buffer[start + 1] === call) {
      command(buffer.toString('utf8', start, end))
      return
    }
    const idEnd = start + idStart + expected.length
    const done = settle
    if (done === undefined || buffer.toString('latin1', start + idStart, idEnd) !== expected) return
    settle = undefined
    const microseconds = (performance.now() - sentAt) * 1000
    lastAnswer = buffer.toString('latin1', idEnd + 2, end - 1)
    done(microseconds, buffer[start + 1] === callResult ? undefined : buffer.toString('utf8', start, end))
  }

  const socket: WebSocketClient = connectWebSocket(
    {
      url: `${options.url}/${options.id}`,
      subprotocols: ['ocpp1.6'],
      localAddress: options.localAddress,
      handshakeTimeoutMs: 60_000,
    },
    {
      opened: () => options.opened(station),
      bytes: received,
      closed(_code, reason) {
        const done = settle
        settle = undefined
        done?.(0, reason)
        options.closed(reason)
      },
    },
  )
  const station: Station = {
    id: options.id,
    number: options.number,
    registerWh: options.number * 1_000 + 17,
    transactions: [],
    call(action, payload, settled) {
      sequence++
      expected = `${options.number.toString(36)}-${sequence.toString(36)}`
      settle = settled
      sentAt = performance.now()
      socket.send(`[2,"${expected}","${action}",${payload}]`)
    },
    answer: () => JSON.parse(lastAnswer) as Payload,
    close: () => socket.destroy(),
  }
  return station
}

export function bootPayload(station: Station): string {
  return `{"chargePointVendor":"bench","chargePointModel":"B-1","chargePointSerialNumber":"${station.id}","firmwareVersion":"1.0.0"}`
}

/** Four samples of a running transaction. */
export function meterValuesPayload(station: Station, connectorId: number): string {
  station.registerWh += 31
  const watts = 7_000 + (station.registerWh % 4_000)
  const sample = (measurand: string, unit: string, value: string): string =>
    `{"value":"${value}","context":"Sample.Periodic","measurand":"${measurand}","unit":"${unit}"}`
  const samples = [
    sample('Energy.Active.Import.Register', 'Wh', String(station.registerWh)),
    sample('Power.Active.Import', 'W', String(watts)),
    sample('Current.Import', 'A', (watts / 690).toFixed(1)),
    sample('Voltage', 'V', '230'),
  ]
  const transactionId = station.transactions[connectorId] ?? 1
  const timestamp = new Date().toISOString()
  return `{"connectorId":${connectorId},"transactionId":${transactionId},"meterValue":[{"timestamp":"${timestamp}","sampledValue":[${samples.join(',')}]}]}`
}

export function startTransactionPayload(station: Station, connectorId: number): string {
  station.registerWh += 977
  const idTag = `T${station.number.toString(36)}C${connectorId}R${station.registerWh.toString(36)}`.slice(0, 20)
  return `{"connectorId":${connectorId},"idTag":"${idTag}","meterStart":${station.registerWh},"timestamp":"${new Date().toISOString()}"}`
}

export function stopTransactionPayload(station: Station, connectorId: number): string {
  const transactionId = station.transactions[connectorId] ?? 1
  station.registerWh += 977
  return `{"transactionId":${transactionId},"meterStop":${station.registerWh},"timestamp":"${new Date().toISOString()}","reason":"Local"}`
}
