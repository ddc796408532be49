// How a charge point of the load tool answers commands: promptly, truthfully, and with what follows from them. What it
// cannot do it refuses.

import type { Payload } from '../charge-point/call-channel.js'
import { heartbeat, meterValues, type Step, startTransaction, statusNotification, stopTransaction } from './scripts.js'
import type { Player } from './traffic.js'

export interface CommandSurroundings {
  readonly connectors: number
  /** Says these steps once the answer is out. */
  readonly react: (player: Player, ...steps: readonly Step[]) => void
  readonly restart: (player: Player) => void
}

type Answer = (player: Player, payload: Payload, surroundings: CommandSurroundings) => object

const accepted = { status: 'Accepted' }
const rejected = { status: 'Rejected' }

/** What every charge point is configured with; a change is accepted and forgotten. */
const configuration: Readonly<Record<string, string>> = {
  AuthorizeRemoteTxRequests: 'false',
  ClockAlignedDataInterval: '0',
  ConnectionTimeOut: '60',
  HeartbeatInterval: '300',
  MeterValueSampleInterval: '60',
  MeterValuesSampledData: 'Energy.Active.Import.Register,Power.Active.Import,Current.Import,Voltage',
  WebSocketPingInterval: '0',
}

function connectorOf(payload: Payload, { connectors }: CommandSurroundings): number | undefined {
  const id = Number(payload.connectorId ?? 1)
  return Number.isInteger(id) && id >= 1 && id <= connectors ? id : undefined
}

const answers: Readonly<Record<string, Answer>> = {
  CancelReservation: () => rejected,
  ChangeAvailability(player, payload, surroundings) {
    const id = Number(payload.connectorId)
    if (!(id >= 0 && id <= surroundings.connectors)) return rejected
    surroundings.react(player, statusNotification(id, payload.type === 'Inoperative' ? 'Unavailable' : 'Available'))
    return accepted
  },
  ChangeConfiguration: (_player, payload) =>
    Object.hasOwn(configuration, String(payload.key)) ? accepted : { status: 'NotSupported' },
  ClearCache: () => accepted,
  ClearChargingProfile: () => ({ status: 'Unknown' }),
  DataTransfer: () => ({ status: 'UnknownVendorId' }),
  GetCompositeSchedule: () => rejected,
  GetConfiguration(_player, payload, { connectors }) {
    const all: Record<string, string> = { ...configuration, NumberOfConnectors: String(connectors) }
    const wanted = Array.isArray(payload.key) && payload.key.length > 0 ? payload.key.map(String) : Object.keys(all)
    return {
      configurationKey: wanted
        .filter((key) => Object.hasOwn(all, key))
        .map((key) => ({ key, readonly: key === 'NumberOfConnectors', value: all[key] })),
      unknownKey: wanted.filter((key) => !Object.hasOwn(all, key)),
    }
  },
  GetDiagnostics: () => ({}),
  GetLocalListVersion: () => ({ listVersion: -1 }),
  RemoteStartTransaction(player, payload, surroundings) {
    const id = connectorOf(payload, surroundings)
    if (id === undefined || player.station.transactions[id] !== undefined) return rejected
    const start = startTransaction(id, String(payload.idTag))
    surroundings.react(player, statusNotification(id, 'Preparing'), start, statusNotification(id, 'Charging'))
    return accepted
  },
  RemoteStopTransaction(player, payload, surroundings) {
    const id = player.station.transactions.indexOf(Number(payload.transactionId))
    if (id < 1) return rejected
    const after = [statusNotification(id, 'Finishing'), statusNotification(id, 'Available')]
    surroundings.react(player, stopTransaction(id, 'Remote'), ...after)
    return accepted
  },
  ReserveNow: () => rejected,
  Reset(player, payload, surroundings) {
    const reason = payload.type === 'Hard' ? 'HardReset' : 'SoftReset'
    player.station.transactions.forEach((transactionId, connectorId) => {
      if (transactionId !== undefined) surroundings.react(player, stopTransaction(connectorId, reason))
    })
    surroundings.restart(player)
    return accepted
  },
  SendLocalList: () => ({ status: 'NotSupported' }),
  SetChargingProfile: () => accepted,
  TriggerMessage(player, payload, surroundings) {
    const id = connectorOf(payload, surroundings)
    if (id === undefined) return rejected
    const charging = player.station.transactions[id] !== undefined
    switch (payload.requestedMessage) {
      case 'Heartbeat':
        surroundings.react(player, heartbeat)
        return accepted
      case 'StatusNotification':
        surroundings.react(player, statusNotification(id, charging ? 'Charging' : 'Available'))
        return accepted
      case 'MeterValues':
        if (!charging) return rejected
        surroundings.react(player, meterValues(id))
        return accepted
      default:
        return { status: 'NotImplemented' }
    }
  },
  UnlockConnector: (_player, payload, surroundings) => ({
    status: connectorOf(payload, surroundings) === undefined ? 'NotSupported' : 'Unlocked',
  }),
  UpdateFirmware: () => ({}),
}

/** JSON; undefined for an action that it does not know. */
export function answerCommand(
  player: Player,
  action: string,
  payload: Payload,
  surroundings: CommandSurroundings,
): string | undefined {
  const answer = Object.hasOwn(answers, action) ? answers[action] : undefined
  return answer && JSON.stringify(answer(player, payload, surroundings))
}
