// The typeface of documents, Noto Sans: one file a weight and script. Text is cut into runs that one file can show; a character that
// none has is shown as U+FFFD, never left out.

import { readFileSync } from 'node:fs'
import { assetPath } from '../../runtime/assets.js'
import { type CodePoints, codePointsOf } from './code-points.js'
import { sfntOfWoff } from './woff.js'

export type Weight = 'regular' | 'bold'

/** In the order in which they are asked for a character. */
const scripts = [
  'latin',
  'latin-ext',
  'greek',
  'cyrillic',
  'cyrillic-ext',
  'vietnamese',
  'greek-ext',
  'devanagari',
] as const
export type Script = (typeof scripts)[number]

export const weights = { regular: 400, bold: 600 } as const
const folder = assetPath('fonts/noto-sans')

/** What stands for a character that the typeface does not have. */
export const replacement = '\u{fffd}'

let coverage: ReadonlyMap<Script, readonly CodePoints[]> | undefined
const files = new Map<string, Buffer>()

function readCoverage(): ReadonlyMap<Script, readonly CodePoints[]> {
  const ranges = JSON.parse(readFileSync(`${folder}/unicode.json`, 'utf8')) as Readonly<Record<Script, string>>
  return new Map(scripts.map((script) => [script, codePointsOf(ranges[script])]))
}

/** Of Noto Sans itself; undefined where it does not have the character. */
export function scriptOf(codePoint: number): Script | undefined {
  coverage ??= readCoverage()
  for (const [script, ranges] of coverage)
    if (ranges.some(({ from, to }) => codePoint >= from && codePoint <= to)) return script
  return undefined
}

export interface Run {
  readonly script: Script
  readonly text: string
}

/** Composed, on one line, without what has no place in print (controls, marks of direction). */
function printable(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\s+/gu, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
}

/** As the first layout drew text. A blank belongs to the run before it: every file has one. */
export function runsOf(text: string): Run[] {
  const runs: { script: Script; text: string }[] = []
  for (const character of printable(text)) {
    const last = runs.at(-1)
    const found = scriptOf(character.codePointAt(0) as number)
    const script = character === ' ' || found === undefined ? (last?.script ?? 'latin') : found
    const shown = found === undefined ? replacement : character
    const home = found === undefined ? 'latin' : script
    if (last !== undefined && last.script === home) last.text += shown
    else runs.push({ script: home, text: shown })
  }
  return runs
}

export function fontName(script: Script, weight: Weight): string {
  return `${script}-${weight}`
}

/** The font file of a name that fontName made, as bytes that pdfkit takes. */
export function fontFile(script: Script, weight: Weight): Buffer {
  const name = fontName(script, weight)
  let file = files.get(name)
  if (file === undefined) {
    file = sfntOfWoff(readFileSync(`${folder}/noto-sans-${script}-${weights[weight]}-normal.woff`))
    files.set(name, file)
  }
  return file
}
