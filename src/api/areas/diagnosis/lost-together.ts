// Whether a charge point went away together with others: at its site, at its place, behind its address, or from its network. Then it is what they
// share that has failed, and none of them.

import { type Static, Type } from 'typebox'
import { commonNetworkOf } from '../../../edge/address-network.js'
import { type ChargePoint, chargePointsTable } from '../../../records/charge-point.js'
import { type ChargePointState, chargePointStatesTable } from '../../../records/charge-point-state.js'
import { isOnline } from '../../../records/presence.js'
import { sitesTable } from '../../../records/site.js'
import { nullable, timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { stateOf } from '../charge-points/charge-points.js'
import type { Cause } from '../fleet/cause.js'
import { endedBy } from './close-words.js'
import { limits } from './limits.js'
import { placeOf } from './neighbours.js'

const withinMs = 60_000
/** So few may go at the same time by chance, unless they are all that there are. */
const fewest = 3

const shares = ['site', 'place', 'address', 'network'] as const

export const lostTogetherSchema = nullable(
  Type.Object(
    {
      charge_points: Type.Integer({
        minimum: 2,
        description: 'How many went away within the same minute, this one included.',
      }),
      still_connected: nullable(
        Type.Integer({
          minimum: 0,
          description: 'How many of the others are connected; null where that was not counted.',
        }),
      ),
      first_at: timestamp('When the first of them went away.'),
      shared: Type.Enum([...shares], {
        description:
          'What they have in common. `place`: they are within a hundred metres. `network`: as of the causes of the fleet.',
      }),
      name: nullable(Type.String({ description: 'Of the site, the address or the network.' })),
    },
    { description: 'The charge points with which this one went away, where it did: they share what has failed.' },
  ),
)

export type LostTogether = NonNullable<Static<typeof lostTogetherSchema>>

/** Of one that went away without a word; null for one that went alone. */
export async function lostTogether(
  chargePoint: ChargePoint,
  state: ChargePointState,
  services: Services,
): Promise<LostTogether | null> {
  const at = wentAt(state)
  if (at === undefined) return null
  const view = services.view()
  const { site_id } = chargePoint
  const site = site_id === undefined ? undefined : view.get(sitesTable, [site_id])
  const atPlace = counted(
    placeOf(view, chargePoint).map((other) => stateOf(view, other)),
    at,
    services,
  )
  if (atPlace !== null)
    return { ...atPlace, shared: site_id === undefined ? 'place' : 'site', name: site?.name ?? null }
  const { remote_address: address, organization_id } = state
  if (address === undefined) return null
  const bounds = { from: [organization_id], to: [`${organization_id}\0`], limit: limits.neighboursLookedAt }
  const behind = view.listBy(chargePointStatesTable, 'byAddress', [address], bounds)
  const others = behind.filter(({ charge_point_id }) => charge_point_id !== chargePoint.charge_point_id)
  const behindAddress = counted(others, at, services)
  if (behindAddress !== null) return { ...behindAddress, shared: 'address', name: address }
  return ofNetwork(organization_id, commonNetworkOf(address), at, services)
}

function wentAt(state: ChargePointState): number | undefined {
  const { disconnected_at, last_close } = state
  if (disconnected_at === undefined || last_close?.at !== disconnected_at) return undefined
  return endedBy(last_close) === 'link' ? Date.parse(disconnected_at) : undefined
}

function counted(
  others: readonly (ChargePointState | undefined)[],
  at: number,
  { presence }: Services,
): Pick<LostTogether, 'charge_points' | 'still_connected' | 'first_at'> | null {
  const times = [at]
  let online = 0
  for (const other of others) {
    if (other === undefined) continue
    const went = wentAt(other)
    if (isOnline(other, presence.live)) online++
    else if (went !== undefined && Math.abs(went - at) <= withinMs) times.push(went)
  }
  if (times.length < (online === 0 ? 2 : fewest)) return null
  return { charge_points: times.length, still_connected: online, first_at: new Date(Math.min(...times)).toISOString() }
}

/** As the fleet has found it: those of a network are too many to be looked at for one of them. */
async function ofNetwork(
  organizationId: string,
  network: string,
  at: number,
  { fleets, view }: Services,
): Promise<LostTogether | null> {
  // A large fleet is not read for one of its charge points.
  const isSmall = view().total(chargePointsTable, 'byOrganization', [organizationId]) <= limits.fleetRead
  if (!isSmall && !fleets.isKept(organizationId)) return null
  // A fleet that cannot be read now, such as under load, is no reason to say nothing of the charge point.
  const answer = await fleets.attention(organizationId, () => false).catch(() => ({ causes: [] }))
  const { causes } = answer as { readonly causes: readonly Cause[] }
  const cause = causes.find(({ kind, shared, since }) => {
    const first = since === null ? Number.NaN : Date.parse(since)
    // Its times are whole seconds.
    return kind === 'offline' && shared.network === network && at >= first && at - first <= withinMs + 1_000
  })
  if (cause?.since === undefined || cause.since === null) return null
  return {
    charge_points: cause.charge_points,
    still_connected: null,
    first_at: cause.since,
    shared: 'network',
    name: network,
  }
}

export interface Said {
  readonly cause: string
  readonly steps: readonly string[]
}

export function lostTogetherWords({ charge_points: count, still_connected: online, shared, name }: LostTogether): Said {
  const where = {
    site: name === null ? 'at its site' : `at ${name}`,
    place: 'at this place',
    address: `behind the address ${name}`,
    network: `from the network ${name}`,
  }[shared]
  const together = 'went away within the same minute'
  const comesBack =
    'When that is put right, they connect again by themselves. Nothing has to be done at the charge point.'
  if (shared === 'network')
    return {
      cause: `${count} charge points ${where} ${together}: it is the network that they share, not this charge point.`,
      steps: [
        'Ask the provider of that network, such as the mobile operator of the SIM cards, about an outage.',
        comesBack,
      ],
    }
  if (online === 0)
    return {
      cause: `${count === 2 ? 'Both' : `All ${count}`} charge points ${where} that were connected ${together}: it is the network or the power of the site, not this charge point.`,
      steps: [
        'Ask at the site whether it has power.',
        'If it has, check its router and its connection to the internet.',
        comesBack,
      ],
    }
  return {
    cause: `${count} of ${count + (online ?? 0)} charge points ${where} ${together}: it is the network or the power that these ${count} share, not this charge point.`,
    steps: [
      `See whether the ${count} have power: they may be on one fuse or one distribution board.`,
      'If they have, check the switch, the access point or the cable that they share.',
      comesBack,
    ],
  }
}
