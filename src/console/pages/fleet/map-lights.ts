// Where lights are on the canvas, state by state. In arrays of numbers: the lights of 100,000 charge points change while somebody scrolls their table.

import { fleet } from '../../client/fleet.js'
import { fleetStates } from '../../client/fleet-store.js'
import { mapX, mapY } from './map-data.js'

export interface View {
  /** Px of the width of the world. */
  scale: number
  /** Px at which its middle is. */
  x: number
  y: number
}

/** The map as it is on the screen, px. */
export interface Sight {
  readonly width: number
  readonly height: number
  readonly view: View
}

export interface Points {
  readonly x: Float32Array
  readonly y: Float32Array
}

/** Px around the map, of lights that are half on it. */
const margin = 4

/** Those with a place. */
export const isPlaced = (row: number): boolean => fleet.latitude[row] !== 0 || fleet.longitude[row] !== 0

/** By row, on a map that is 1 wide, and of which latitude: a row that stays where it is takes its logarithm once. */
let known = { y: new Float64Array(0), latitude: new Float64Array(0) }

function yOf(row: number): number {
  const latitude = fleet.latitude[row] as number
  if (known.latitude[row] !== latitude) {
    if (row >= known.latitude.length) grow()
    known.latitude[row] = latitude
    known.y[row] = mapY(latitude)
  }
  return known.y[row] as number
}

function grow(): void {
  const before = known
  const room = fleet.latitude.length
  known = { y: new Float64Array(room), latitude: new Float64Array(room).fill(Number.NaN) }
  known.y.set(before.y)
  known.latitude.set(before.latitude)
}

/** On the canvas, px. */
export function placeOnMap(row: number, { scale, x, y }: View): readonly [number, number] {
  return [mapX(fleet.longitude[row] as number) * scale + x, yOf(row) * scale + y]
}

/** Those of `rows` that are seen, by the number of their state. */
export function lightsOf(rows: Int32Array, { view, width, height }: Sight): readonly Points[] {
  const nowhere = fleetStates.length
  const all = { x: new Float32Array(rows.length), y: new Float32Array(rows.length) }
  const stateOf = new Uint8Array(rows.length).fill(nowhere)
  const starts = new Uint32Array(nowhere + 1)
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as number
    if (!isPlaced(row)) continue
    const x = mapX(fleet.longitude[row] as number) * view.scale + view.x
    const y = yOf(row) * view.scale + view.y
    if (x < -margin || y < -margin || x > width + margin || y > height + margin) continue
    const state = fleet.state[row] as number
    all.x[at] = x
    all.y[at] = y
    stateOf[at] = state
    starts[state + 1] = (starts[state + 1] as number) + 1
  }
  for (let state = 0; state < nowhere; state++)
    starts[state + 1] = (starts[state + 1] as number) + (starts[state] as number)
  const sorted = { x: new Float32Array(rows.length), y: new Float32Array(rows.length) }
  const next = starts.slice()
  for (let at = 0; at < rows.length; at++) {
    const state = stateOf[at] as number
    if (state === nowhere) continue
    const to = next[state] as number
    next[state] = to + 1
    sorted.x[to] = all.x[at] as number
    sorted.y[to] = all.y[at] as number
  }
  return fleetStates.map((_, state) => ({
    x: sorted.x.subarray(starts[state], starts[state + 1]),
    y: sorted.y.subarray(starts[state], starts[state + 1]),
  }))
}

/** More on top of each other look the same. */
const mostOfPile = 8
let counts = new Uint8Array(0)

/**
 * The places of one light, of two, and so on: a city has hundreds on a pixel, and to draw each of 100,000 takes a tenth of a second. Places are the
 * middles of cells of so many px; `begin` is told how many lie on each that follows.
 */
export function eachPile(
  { x, y }: Points,
  cell: number,
  { width, height }: Omit<Sight, 'view'>,
  begin: (lights: number) => void,
  act: (x: number, y: number) => void,
): void {
  const across = Math.ceil((width + 2 * margin) / cell) + 1
  const room = across * (Math.ceil((height + 2 * margin) / cell) + 1)
  if (counts.length < room) counts = new Uint8Array(room)
  const cells = new Uint32Array(x.length)
  let found = 0
  for (let at = 0; at < x.length; at++) {
    const place =
      Math.floor(((y[at] as number) + margin) / cell) * across + Math.floor(((x[at] as number) + margin) / cell)
    const count = counts[place] as number
    if (count === 0) cells[found++] = place
    if (count < mostOfPile) counts[place] = count + 1
  }
  try {
    for (let lights = 1; lights <= mostOfPile; lights++) {
      begin(lights)
      for (let at = 0; at < found; at++) {
        const place = cells[at] as number
        if (counts[place] !== lights) continue
        act(((place % across) + 0.5) * cell - margin, (Math.floor(place / across) + 0.5) * cell - margin)
      }
    }
  } finally {
    for (let at = 0; at < found; at++) counts[cells[at] as number] = 0
  }
}

const mixed = (sum: number, value: number): number => Math.imul(sum ^ value, 16_777_619)

/** Another number where other lights are to be seen, or in another order. */
export function looksOf(rows: Int32Array): number {
  const { latitude, longitude, state } = fleet
  let sum = rows.length
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as number
    sum = mixed(sum, row * 16 + (state[row] as number))
    // A tenth of a metre.
    sum = mixed(sum, (longitude[row] as number) * 1e6)
    sum = mixed(sum, (latitude[row] as number) * 1e6)
  }
  return sum
}
