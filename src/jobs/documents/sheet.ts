// A document on A4: text in one typeface with wrapping and alignment, rules, and new pages. Knows nothing of what is printed.
// The same calls give the same bytes: the times and the file's id come from what is given, not from the clock.

import PDFDocument from 'pdfkit'
import type { PaperLayout } from '../../records/issuer.js'
import { fontFile, fontName, replacement, runsOf, type Script, scriptOf, type Weight, weights } from './fonts.js'
import { outlineEncoder } from './outline-encoder.js'
import type { ScriptFont, Typeface } from './scripts.js'
import { printableText, type VisualRun, visualRunsOf } from './visual-runs.js'

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
  /** What the document needs beside Noto Sans; not of the first layout. */
  readonly typeface?: Typeface
  /** Takes the characters that were drawn as a mark, because no font has them. */
  readonly unshown?: Set<string>
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
  /** Across the content, or from `x` on, or to `end`. */
  rule(y: number, color?: string, thickness?: number, x?: number, end?: number): void
  /** Whether `height` still fits above the footer. */
  fits(height: number): boolean
  newPage(): void
  /** Whether a character was shown as a replacement. */
  readonly replaced: boolean
  /** Draws the footer of every page, and ends the document. */
  finish(footer: (page: number, pages: number) => void): Promise<Buffer>
}

/** What the library keeps of the fonts of a document. */
interface OpenedFonts {
  readonly _font: { readonly name: string; readonly subset: { glyphEncoder: unknown } }
  readonly _fontFamilies: Record<string, unknown>
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

const defaults = { size: 9.5, weight: 'regular', color: colors.ink, align: 'left', lineHeight: 1.4 } as const
/** Of the typeface: how far its baseline is below the upper edge of a line, in sizes. */
const ascent = 1.069

export function openSheet({ title, author, at, layout, typeface, unshown }: DocumentInfo): Sheet {
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

  function use(font: Script | ScriptFont, weight: Weight, size: number): void {
    const name = typeof font === 'string' ? fontName(font, weight) : `${font.name} ${weight}`
    if (!registered.has(name)) {
      registered.add(name)
      if (typeof font === 'string') pdf.registerFont(name, fontFile(font, weight) as unknown as string)
      else openInstance(name, font, weight)
    }
    pdf.font(name).fontSize(size)
  }

  function openInstance(name: string, { bytes }: ScriptFont, weight: Weight): void {
    pdf.registerFont(name, bytes as unknown as string, { wght: weights[weight] } as unknown as string)
    pdf.font(name)
    const { _font: opened, _fontFamilies: families } = pdf as unknown as OpenedFonts
    opened.subset.glyphEncoder = outlineEncoder
    // All files of a package have one name, and the next one would be taken for this one.
    delete families[opened.name]
  }

  function runs(text: string): readonly VisualRun[] {
    if (layout !== undefined) return visualRunsOf(text, typeface ?? new Map())
    return runsOf(text).map(({ script, text: ofRun }) => ({ font: script, text: ofRun }))
  }

  /** Fonts of other scripts are shaped in one piece: word by word, right-to-left words would change places. */
  function shaping({ font }: VisualRun): { features?: PDFKit.Mixins.OpenTypeFeatures[] } {
    return typeof font === 'string' ? {} : { features: ['kern'] }
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
    for (const run of runs(text)) {
      use(run.font, weight, size)
      width += pdf.widthOfString(run.text, shaping(run))
    }
    return width
  }

  /** A word that is wider than a line is cut. */
  function* piecesOf(word: string, width: number, weight: Weight, size: number): Generator<string> {
    let piece = ''
    const characters = layout === undefined ? [...word] : [...graphemes.segment(word)].map(({ segment }) => segment)
    for (const character of characters) {
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

  function noteUnshown(line: string): void {
    for (const character of printableText(line)) {
      const codePoint = character.codePointAt(0) as number
      const isShown = /[\s\p{Cf}]/u.test(character) || scriptOf(codePoint) !== undefined || typeface?.has(codePoint)
      if (isShown !== true) unshown?.add(character)
    }
  }

  function drawLine(line: string, x: number, y: number, style: Required<Omit<TextStyle, 'width'>>): void {
    const { size, weight, color, align } = style
    let at = align === 'right' ? x - widthOf(line, weight, size) : x
    for (const run of runs(line)) {
      if (run.text.includes(replacement)) {
        replaced = true
        noteUnshown(line)
      }
      use(run.font, weight, size)
      const options = { ...shaping(run), lineBreak: false, baseline: 'alphabetic' } as const
      pdf.fillColor(color).text(run.text, at, y + ascent * size, options)
      at += pdf.widthOfString(run.text, shaping(run))
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
    rule(y, color = colors.line, thickness = 0.6, x = sheet.margin, end = sheet.width - sheet.margin) {
      pdf.moveTo(x, y).lineTo(end, y).lineWidth(thickness).strokeColor(color).stroke()
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
