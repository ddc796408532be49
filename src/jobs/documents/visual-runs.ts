// A line of text as it is drawn from left to right: cut where the direction changes (Unicode Standard Annex 9) and where the font does.

import { createRequire } from 'node:module'
import { replacement, type Script, scriptOf } from './fonts.js'
import type { ScriptFont, Typeface } from './scripts.js'

export interface VisualRun {
  readonly text: string
  /** Of Noto Sans, or a font of another script. */
  readonly font: Script | ScriptFont
}

const makeBidi = createRequire(import.meta.url)('bidi-js') as typeof import('bidi-js').default
const bidi = makeBidi()
const hasRightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
const joiner = /\u{200c}|\u{200d}/u

/** Composed, on one line, without what has no place in print; joiners shape the letters beside them, and stay. */
export function printableText(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\s+/gu, ' ')
    .replace(/(?!\u{200c}|\u{200d})[\p{Cc}\p{Cf}\p{Cs}]|\p{Variation_Selector}/gu, '')
}

interface Level {
  readonly text: string
  readonly level: number
}

/** Runs of one direction, in the order in which they stand (rule L2). */
function inVisualOrder(text: string): Level[] {
  if (!hasRightToLeft.test(text)) return [{ text, level: 0 }]
  const { levels } = bidi.getEmbeddingLevels(text, 'auto')
  const runs: { text: string; level: number }[] = []
  for (const [index, unit] of text.split('').entries()) {
    const level = levels[index] as number
    const last = runs.at(-1)
    if (last?.level === level) last.text += unit
    else runs.push({ text: unit, level })
  }
  for (let level = Math.max(...runs.map((run) => run.level)); level >= 1; level--)
    for (let from = 0; from < runs.length; from++) {
      let to = from
      while (to < runs.length && (runs[to] as Level).level >= level) to++
      if (to > from) runs.splice(from, to - from, ...runs.slice(from, to).reverse())
      from = to
    }
  return runs
}

const nameOf = (font: Script | ScriptFont): string => (typeof font === 'string' ? font : font.name)

function byFont(text: string, typeface: Typeface): VisualRun[] {
  const runs: { text: string; font: Script | ScriptFont }[] = []
  for (const character of text) {
    const codePoint = character.codePointAt(0) as number
    const last = runs.at(-1)
    if (joiner.test(character)) {
      // Noto Sans has joiners where it has letters that join.
      if (last !== undefined && (typeof last.font !== 'string' || last.font === 'devanagari')) last.text += character
      continue
    }
    const home = scriptOf(codePoint) ?? typeface.get(codePoint)
    const font = character === ' ' ? (last?.font ?? 'latin') : (home ?? 'latin')
    const shown = home === undefined && character !== ' ' ? replacement : character
    if (last !== undefined && nameOf(last.font) === nameOf(font)) last.text += shown
    else runs.push({ text: shown, font })
  }
  return runs
}

/** What stands alone from right to left is mirrored and turned here; letters are turned as they are shaped. */
function turned({ text, font }: VisualRun): VisualRun {
  if (typeof font !== 'string' && font.isRightToLeft) return { text, font }
  const characters = [...text].map((character) => bidi.getMirroredCharacter(character) ?? character)
  return { text: characters.reverse().join(''), font }
}

export function visualRunsOf(text: string, typeface: Typeface): VisualRun[] {
  return inVisualOrder(printableText(text)).flatMap(({ text: part, level }) => {
    const runs = byFont(part, typeface)
    return level % 2 === 0 ? runs : runs.reverse().map(turned)
  })
}
