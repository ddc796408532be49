// The map of lights: each charge point that is shown is a light at its place. Those that are available glow faintly, those that charge brightly, and faults lie on top as
// triangles; a ring is around what was lost together. Nothing of it comes from elsewhere.

import { useEffect, useRef } from 'preact/hooks'
import { fleet, onFleetChange } from '../../client/fleet.js'
import { theme } from '../../client/theme.js'
import { Button } from '../../parts/button.js'
import { themeColors } from '../../parts/canvas.js'
import { latitudeOf, piecesOf } from './map-data.js'
import {
  drawLand,
  drawLayer,
  drawLights,
  drawNames,
  drawRings,
  fineFrom,
  leastScale,
  mostScale,
  nearest,
  newLayer,
  type Ring,
  type Scene,
  wholeView,
} from './map-drawing.js'
import { looksOf, type View } from './map-lights.js'

export interface MapProps {
  readonly rows: Int32Array
  readonly rings: readonly Ring[]
  readonly onOpen: (id: string) => void
}

const redrawMs = 1_000
const moveMs = 16
const afterRowsMs = 100

/** Another one where other rings are drawn: those around charge points that have not come yet are not. */
const ringsText = (rings: readonly Ring[]): string =>
  rings.map(({ text, ids }) => `${text} ${ids.map((id) => fleet.placeOf(id))}`).join('\n')

export function FleetMap(props: MapProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const view = useRef<View>(undefined)
  const latest = useRef(props)
  latest.current = props
  const redraw = useRef(() => {})
  const follow = useRef(() => {})
  const themeName = theme.value

  useEffect(() => {
    const element = canvas.current
    const context = element?.getContext('2d')
    if (element === null || context === null || context === undefined) return undefined
    let frame: number | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let isSeen = true
    let painted: readonly unknown[] = []
    const [land, names] = [newLayer(), newLayer()]
    const paint = (): void => {
      frame = undefined
      clearTimeout(timer)
      timer = undefined
      const { width, height } = element.getBoundingClientRect()
      if (width === 0 || height === 0 || !isSeen) return
      const { rows, rings } = latest.current
      if (view.current === undefined && rows.length > 0) view.current = wholeView(rows, width, height)
      const now = view.current ?? { scale: width, x: width / 2, y: height / 2 }
      const pixels = devicePixelRatio || 1
      const scene: Scene = { context, width, height, view: now, color: themeColors() }
      const box = [
        Math.max(-180, ((0 - now.x) / now.scale) * 360),
        latitudeOf((height - now.y) / now.scale),
        Math.min(179.9, ((width - now.x) / now.scale) * 360),
        latitudeOf((0 - now.y) / now.scale),
      ] as const
      const pieces = piecesOf(box, now.scale >= fineFrom, soon)
      const place = [now.scale, now.x, now.y, width, height, pixels, ...pieces]
      const shown = [looksOf(rows), ringsText(rings), ...place]
      // Most of what changes in a fleet changes no light.
      if (shown.length === painted.length && shown.every((one, at) => one === painted[at])) return
      painted = shown
      const size = [Math.round(width * pixels), Math.round(height * pixels)] as const
      if (element.width !== size[0] || element.height !== size[1]) [element.width, element.height] = size
      drawLayer(land, scene, pixels, place, (one) => drawLand(one, pieces, pixels))
      drawLights(scene, rows)
      drawLayer(names, scene, pixels, place, (one) => drawNames(one, pieces))
      drawRings(scene, rings)
    }
    function soon(): void {
      frame ??= requestAnimationFrame(paint)
    }
    /** After the frame with all else that has changed: rows are waited for. */
    function later(): void {
      clearTimeout(timer)
      timer = setTimeout(soon, afterRowsMs)
    }
    redraw.current = soon
    follow.current = later
    later()
    const resized = new ResizeObserver(() => (painted.length > 0 ? soon() : later()))
    resized.observe(element)
    const seen = new IntersectionObserver(([entry]) => {
      isSeen = entry?.isIntersecting === true
      if (isSeen) later()
    })
    seen.observe(element)
    const end = onFleetChange(later, redrawMs)
    let wheelAt = 0
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault()
      if (event.timeStamp - wheelAt < moveMs) return
      wheelAt = event.timeStamp
      zoom(event.deltaY < 0 ? 1.25 : 0.8, event.offsetX, event.offsetY)
    }
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => {
      if (frame !== undefined) cancelAnimationFrame(frame)
      clearTimeout(timer)
      resized.disconnect()
      seen.disconnect()
      end()
      element.removeEventListener('wheel', onWheel)
    }
  }, [themeName])

  useEffect(() => follow.current(), [props.rows, props.rings])

  function zoom(factor: number, x?: number, y?: number): void {
    const element = canvas.current
    const now = view.current
    if (element === null || now === undefined) return
    const scale = Math.max(leastScale, Math.min(mostScale, now.scale * factor))
    const real = scale / now.scale
    const [atX, atY] = [x ?? element.clientWidth / 2, y ?? element.clientHeight / 2]
    view.current = { scale, x: atX - (atX - now.x) * real, y: atY - (atY - now.y) * real }
    redraw.current()
  }

  const drag = useRef<{ x: number; y: number; moved: boolean }>(undefined)

  return (
    <section class="panel fleet-map" aria-label="Map">
      <canvas
        ref={canvas}
        role="img"
        aria-label="Map of the charge points that are shown; the table has the same content"
        onPointerDown={(event) => {
          drag.current = { x: event.clientX, y: event.clientY, moved: false }
          event.currentTarget.setPointerCapture(event.pointerId)
        }}
        onPointerMove={(event) => {
          const [from, now] = [drag.current, view.current]
          if (from === undefined || now === undefined) return
          const [dx, dy] = [event.clientX - from.x, event.clientY - from.y]
          if (!from.moved && Math.hypot(dx, dy) < 4) return
          drag.current = { x: event.clientX, y: event.clientY, moved: true }
          view.current = { ...now, x: now.x + dx, y: now.y + dy }
          redraw.current()
        }}
        onPointerUp={(event) => {
          const wasMoved = drag.current?.moved === true
          drag.current = undefined
          if (wasMoved || view.current === undefined) return
          const id = nearest(latest.current.rows, view.current, event.offsetX, event.offsetY)
          if (id !== undefined) latest.current.onOpen(id)
        }}
      />
      <div class="map-zoom">
        <Button small icon="plus" label="Zoom in" onClick={() => zoom(1.6)} />
        <Button small icon="minus" label="Zoom out" onClick={() => zoom(1 / 1.6)} />
        <Button
          small
          icon="maximize"
          label="All that are shown"
          onClick={() => {
            const element = canvas.current
            if (element !== null) view.current = wholeView(props.rows, element.clientWidth, element.clientHeight)
            redraw.current()
          }}
        />
      </div>
      <small class="map-source">Natural Earth, GeoNames (CC BY 4.0)</small>
    </section>
  )
}
