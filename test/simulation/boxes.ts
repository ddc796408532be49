// The charge points of a world that installers put up: who registers each, and which organization may claim it. They take no part in what is
// otherwise done to charge points, so that whatever happens to them is of their commissioning.

import { organizations } from './organizations.js'

export interface Box {
  readonly id: string
  /** Of the installer who registers it. */
  readonly installer: number
  /** Of the organization that may claim it. */
  readonly organization: number
  readonly connectors: number
  /** The values of its configuration keys: also of those that the service has never heard of. */
  readonly keys: Map<string, string>
  /** Keys that it does not let set. */
  readonly fixed: Set<string>
}

const prefix = 'WALLBOX-'
const count = 8
const installers = 2

export function makeBoxes(): readonly Box[] {
  return Array.from({ length: count }, (_, number) => ({
    id: `${prefix}${number}`,
    installer: number % installers,
    organization: number % organizations.length,
    connectors: number % 4 === 0 ? 2 : 1,
    keys: new Map(Object.entries(factorySettings)),
    fixed: new Set(),
  }))
}

export function isBox(chargePointId: unknown): boolean {
  return String(chargePointId).startsWith(prefix)
}

export function installerIdOf(installer: number): string {
  return `ins_${installer}`
}

export const installerNumbers: readonly number[] = Array.from({ length: installers }, (_, number) => number)

/** What it has before anybody has changed it: some of it is what installers want. */
const factorySettings: Readonly<Record<string, string>> = {
  HeartbeatInterval: '900',
  MeterValueSampleInterval: '60',
  ConnectionTimeOut: '120',
  AuthorizationCacheEnabled: 'false',
  LocalAuthListEnabled: 'true',
  AllowOfflineTxForUnknownId: 'true',
  StopTransactionOnEVSideDisconnect: 'TRUE',
  GetConfigurationMaxKeys: '4',
}

/** The key that installers customize for each box, and its value there. */
export const customKey = 'ClockAlignedDataInterval'

export function customValueOf(box: Pick<Box, 'id'>): number {
  return 300 + Number(box.id.slice(prefix.length)) * 60
}
