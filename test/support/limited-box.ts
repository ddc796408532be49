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

/** `refuses`: whether a profile is answered Rejected. */
export function limitedBox(
  client: OcppClient,
  { refuses = () => false }: { readonly refuses?: (profile: SentProfile) => boolean } = {},
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
      const { id } = payload as { readonly id: number }
      return { status: profiles.delete(id) ? 'Accepted' : 'Unknown' }
    }
    return action === 'GetConfiguration' ? { configurationKey: [] } : { status: 'Accepted' }
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
