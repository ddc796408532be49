// A drawing: a canvas in the pixels of the device, drawn anew when its size, the theme or what it shows changes. Colours are the variables of the theme.

import { useEffect, useRef } from 'preact/hooks'
import { theme } from '../client/theme.js'

export interface Drawing {
  readonly context: CanvasRenderingContext2D
  /** In CSS pixels. */
  readonly width: number
  readonly height: number
  /** The value of a variable of the theme: `color('--chart-1')`. */
  readonly color: (variable: string) => string
}

export interface CanvasProps {
  /** What it shows, for who does not see it; absent where words beside it say the same. */
  readonly label?: string
  readonly draw: (drawing: Drawing) => void
  /** What `draw` uses. */
  readonly depends: readonly unknown[]
  readonly class?: string
}

/** The values of the theme's variables as they are now. */
export function themeColors(): (variable: string) => string {
  const style = getComputedStyle(document.documentElement)
  return (variable) => style.getPropertyValue(variable).trim()
}

export function Canvas({ label, draw, depends, ...rest }: CanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const drawing = useRef(draw)
  drawing.current = draw
  const themeName = theme.value

  useEffect(() => {
    const element = canvas.current
    if (element === null) return undefined
    let painted = ''
    const paint = (): void => {
      const { width, height } = element.getBoundingClientRect()
      // The observer begins with the size that there is.
      const size = `${width} ${height}`
      if (size === painted) return
      painted = size
      const context = element.getContext('2d')
      if (width === 0 || height === 0 || context === null) return
      const scale = devicePixelRatio || 1
      element.width = Math.round(width * scale)
      element.height = Math.round(height * scale)
      context.scale(scale, scale)
      drawing.current({ context, width, height, color: themeColors() })
    }
    paint()
    const resized = new ResizeObserver(paint)
    resized.observe(element)
    return () => resized.disconnect()
  }, [themeName, ...depends])

  return label === undefined ? (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus
    <canvas ref={canvas} class={rest.class} aria-hidden="true" />
  ) : (
    <canvas ref={canvas} class={rest.class} role="img" aria-label={label} />
  )
}
