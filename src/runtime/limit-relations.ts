// Which bounds depend on each other, and why: checked when the program is loaded, so that a bound which is changed alone does not leave
// something that can never happen, or never ends. Only relations whose breach would be felt are here.

import { assert } from './assert.js'
import type { limits } from './limits.js'

type Limits = { readonly [Name in keyof typeof limits]: number }
/** `[one, other, why]`: one is not greater than the other. */
type Relation = readonly [keyof Limits, keyof Limits, string]

const notGreater: readonly Relation[] = [
  ['frameBytes', 'unreadableFrameBytes', 'a frame that is too long has to be read to be refused in words'],
  ['frameBytes', 'socketBackpressureBytes', 'a frame that waits alone for a slow socket must not close it'],
  ['frameBytes', 'heldCharacters', 'the first frame of a new charge point, however long, has to be held'],
  [
    'mailboxMessages',
    'resendWindowFrames',
    "one actor's mailbox has to be full before the window of its whole shard is",
  ],
  ['groupBatches', 'commitQueue', 'a group is made of what waits'],
  ['wakeUpsPerSweep', 'commitQueue', 'the commits of one sweep have to fit in the queue'],
  ['webhookEventsPerRead', 'webhookWindow', 'an endpoint reads on when its window has room for a whole read'],
  ['webhookFirstAttempts', 'webhookAttempts', 'an endpoint begins below its bound'],
  ['webhookBodyBytes', 'outboundBodyCharacters', 'a delivery that may be made has to be one that can be sent'],
  ['webhookAttempts', 'outboundRequestsPerOrigin', 'an endpoint alone must not have to wait for its own attempts'],
  ['outboundConnectsPerOrigin', 'outboundRequestsPerOrigin', 'who connects has a turn'],
  ['outboundRequestsPerOrigin', 'outboundConnections', 'one origin must not be able to take every connection'],
  ['outboundWaitingPerOrigin', 'outboundRequests', 'one origin that hangs must not take the room of all others'],
  ['eventStreamsPerOrganization', 'eventStreams', 'one organization must not take the streams of all others'],
  ['rowsPerWalkStep', 'feedEventsPerPage', 'a page of the feed takes at least one step'],
  ['waitingHellosPerAddress', 'waitingHellos', 'one address must not take the room of all others'],
  ['printsPerOrganization', 'jobQueue', 'one organization must not take the room of all others'],
  ['refusedAttemptsPerOrganization', 'refusedAttemptsPerSecond', 'one organization has a share of what is stored'],
  ['alertsPerLook', 'alertsPerLookInAll', 'one kind of one organization has a share of a look'],
  ['spaceReserveBytes', 'lowSpaceBytes', 'the reserve is allocated while the disk is low and still has it'],
]

/** Throws for bounds that do not go together. */
export function checkLimits(bounds: Limits): void {
  for (const [one, other, why] of notGreater)
    assert(bounds[one] <= bounds[other], `limits.${one} <= limits.${other}: ${why}`, bounds[one], bounds[other])
  assert(bounds.sessionStatuses % 2 === 0, 'limits.sessionStatuses is even: the older half is kept as sums')
  // The tax is as much as the cost at most.
  const highestTotal = 2 * bounds.costMinorUnits
  assert(Number.isSafeInteger(highestTotal), 'a total is exact in a number: 2 * limits.costMinorUnits', highestTotal)
  const highestEnergy = 1_000 * (bounds.pricedEnergyWh + bounds.stepSize)
  assert(Number.isSafeInteger(highestEnergy), 'billed energy, rounded up, is exact in mWh', highestEnergy)
  const longestTime = 1_000 * (bounds.pricedSeconds + bounds.stepSize)
  assert(Number.isSafeInteger(longestTime), 'billed time, rounded up, is exact in ms', longestTime)
}
