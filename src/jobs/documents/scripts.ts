// The typefaces of the scripts that Noto Sans itself does not have: variable fonts, a package a script, cut by code points into many
// files. Only what a document needs is read and unpacked. Chinese, Japanese and Korean share code points and write them differently:
// which form is taken follows the other letters of the document, then the country of its issuer.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { assetPath } from '../../runtime/assets.js'
import { type CodePoints, codePointsOf } from './code-points.js'

const require = createRequire(import.meta.url)

export interface ScriptFont {
  /** One for each file. */
  readonly name: string
  /** A variable TrueType font. */
  readonly bytes: Buffer
  /** Whether its letters run from right to left. */
  readonly isRightToLeft: boolean
}

/** The fonts of a document by code point. */
export type Typeface = ReadonlyMap<number, ScriptFont>

const alphabets = [
  'sans-arabic',
  'sans-hebrew',
  'sans-thai',
  'sans-bengali',
  'sans-tamil',
  'sans-georgian',
  'sans-armenian',
] as const
const ideographs = ['sans-jp', 'sans-sc', 'sans-tc', 'sans-kr'] as const
type Package = (typeof alphabets)[number] | (typeof ideographs)[number] | 'emoji'

const rightToLeft: readonly Package[] = ['sans-arabic', 'sans-hebrew']
const formsOfCountry: Readonly<Record<string, Package>> = {
  JP: 'sans-jp',
  KR: 'sans-kr',
  TW: 'sans-tc',
  HK: 'sans-tc',
  MO: 'sans-tc',
}

function formsOf(text: string, country: string): Package {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'sans-jp'
  if (/\p{Script=Hangul}/u.test(text)) return 'sans-kr'
  return formsOfCountry[country] ?? 'sans-sc'
}

interface File {
  /** In the folder of fonts. */
  readonly path: string
  readonly ranges: readonly CodePoints[]
}

function isAlphabet(name: Package): boolean {
  return alphabets.some((alphabet) => alphabet === name)
}

/** The packages of ideographs claim letters of other alphabets (Khmer, for one) and do not have them. */
const mayBeIdeographic =
  /[\p{Script=Han}\p{Script=Bopomofo}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]/u

/** Their packages claim each other's letters and have only ideographs in common. */
function packagesOf(character: string, forms: Package): readonly Package[] {
  if (/\p{Script=Hangul}/u.test(character)) return ['sans-kr']
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(character)) return ['sans-jp']
  return [...alphabets, 'emoji', ...(mayBeIdeographic.test(character) ? [forms, ...ideographs] : [])]
}

const filesOf = new Map<Package, readonly File[]>()

function readFiles(name: Package): readonly File[] {
  let files = filesOf.get(name)
  if (files === undefined) {
    const unicode = readFileSync(assetPath(`fonts/noto-${name}/unicode.json`), 'utf8')
    const subsets = JSON.parse(unicode) as Readonly<Record<string, string>>
    // The files of an alphabet beside its own are shared ones, which claim symbols that they do not have.
    const own = Object.entries(subsets).filter(([subset]) => !isAlphabet(name) || name === `sans-${subset}`)
    files = own.map(([subset, range]) => ({
      path: `noto-${name}/noto-${name}-${subset.replace(/[[\]]/g, '')}-wght-normal.woff2`,
      ranges: codePointsOf(range),
    }))
    filesOf.set(name, files)
  }
  return files
}

/** Of at most 0.5 MB each. */
const filesKept = 32
const unpacked = new Map<string, Promise<Buffer>>()

/** Kept for the next document, a bounded number of them. */
function unpackedFile(path: string): Promise<Buffer> {
  let bytes = unpacked.get(path)
  if (bytes === undefined) {
    bytes = unpack(readFileSync(assetPath(`fonts/${path}`)))
    unpacked.set(path, bytes)
    const [oldest] = unpacked.keys()
    if (unpacked.size > filesKept && oldest !== undefined) unpacked.delete(oldest)
  }
  return bytes
}

async function unpack(woff2: Buffer): Promise<Buffer> {
  const decompress = require('wawoff2/decompress.js') as (woff2: Buffer) => Promise<Uint8Array>
  return Buffer.from(await decompress(woff2))
}

/** The fonts of those characters of `text` that `isShown` does not know; a character that no font has is left out. */
export async function loadTypeface(
  text: string,
  country: string,
  isShown: (codePoint: number) => boolean,
): Promise<Typeface> {
  const typeface = new Map<number, ScriptFont>()
  const codePoints = new Set([...text].map((character) => character.codePointAt(0) as number))
  const forms = formsOf(text, country)
  for (const codePoint of codePoints) {
    if (isShown(codePoint)) continue
    for (const name of packagesOf(String.fromCodePoint(codePoint), forms)) {
      const file = readFiles(name).find(({ ranges }) =>
        ranges.some(({ from, to }) => codePoint >= from && codePoint <= to),
      )
      if (file === undefined) continue
      const bytes = await unpackedFile(file.path)
      typeface.set(codePoint, { name: file.path, bytes, isRightToLeft: rightToLeft.includes(name) })
      break
    }
  }
  return typeface
}
