// Charge points around a place, by distance. Reads the cells around it, not the table.

import { Type } from 'typebox'
import { type ChargePoint, cellDegrees, chargePointsTable } from '../../../records/charge-point.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { type Long, pageOf, walkWithin } from '../../pipeline/paging.js'
import { showingOf } from '../../pipeline/record-routes.js'
import { area } from './area.js'
import { chargePointSchema, chargePointView } from './charge-points.js'

const earthRadiusKm = 6_371.0088
const kmPerDegree = (Math.PI / 180) * earthRadiusKm

interface Place {
  readonly latitude: number
  readonly longitude: number
}

/** Great-circle distance (haversine). */
export function distanceKm(a: Place, b: Place): number {
  const radians = Math.PI / 180
  const latitude = Math.sin(((b.latitude - a.latitude) * radians) / 2)
  const longitude = Math.sin(((b.longitude - a.longitude) * radians) / 2)
  const h = latitude ** 2 + Math.cos(a.latitude * radians) * Math.cos(b.latitude * radians) * longitude ** 2
  return 2 * earthRadiusKm * Math.asin(Math.min(1, Math.sqrt(h)))
}

const cellOf = (degrees: number): number => Math.floor(degrees / cellDegrees)

/** Ranges of longitude, in degrees, that hold everything within the radius; two where it crosses the date line. */
function longitudeRanges({ latitude, longitude }: Place, radiusKm: number): readonly (readonly [number, number])[] {
  const farthest = Math.min(90, Math.abs(latitude) + radiusKm / kmPerDegree)
  const reach = radiusKm / (kmPerDegree * Math.cos((farthest * Math.PI) / 180))
  if (!(reach < 180)) return [[-180, 180]]
  const [west, east] = [longitude - reach, longitude + reach]
  if (west < -180)
    return [
      [-180, east],
      [west + 360, 180],
    ]
  if (east > 180)
    return [
      [west, 180],
      [-180, east - 360],
    ]
  return [[west, east]]
}

interface Found {
  readonly chargePoint: ChargePoint
  readonly distance: number
}

interface Nearest {
  /** Nearest first; as many as were asked for. */
  readonly found: readonly Found[]
  /** How many are within the radius. */
  readonly total: number
}

/** What is sorted at once, beside what is kept. */
const sortedAtOnce = 1_000

interface Around extends Place {
  readonly radius_km: number
  readonly site_id?: string
}

/** What lies within the radius; the nearest `most` of it. */
async function searchAround(
  { view, begin }: { readonly view: ReadView } & Long,
  organizationId: string,
  { radius_km: radiusKm, site_id, ...place }: Around,
  most: number,
): Promise<Nearest> {
  const found: Found[] = []
  let total = 0
  function keepNearest(): void {
    found.sort((a, b) => a.distance - b.distance)
    found.length = Math.min(found.length, most)
  }
  const reach = radiusKm / kmPerDegree
  const ranges = longitudeRanges(place, radiusKm)
  const last = cellOf(Math.min(90, place.latitude + reach))
  const read = await begin()
  try {
    for (let row = cellOf(Math.max(-90, place.latitude - reach)); row <= last; row++) {
      const group = [organizationId, row]
      if (read.isOver()) await read.pause()
      if (view.total(chargePointsTable, 'byCell', group) === 0) continue
      for (const [west, east] of ranges) {
        const between = { from: [cellOf(west)], to: [cellOf(east) + 1] }
        const list = { index: 'byCell', group }
        for await (const chargePoints of walkWithin(read, { view, table: chargePointsTable, list, between }))
          for (const chargePoint of chargePoints) {
            const distance = distanceKm(place, chargePoint)
            if (distance > radiusKm || (site_id !== undefined && chargePoint.site_id !== site_id)) continue
            total++
            found.push({ chargePoint, distance })
            if (found.length >= most + sortedAtOnce) keepNearest()
          }
      }
    }
    keepNearest()
    return { found, total }
  } finally {
    read.end()
  }
}

const searchChargePoints = area.list('/chargepoints/search', {
  operationId: 'searchChargePoints',
  summary: 'List the charge points around a location, the nearest first',
  filters: {
    latitude: Type.Number({ minimum: -90, maximum: 90, description: 'The latitude of the centre, in degrees.' }),
    longitude: Type.Number({ minimum: -180, maximum: 180, description: 'The longitude of the centre, in degrees.' }),
    radius_km: Type.Number({
      exclusiveMinimum: 0,
      maximum: 500,
      default: 10,
      description: 'Returns only charge points within this distance of the centre.',
    }),
    site_id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Returns only charge points of this site.' }),
    ),
  },
  name: 'charge_points',
  row: Type.Object({ ...chargePointSchema.properties, distance_km: Type.Number() }),
  perPage: 50,
  maximum: 200,
  async read({ principal, query }, services) {
    const showing = showingOf(services)
    const { organization_id } = principal.organization
    const reads = { view: showing.view, begin: services.longReads.of(organization_id) }
    const { offset, limit } = query
    const { found, total } = await searchAround(reads, organization_id, query, offset + limit)
    const rows = pageOf(found, query).map(({ chargePoint, distance }) => ({
      ...chargePointView(chargePoint, showing),
      distance_km: Math.round(distance * 1_000) / 1_000,
    }))
    return { rows, total }
  },
})

export const chargePointSearchRoutes = [searchChargePoints]
