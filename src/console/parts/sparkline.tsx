// The course of a figure in a few pixels: where it went, without axes. Null is a gap.

import { Canvas } from './canvas.js'

export interface SparklineProps {
  readonly values: readonly (number | null)[]
  /** A variable of the theme. */
  readonly color?: string
  readonly label?: string
  /** It shows the figure between its least and its most, for one that is never near nothing. */
  readonly isBetween?: boolean
}

export function Sparkline({ values, color = '--chart-2', label, isBetween = false }: SparklineProps) {
  return (
    <Canvas
      class="sparkline"
      {...(label !== undefined && { label })}
      depends={[values, color, isBetween]}
      draw={({ context, width, height, color: colorOf }) => {
        const known = values.filter((value) => value !== null)
        if (known.length < 2) return
        const low = isBetween ? Math.min(...known) : Math.min(0, ...known)
        const span = Math.max(...known) - low || 1
        context.beginPath()
        let isUp = true
        for (const [at, value] of values.entries()) {
          if (value === null) {
            isUp = true
            continue
          }
          const x = (at / (values.length - 1)) * width
          const y = height - 2 - ((value - low) / span) * (height - 4)
          if (isUp) context.moveTo(x, y)
          else context.lineTo(x, y)
          isUp = false
        }
        context.strokeStyle = colorOf(color)
        context.lineWidth = 1.4
        context.lineJoin = 'round'
        context.stroke()
      }}
    />
  )
}
