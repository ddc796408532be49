// A document on A4: text in one typeface with wrapping and alignment, rules, and new pages. Knows nothing of what is printed.
// The same calls give the same bytes: the times and the file's id come from what is given, not from the clock.

import PDFDocument from 'pdfkit'
import type { PaperLayout } from '../actors/records/issuer.js'
import { fontFile, fontName, type Run, replacement, runsOf, type Weight } from './fonts.js'

export const colors = {
  ink: '#1b1f24',
  muted: '#667080',
  line: '#d9dee5',
  accent: '#0f766e',
} as const

export const sheet = { width: 595.28, height: 841.89, margin: 56, footer: 92 } as const
export const contentWidth = sheet.width - 2 * sheet.margin
/** No text goes below it but the footer's. */
const bottom = sheet.height - sheet.footer

export interface TextStyle {
  readonly size?: number
  readonly weight?: Weight
  readonly color?: string
  readonly align?: 'left' | 'right'
  /** Lines are broken at this width; without it there is one line. */
  readonly width?: number
  readonly lineHeight?: number
}

export interface DocumentInfo {
  readonly title: string
  readonly author: string
  /** ms; the document's CreationDate. */
  readonly at: number
  /** Of the document; undefined is the first one. */
  readonly layout: PaperLayout | undefined
}

export interface Sheet {
  /** Where the next thing goes, in points from the top. */
  y: number
  /** Draws text with its upper edge at `y` and returns its height. With align right, `x` is the right edge. */
  text(text: string, x: number, y: number, style?: TextStyle): number
  readonly layout: PaperLayout | undefined
  /** `text` and `end` on one line of the style's width: text that is too long ends with an ellipsis. */
  shortened(text: string, end: string, style: TextStyle & { readonly width: number }): string
  /** The height that text would take. */
  heightOf(text: string, style: TextStyle): number
  /** Across the content, or from `x` on. */
  rule(y: number, color?: string, thickness?: number, x?: number): void
  /** Whether `height` still fits above the footer. */
  fits(height: number): boolean
  newPage(): void
  /** Whether a character was shown as a replacement. */
  readonly replaced: boolean
  /** Draws the footer of every page, and ends the document. */
  finish(footer: (page: number, pages: number) => void): Promise<Buffer>
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

const defaults = { size: 9.5, weight: 'regular', color: colors.ink, align: 'left', lineHeight: 1.4 } as const
/** Of the typeface: how far its baseline is below the upper edge of a line, in sizes. */
const ascent = 1.069

export function openSheet({ title, author, at, layout }: DocumentInfo): Sheet {
  const created = new Date(at)
  const pdf = new PDFDocument({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    lang: 'en',
    displayTitle: true,
    info: {
      Title: title,
      Author: author,
      Producer: 'ampshard',
      Creator: 'ampshard',
      CreationDate: created,
      ModDate: created,
    },
  })
  const chunks: Buffer[] = []
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<Buffer>((resolve, reject) => {
    pdf.on('end', () => resolve(Buffer.concat(chunks)))
    pdf.on('error', reject)
  })
  const registered = new Set<string>()
  let replaced = false

  function use({ script }: Run, weight: Weight, size: number): void {
    const name = fontName(script, weight)
    if (!registered.has(name)) {
      registered.add(name)
      pdf.registerFont(name, fontFile(script, weight) as unknown as string)
    }
    pdf.font(name).fontSize(size)
  }

  const widths = new Map<string, number>()
  function widthOf(text: string, weight: Weight, size: number): number {
    const name = `${weight} ${size} ${text}`
    let width = widths.get(name)
    if (width === undefined) {
      width = measure(text, weight, size)
      widths.set(name, width)
    }
    return width
  }

  function measure(text: string, weight: Weight, size: number): number {
    let width = 0
    for (const run of runsOf(text)) {
      use(run, weight, size)
      width += pdf.widthOfString(run.text)
    }
    return width
  }

  /** A word that is wider than a line is cut. */
  function* piecesOf(word: string, width: number, weight: Weight, size: number): Generator<string> {
    let piece = ''
    for (const character of word) {
      if (piece !== '' && widthOf(piece + character, weight, size) > width) {
        yield piece
        piece = ''
      }
      piece += character
    }
    yield piece
  }

  function linesOf(text: string, { size, weight, width }: { size: number; weight: Weight; width?: number }): string[] {
    if (width === undefined || widthOf(text, weight, size) <= width) return [text]
    const lines: string[] = []
    let line = ''
    for (const word of text.split(/\s+/u)) {
      const longer = line === '' ? word : `${line} ${word}`
      if (widthOf(longer, weight, size) <= width) {
        line = longer
        continue
      }
      if (line !== '') lines.push(line)
      const pieces = [...piecesOf(word, width, weight, size)]
      line = pieces.pop() ?? ''
      lines.push(...pieces)
    }
    lines.push(line)
    return lines
  }

  function drawLine(line: string, x: number, y: number, style: Required<Omit<TextStyle, 'width'>>): void {
    const { size, weight, color, align } = style
    let at = align === 'right' ? x - widthOf(line, weight, size) : x
    for (const run of runsOf(line)) {
      if (run.text.includes(replacement)) replaced = true
      use(run, weight, size)
      pdf.fillColor(color).text(run.text, at, y + ascent * size, { lineBreak: false, baseline: 'alphabetic' })
      at += pdf.widthOfString(run.text)
    }
  }

  return {
    y: sheet.margin,
    text(text, x, y, style = {}) {
      const full = { ...defaults, ...style }
      const lines = linesOf(text, full)
      const height = full.size * full.lineHeight
      for (const [index, line] of lines.entries()) drawLine(line, x, y + index * height, full)
      return lines.length * height
    },
    heightOf(text, style) {
      const full = { ...defaults, ...style }
      return linesOf(text, full).length * full.size * full.lineHeight
    },
    layout,
    shortened(text, end, style) {
      const { size, weight, width } = { ...defaults, ...style }
      if (widthOf(text + end, weight, size) <= width) return text + end
      const characters = [...graphemes.segment(text)].map(({ segment }) => segment)
      let [fits, tooMany] = [0, characters.length]
      while (tooMany - fits > 1) {
        const middle = Math.floor((fits + tooMany) / 2)
        if (widthOf(`${characters.slice(0, middle).join('')}…${end}`, weight, size) <= width) fits = middle
        else tooMany = middle
      }
      return `${characters.slice(0, fits).join('')}…${end}`
    },
    rule(y, color = colors.line, thickness = 0.6, x = sheet.margin) {
      pdf
        .moveTo(x, y)
        .lineTo(sheet.width - sheet.margin, y)
        .lineWidth(thickness)
        .strokeColor(color)
        .stroke()
    },
    fits(height) {
      return this.y + height <= bottom
    },
    newPage() {
      pdf.addPage()
      this.y = sheet.margin
    },
    get replaced() {
      return replaced
    },
    finish(footer) {
      const { count } = pdf.bufferedPageRange()
      for (let page = 0; page < count; page++) {
        pdf.switchToPage(page)
        footer(page + 1, count)
      }
      pdf.end()
      return ended
    },
  }
}
