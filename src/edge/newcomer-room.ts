// How many charge points may register themselves, in an hour and in all: whoever connects with ever new ids fills neither the disk nor the
// organization, and of the hour's, one address has a share, so that the others' are still taken. One whose connectors somebody has counted is no longer among them.

import type { Logger } from 'pino'
import { chargePointsTable } from '../records/charge-point.js'
import type { Clock } from '../runtime/clock.js'
import { createRareLines } from '../runtime/rare-lines.js'
import type { Condition, ReadView } from '../runtime/store/store.js'
import { createTokenBuckets, fullBucket, type Rate, secondsUntil, takeTokens } from '../runtime/token-bucket.js'
import type { Settings } from '../settings.js'
import { networksOf } from './address-network.js'
import { limits } from './limits.js'
import type { Refused } from './refusal.js'

export const tooManyNewcomers: Refused = {
  status: 404,
  reason: 'too_many_self_registered',
  advice:
    'As many charge points have registered themselves as may: register this one (POST /api/v1/chargepoints), set connector_count of those that are yours, remove the others, or raise --self-registered-charge-points.',
}

export interface NewcomerRoom {
  /** Takes one of the registrations of the hour; why there is none otherwise. `underWay`: those on their way to the disk. */
  take(organizationId: string, remoteAddress: string, underWay: number): Refused | undefined
  /** That there is still room for one. */
  condition(organizationId: string): Condition
}

export interface NewcomerRoomOptions {
  readonly view: () => ReadView
  readonly clock: Clock
  readonly log: Logger
  readonly settings: Pick<Settings, 'self_registrations_per_hour' | 'self_registered_charge_points' | 'fronts'>
}

const index = 'selfRegistered'

function waitSeconds(seconds: number): number {
  return Math.max(60, Math.ceil(seconds))
}

const reasons = 3

export function createNewcomerRoom({ view, clock, log, settings }: NewcomerRoomOptions): NewcomerRoom {
  const { self_registrations_per_hour: perHour, self_registered_charge_points: most } = settings
  const burst = Math.ceil(perHour / settings.fronts)
  const rate: Rate = { perSecond: burst / 3_600, burst }
  const bucket = fullBucket(rate, clock.monotonic())
  const share = Math.max(
    Math.min(burst, limits.selfRegistrationsOfAddress),
    Math.ceil(burst * limits.selfRegistrationShareOfAddress),
  )
  const ofAddress: Rate = { perSecond: share / 3_600, burst: share }
  const addresses = createTokenBuckets(ofAddress, clock, limits.addressesOfNewcomers)
  const lines = createRareLines(reasons)

  function refused(why: Refused, remoteAddress: string): Refused {
    const leftOut = lines.leftOut(why.reason, clock.monotonic())
    if (leftOut !== undefined)
      log.warn(
        { reason: why.reason, remote_address: remoteAddress, ...(leftOut > 0 && { leftOut }) },
        'charge points that would register themselves are refused',
      )
    return why
  }

  return {
    take(organizationId, remoteAddress, underWay) {
      if (view().total(chargePointsTable, index, [organizationId]) + underWay >= most)
        return refused(tooManyNewcomers, remoteAddress)
      const { own, wide = own } = networksOf(remoteAddress)
      if (!addresses.take(wide))
        return refused(
          {
            status: 503,
            reason: 'too_many_self_registrations_of_address',
            advice:
              'Many charge points have registered themselves from this address within an hour: register this one (POST /api/v1/chargepoints), or raise --self-registrations-per-hour.',
            retryAfterSeconds: waitSeconds(addresses.secondsUntil(wide)),
          },
          remoteAddress,
        )
      if (takeTokens(bucket, rate, clock.monotonic())) return undefined
      addresses.giveBack(wide, 1)
      return refused(
        {
          status: 503,
          reason: 'too_many_self_registrations',
          advice:
            'Many charge points have registered themselves within an hour: register this one (POST /api/v1/chargepoints), or raise --self-registrations-per-hour.',
          retryAfterSeconds: waitSeconds(secondsUntil(bucket, rate, clock.monotonic())),
        },
        remoteAddress,
      )
    },
    condition: (organizationId) => ({
      table: chargePointsTable.name,
      index,
      group: [organizationId],
      is: 'below',
      total: most,
    }),
  }
}
