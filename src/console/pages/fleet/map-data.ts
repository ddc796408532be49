// The world behind the fleet, from this origin: coarsely at once, and finer where somebody looks closely.

import { places, prefix } from 'virtual:map-data'

export interface Piece {
  readonly box: readonly [west: number, south: number, east: number, north: number]
  /** In units of the projection: the world is 1 wide. */
  readonly land: Path2D
  readonly coast: Path2D
  readonly cities: readonly City[]
}

export interface City {
  readonly name: string
  readonly x: number
  readonly y: number
  /** Thousands. */
  readonly people: number
}

interface Stored {
  readonly scale: number
  readonly box: Piece['box']
  readonly land: readonly (readonly number[])[]
  readonly cities: readonly (readonly [name: string, longitude: number, latitude: number, people: number])[]
}

const known = new Set(places.split(' '))
const pieceDegrees = 30

const loading = new Map<string, Promise<Piece | undefined>>()
const loaded = new Map<string, Piece>()

/** Mercator: to the right and down. */
export const mapX = (longitude: number): number => longitude / 360
export const mapY = (latitude: number): number => {
  const radians = (Math.max(-85, Math.min(85, latitude)) * Math.PI) / 180
  return -Math.log(Math.tan(Math.PI / 4 + radians / 2)) / (2 * Math.PI)
}
export const latitudeOf = (y: number): number => (360 / Math.PI) * Math.atan(Math.exp(-y * 2 * Math.PI)) - 90

function pieceOf({ scale, box, land, cities }: Stored): Piece {
  const [west, south, east, north] = box
  const [area, coast] = [new Path2D(), new Path2D()]
  for (const numbers of land) {
    let [longitude, latitude] = [0, 0]
    let isAtEdge = false
    for (let at = 0; at < numbers.length; at += 2) {
      const before = [longitude, latitude]
      longitude += (numbers[at] as number) / scale
      latitude += (numbers[at + 1] as number) / scale
      const [x, y] = [mapX(longitude), mapY(latitude)]
      // Where land was cut, there is no coast.
      const along = (value: number, last: number | undefined, edges: readonly number[]): boolean =>
        last !== undefined && edges.some((edge) => Math.abs(value - edge) < 1e-6 && Math.abs(last - edge) < 1e-6)
      isAtEdge = at > 0 && (along(longitude, before[0], [west, east]) || along(latitude, before[1], [south, north]))
      if (at === 0) area.moveTo(x, y)
      else area.lineTo(x, y)
      if (at === 0 || isAtEdge) coast.moveTo(x, y)
      else coast.lineTo(x, y)
    }
    area.closePath()
  }
  return {
    box,
    land: area,
    coast,
    cities: cities.map(([name, longitude, latitude, people]) => ({
      name,
      x: mapX(longitude),
      y: mapY(latitude),
      people,
    })),
  }
}

async function load(name: string): Promise<Piece | undefined> {
  if (!known.has(name)) return undefined
  const response = await fetch(`${prefix}${name}.json`)
  if (!response.ok) throw new Error(`the map was answered ${response.status}`)
  const piece = pieceOf((await response.json()) as Stored)
  loaded.set(name, piece)
  return piece
}

function wanted(box: Piece['box'], isFine: boolean): readonly string[] {
  if (!isFine) return ['world']
  const [west, south, east, north] = box.map(
    (degrees) => Math.floor(degrees / pieceDegrees) * pieceDegrees,
  ) as unknown as Piece['box']
  const names: string[] = []
  for (let x = west; x <= east; x += pieceDegrees)
    for (let y = south; y <= north; y += pieceDegrees) names.push(`${x}_${y}`)
  return names.filter((name) => known.has(name))
}

/** What there is of a part of the world; `then` is called when more of it has come. */
export function piecesOf(box: Piece['box'], isFine: boolean, then: () => void): readonly Piece[] {
  const names = wanted(box, isFine)
  for (const name of names)
    if (!loading.has(name)) {
      const promise = load(name)
      loading.set(name, promise)
      promise.then(then, () => loading.delete(name))
    }
  const fine = names.map((name) => loaded.get(name))
  const world = loaded.get('world')
  if (isFine && fine.every((piece) => piece !== undefined)) return fine as readonly Piece[]
  return world === undefined ? [] : [world]
}
