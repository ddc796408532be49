// A charge point that holds the limits that it is sent, for tests of sites: what is in force at each of its connectors is what it says itself.

import type { OcppClient } from './ocpp-client.js'

export interface SentProfile {
  readonly connectorId: number
  readonly csChargingProfiles: {
    readonly chargingProfileId: number
    readonly chargingProfilePurpose: string
    readonly transactionId?: number
    readonly stackLevel: number
    readonly chargingSchedule: {
      readonly duration?: number
      readonly chargingRateUnit: string
      readonly chargingSchedulePeriod: readonly { readonly limit: number; readonly numberPhases?: number }[]
    }
  }
}

interface ClearFilter {
  readonly id?: number
  readonly connectorId?: number
  readonly chargingProfilePurpose?: string
}

function fits({ connectorId, csChargingProfiles }: SentProfile, filter: ClearFilter): boolean {
  const { chargingProfileId, chargingProfilePurpose } = csChargingProfiles
  if (filter.id !== undefined) return filter.id === chargingProfileId
  if (filter.connectorId !== undefined && filter.connectorId !== connectorId) return false
  return filter.chargingProfilePurpose === undefined || filter.chargingProfilePurpose === chargingProfilePurpose
}

export interface LimitedBox {
  /** By profile id, those that it has. */
  readonly profiles: Map<number, SentProfile>
  /** Every action that it was sent, the oldest first. */
  readonly actions: readonly string[]
  /** In force at a connector: amperes per phase; undefined for none. */
  limitOf(connectorId: number): number | undefined
  start(connectorId?: number): Promise<number>
  stop(transactionId: number): Promise<void>
}

/** `refuses`: whether a profile is answered Rejected. `configuration`: its keys. */
export function limitedBox(
  client: OcppClient,
  {
    refuses = () => false,
    configuration = {},
  }: {
    readonly refuses?: (profile: SentProfile) => boolean
    readonly configuration?: Readonly<Record<string, string>>
  } = {},
): LimitedBox {
  const profiles = new Map<number, SentProfile>()
  const actions: string[] = []
  void answer()

  async function answer(): Promise<void> {
    for (;;) {
      const [, id, action, payload] = (await client.nextFrame()) as [number, string, string, unknown]
      actions.push(action)
      client.raw(JSON.stringify([3, id, answerTo(action, payload)]))
    }
  }

  function answerTo(action: string, payload: unknown): unknown {
    if (action === 'SetChargingProfile') {
      const sent = payload as SentProfile
      if (refuses(sent)) return { status: 'Rejected' }
      profiles.set(sent.csChargingProfiles.chargingProfileId, sent)
      return { status: 'Accepted' }
    }
    if (action === 'ClearChargingProfile') {
      const cleared = [...profiles.values()].filter((sent) => fits(sent, payload as ClearFilter))
      for (const { csChargingProfiles } of cleared) profiles.delete(csChargingProfiles.chargingProfileId)
      return { status: cleared.length > 0 ? 'Accepted' : 'Unknown' }
    }
    if (action !== 'GetConfiguration') return { status: 'Accepted' }
    const configurationKey = Object.entries(configuration).map(([key, value]) => ({ key, readonly: true, value }))
    return { configurationKey }
  }

  const limitIn = (profile: SentProfile | undefined): number | undefined =>
    profile?.csChargingProfiles.chargingSchedule.chargingSchedulePeriod[0]?.limit

  return {
    profiles,
    actions,
    limitOf(connectorId) {
      const all = [...profiles.values()]
      const own = all.find((profile) => profile.connectorId === connectorId)
      return limitIn(own ?? all.find((profile) => profile.connectorId === 0))
    },
    async start(connectorId = 1) {
      const timestamp = new Date().toISOString()
      const { payload } = await client.call('StartTransaction', {
        connectorId,
        idTag: 'TAG-1',
        meterStart: 0,
        timestamp,
      })
      return payload.transactionId
    },
    async stop(transactionId) {
      for (const [id, { csChargingProfiles }] of profiles)
        if (csChargingProfiles.transactionId === transactionId) profiles.delete(id)
      await client.call('StopTransaction', { transactionId, meterStop: 10, timestamp: new Date().toISOString() })
    },
  }
}
