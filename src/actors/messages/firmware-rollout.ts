// How the actor of a firmware rollout is reached by charge points that are in it.

import type { Address } from '../../runtime/actor/actor.js'

export const firmwareRolloutKind = 'firmware-rollout'

export function firmwareRolloutAddress(rolloutId: string): Address {
  return { kind: firmwareRolloutKind, id: rolloutId }
}

/** What is heard of a charge point: a status of its update, or (without one) that it is to be looked at. */
export interface ChargePointNews {
  readonly place: number
  readonly status?: string
  readonly requestId?: number
}

const newsReason = 'news'

/** News are wake-ups, so that none is lost with a shard: this is the reason of one. */
export function reasonOfNews({ place, status = '', requestId }: ChargePointNews): string {
  return `${newsReason}/${place}/${status}/${requestId ?? ''}`
}

export function newsOf(reason: string): ChargePointNews | undefined {
  const [kind, place, status = '', requestId = ''] = reason.split('/')
  if (kind !== newsReason) return undefined
  return {
    place: Number(place),
    ...(status !== '' && { status }),
    ...(requestId !== '' && { requestId: Number(requestId) }),
  }
}
