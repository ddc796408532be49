// What is on the map of lights, as drawings: land and names, which stay until somebody moves the map, and lights, faults and rings, which change with the fleet.

import { fleet } from '../../client/fleet.js'
import { fleetStates } from '../../client/fleet-store.js'
import { mapX, mapY, type Piece } from './map-data.js'
import { eachPile, isPlaced, lightsOf, type Points, placeOnMap, type Sight, type View } from './map-lights.js'

export interface Ring {
  readonly text: string
  readonly ids: readonly string[]
}

export const leastScale = 200
export const mostScale = 20_000_000
export const fineFrom = 2_400

/** Where all of them are seen; all but the outermost, where one stands at the wrong place. */
export function wholeView(rows: Int32Array, width: number, height: number): View {
  const placed = rows.filter(isPlaced)
  if (placed.length === 0) return { scale: width * 1.2, x: width / 2, y: height / 2 }
  const bounds = (value: (row: number) => number): readonly [number, number] => {
    const sorted = Float64Array.from(placed, value).sort()
    const cut = Math.floor(sorted.length * 0.005)
    return [sorted[cut] as number, sorted[sorted.length - 1 - cut] as number]
  }
  const [west, east] = bounds((row) => mapX(fleet.longitude[row] as number))
  const [north, south] = bounds((row) => mapY(fleet.latitude[row] as number))
  const room = Math.min((width * 0.84) / Math.max(east - west, 1e-9), (height * 0.8) / Math.max(south - north, 1e-9))
  const scale = Math.max(leastScale, Math.min(room, 400_000))
  return { scale, x: width / 2 - (scale * (west + east)) / 2, y: height / 2 - (scale * (north + south)) / 2 }
}

/** How a light looks, by state. */
const looks: Readonly<Record<string, { readonly variable: string; readonly alpha: number; readonly size: number }>> = {
  Available: { variable: '--st-available', alpha: 0.6, size: 1 },
  Offline: { variable: '--st-offline', alpha: 0.6, size: 1 },
  Unavailable: { variable: '--st-unavailable', alpha: 0.6, size: 1 },
  Preparing: { variable: '--st-preparing', alpha: 0.8, size: 1 },
  Finishing: { variable: '--st-finishing', alpha: 0.8, size: 1 },
  Reserved: { variable: '--st-reserved', alpha: 0.8, size: 1 },
  SuspendedEV: { variable: '--st-suspendedev', alpha: 0.8, size: 1 },
  SuspendedEVSE: { variable: '--st-suspendedevse', alpha: 0.9, size: 1 },
  Charging: { variable: '--fi-charging', alpha: 0.95, size: 1 },
}
const drawnOrder = [
  'Available',
  'Unavailable',
  'Offline',
  'Reserved',
  'Finishing',
  'Preparing',
  'SuspendedEV',
  'SuspendedEVSE',
  'Charging',
]
const faulted = fleetStates.indexOf('Faulted')

export interface Scene extends Sight {
  readonly context: CanvasRenderingContext2D
  readonly color: (variable: string) => string
}

/** A drawing that is kept as long as what it depends on is the same: coasts and names cost more than all lights. */
interface Layer {
  readonly canvas: HTMLCanvasElement
  depends: readonly unknown[]
}

export const newLayer = (): Layer => ({ canvas: document.createElement('canvas'), depends: [] })

export function drawLayer(
  layer: Layer,
  scene: Scene,
  pixels: number,
  depends: readonly unknown[],
  draw: (scene: Scene) => void,
): void {
  const { canvas } = layer
  const isSame = depends.length === layer.depends.length && depends.every((one, at) => one === layer.depends[at])
  if (!isSame) {
    layer.depends = depends
    canvas.width = Math.round(scene.width * pixels)
    canvas.height = Math.round(scene.height * pixels)
    const context = canvas.getContext('2d')
    if (context === null) return
    context.setTransform(pixels, 0, 0, pixels, 0, 0)
    draw({ ...scene, context })
  }
  scene.context.setTransform(1, 0, 0, 1, 0, 0)
  scene.context.drawImage(canvas, 0, 0)
  scene.context.setTransform(pixels, 0, 0, pixels, 0, 0)
}

export function drawLand(
  { context, width, height, view, color }: Scene,
  pieces: readonly Piece[],
  pixels: number,
): void {
  context.fillStyle = color('--map-sea')
  context.fillRect(0, 0, width, height)
  context.setTransform(pixels * view.scale, 0, 0, pixels * view.scale, pixels * view.x, pixels * view.y)
  context.fillStyle = color('--map-land')
  for (const { land } of pieces) context.fill(land)
  context.strokeStyle = color('--map-line')
  context.lineWidth = 1 / view.scale
  for (const { coast } of pieces) context.stroke(coast)
  context.setTransform(pixels, 0, 0, pixels, 0, 0)
}

export function drawNames({ context, width, height, view, color }: Scene, pieces: readonly Piece[]): void {
  const taken: (readonly [number, number])[] = []
  const least = Math.max(60, 9_000_000 / view.scale)
  context.font = `500 11px ${getComputedStyle(document.body).fontFamily}`
  context.lineWidth = 3
  context.lineJoin = 'round'
  context.strokeStyle = color('--map-land')
  context.fillStyle = color('--map-city')
  const cities = pieces.flatMap((piece) => piece.cities).sort((a, b) => b.people - a.people)
  for (const { name, x, y, people } of cities) {
    if (people < least || taken.length >= 40) break
    const [px, py] = [x * view.scale + view.x, y * view.scale + view.y]
    if (px < 4 || py < 10 || px > width - 60 || py > height - 6) continue
    if (taken.some(([ox, oy]) => Math.abs(ox - px) < 74 && Math.abs(oy - py) < 16)) continue
    taken.push([px, py])
    context.globalAlpha = 0.85
    context.strokeText(name, px + 8, py + 4)
    context.globalAlpha = 1
    context.fillText(name, px + 8, py + 4)
  }
}

/** A disc, drawn once. */
function glowOf(radius: number, color: string): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.width = Math.ceil(radius * 2)
  canvas.height = canvas.width
  const context = canvas.getContext('2d')
  if (context === null) return canvas
  context.fillStyle = color
  context.beginPath()
  context.arc(radius, radius, radius, 0, 7)
  context.fill()
  return canvas
}

/** Px. Glows are so wide that it makes no difference where in it one is. */
const glowCell = 2

export function drawLights(scene: Scene, rows: Int32Array): void {
  const { context, view, color } = scene
  const by = lightsOf(rows, scene)
  const radius = view.scale > 400_000 ? 4 : view.scale > 60_000 ? 2.4 : view.scale > 15_000 ? 1.7 : 1.1
  const glow = glowOf(radius * 6, color('--fi-charging'))
  const onPiles = (points: Points, cell: number, alpha: number, act: (x: number, y: number) => void): void => {
    const begin = (lights: number): void => {
      context.globalAlpha = 1 - (1 - alpha) ** lights
    }
    eachPile(points, cell, scene, begin, act)
  }
  onPiles(by[fleetStates.indexOf('Charging')] as Points, glowCell, 0.035, (x, y) =>
    context.drawImage(glow, x - radius * 6, y - radius * 6),
  )
  for (const state of drawnOrder) {
    const points = by[fleetStates.indexOf(state as (typeof fleetStates)[number])] as Points
    const look = looks[state]
    if (look === undefined) continue
    context.fillStyle = color(look.variable)
    if (radius < 2)
      onPiles(points, 1, look.alpha, (x, y) => context.fillRect(x - radius, y - radius, 2 * radius, 2 * radius))
    else {
      context.globalAlpha = look.alpha
      context.beginPath()
      for (let at = 0; at < points.x.length; at++) {
        const [x, y] = [points.x[at] as number, points.y[at] as number]
        context.moveTo(x + radius, y)
        context.arc(x, y, radius, 0, 7)
      }
      context.fill()
    }
  }
  context.globalAlpha = 1
  drawFaults(context, by[faulted] as Points, color)
}

function drawFaults(context: CanvasRenderingContext2D, points: Points, color: Scene['color']): void {
  context.fillStyle = color('--fi-faulted')
  context.strokeStyle = color('--map-sea')
  context.lineWidth = 1.2
  const size = points.x.length > 2_000 ? 2.5 : 4
  for (let at = 0; at < points.x.length; at++) {
    const [x, y] = [points.x[at] as number, points.y[at] as number]
    context.beginPath()
    context.moveTo(x, y - size - 1)
    context.lineTo(x + size + 1, y + size)
    context.lineTo(x - size - 1, y + size)
    context.closePath()
    context.fill()
    context.stroke()
  }
}

export function drawRings({ context, view, color }: Scene, rings: readonly Ring[]): void {
  for (const { text, ids } of rings) {
    const points = ids.flatMap((id) => {
      const row = fleet.placeOf(id)
      return row === undefined || !isPlaced(row) ? [] : [placeOnMap(row, view)]
    })
    if (points.length === 0) continue
    const middle = (at: 0 | 1): number => points.reduce((sum, point) => sum + point[at], 0) / points.length
    const [x, y] = [middle(0), middle(1)]
    const radius = Math.min(160, Math.max(14, ...points.map(([px, py]) => Math.hypot(px - x, py - y) + 8)))
    context.strokeStyle = color('--text')
    context.lineWidth = 1.5
    context.setLineDash([3, 3])
    context.beginPath()
    context.arc(x, y, radius, 0, 7)
    context.stroke()
    context.setLineDash([])
    context.font = `560 11px ${getComputedStyle(document.body).fontFamily}`
    context.lineWidth = 3
    context.strokeStyle = color('--map-sea')
    context.strokeText(text, x + radius + 6, y + 4)
    context.fillStyle = color('--text')
    context.fillText(text, x + radius + 6, y + 4)
  }
}

/** The charge point nearest to a place of the canvas, within a finger. */
export function nearest(rows: Int32Array, view: View, x: number, y: number): string | undefined {
  let found: number | undefined
  let least = 12
  for (const row of rows) {
    if (!isPlaced(row)) continue
    const [rowX, rowY] = placeOnMap(row, view)
    const distance = Math.hypot(rowX - x, rowY - y)
    if (distance >= least) continue
    least = distance
    found = row
  }
  return found === undefined ? undefined : fleet.ids[found]
}
