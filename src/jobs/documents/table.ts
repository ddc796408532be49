// A table over pages: a header that comes again on each, right-aligned columns of figures, rows that are never cut by a page's end;
// and the column of sums below it.

import { colors, contentWidth, type Sheet, sheet } from './sheet.js'

export interface Column {
  readonly title: string
  /** Share of the width. */
  readonly share: number
  readonly align?: 'left' | 'right'
}

export interface Row {
  readonly cells: readonly string[]
  /** In small print below the first cell. */
  readonly note?: string
}

const padding = 7
const gap = 12
const left = sheet.margin
const right = sheet.width - sheet.margin
const heading = { size: 8, weight: 'bold', color: colors.muted } as const
const small = { size: 8, color: colors.muted } as const

/** The place of each column: its left and right edge. */
function placesOf(columns: readonly Column[]): { from: number; to: number }[] {
  const whole = columns.reduce((sum, { share }) => sum + share, 0)
  let at: number = left
  return columns.map(({ share }) => {
    const from = at
    at += (share / whole) * contentWidth
    return { from, to: at }
  })
}

function drawHeader(on: Sheet, columns: readonly Column[], places: readonly { from: number; to: number }[]): void {
  for (const [index, { title, align = 'left' }] of columns.entries()) {
    const place = places[index] as { from: number; to: number }
    on.text(title, align === 'right' ? place.to : place.from, on.y, { ...heading, align })
  }
  on.y += 16
  on.rule(on.y, colors.ink, 0.8)
}

/** `below` is the height of what must not stand on a page without a row of the table. */
export function drawTable(on: Sheet, columns: readonly Column[], rows: readonly Row[], below = 0): void {
  const places = placesOf(columns)
  drawHeader(on, columns, places)
  for (const [at, { cells, note }] of rows.entries()) {
    const styles = columns.map(({ align = 'left' }, index) => {
      const { from, to } = places[index] as { from: number; to: number }
      return align === 'right' ? ({ align } as const) : ({ align, width: to - from - gap } as const)
    })
    const heights = cells.map((cell, index) => on.heightOf(cell, styles[index] ?? {}))
    const noteStyle = { ...small, width: contentWidth * 0.6 }
    const noteHeight = note === undefined ? 0 : on.heightOf(note, noteStyle)
    const height = Math.max(...heights) + noteHeight + 2 * padding
    if (!on.fits(at === rows.length - 1 ? height + below : height)) {
      on.newPage()
      drawHeader(on, columns, places)
    }
    const top = on.y + padding
    for (const [index, cell] of cells.entries()) {
      const { from, to } = places[index] as { from: number; to: number }
      on.text(cell, columns[index]?.align === 'right' ? to : from, top, styles[index])
    }
    if (note !== undefined) on.text(note, left, top + (heights[0] ?? 0), noteStyle)
    on.y += height
    on.rule(on.y)
  }
}

export interface Sum {
  readonly label: string
  readonly amount: string
  readonly strong?: boolean
}

const sumsFrom = left + contentWidth * 0.52

export function heightOfSums(sums: readonly Sum[]): number {
  return sums.length * 18 + 42
}

/** Kept together: a total without what it is made of is moved to the next page with it. */
export function drawSums(on: Sheet, sums: readonly Sum[]): void {
  if (!on.fits(heightOfSums(sums))) on.newPage()
  on.y += 12
  for (const { label, amount, strong } of sums) {
    if (strong === true) {
      on.y += 2
      on.rule(on.y, colors.ink, 0.8, sumsFrom)
      const style = { size: 12.5, weight: 'bold' } as const
      on.text(label, sumsFrom, on.y + 8, style)
      on.text(amount, right, on.y + 8, { ...style, align: 'right' })
      on.y += 46
      continue
    }
    on.text(label, sumsFrom, on.y, { color: colors.muted })
    on.text(amount, right, on.y, { align: 'right' })
    on.y += 18
  }
}
