// The files that the ratchets measure, read once and parsed with the parser that Vite brings. It knows no measure.

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { type ParseResult, parseSync, Visitor } from 'vite'

/** Offsets in a text; `end` is the first after it. */
interface Span {
  readonly start: number
  readonly end: number
}

/** A file of TypeScript or JavaScript. */
export interface Source {
  /** Path from the project's folder: `src/edge/identity.ts`. */
  readonly path: string
  readonly text: string
  readonly comments: readonly Span[]
  /** String literals, parts of templates, and texts between tags. */
  readonly literals: readonly Span[]
  readonly functions: readonly Span[]
  /** Imports and exports. */
  readonly module: ParseResult['module']
}

/** A file of Markdown or CSS. */
export interface Page {
  readonly path: string
  readonly text: string
}

export interface Tree {
  readonly sources: readonly Source[]
  readonly pages: readonly Page[]
  /** All files, measured or not. */
  readonly paths: readonly string[]
}

/** Something that a measure counts. */
export interface Offence {
  /** The folder that it counts for. */
  readonly room: string
  readonly path: string
  readonly line: number
  readonly text: string
}

const folders = ['bench', 'src', 'test', 'tools']
const roomDepth = 3

/** The folder of a path, at most three levels deep: `src/api/areas/tariffs/list.ts` is in `src/api/areas`. */
export function roomOf(path: string): string {
  return dirname(path).split('/').slice(0, roomDepth).join('/')
}

/** The line of an offset in a text; the first is 1. */
export function lineAt(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++
  return line
}

/** One walk for all measures: a syntax tree is too large to keep. */
function spansOf(program: ParseResult['program']): Pick<Source, 'literals' | 'functions'> {
  const literals: Span[] = []
  const functions: Span[] = []
  const addLiteral = ({ start, end }: Span): void => void literals.push({ start, end })
  const addFunction = ({ start, end }: Span): void => void functions.push({ start, end })
  new Visitor({
    Literal: (node) => {
      if (typeof node.value === 'string') addLiteral(node)
    },
    TemplateElement: addLiteral,
    JSXText: addLiteral,
    FunctionDeclaration: addFunction,
    FunctionExpression: addFunction,
    ArrowFunctionExpression: addFunction,
  }).visit(program)
  return { literals, functions }
}

function parse(path: string, text: string): Source {
  const parsed = parseSync(path, text)
  const [error] = parsed.errors
  if (error !== undefined) throw new Error(`${path}: ${error.message}`)
  const { comments, module } = parsed
  return { path, text, comments, module, ...spansOf(parsed.program) }
}

/** `root` is the folder of the project. */
export function readTree(root: string): Tree {
  const inFolders = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name))),
  )
  const paths = [...readdirSync(root).filter((name) => name.endsWith('.md')), ...inFolders].sort()
  const read = (pattern: RegExp): Page[] =>
    paths.filter((path) => pattern.test(path)).map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  return {
    sources: read(/\.(tsx?|m?js)$/).map(({ path, text }) => parse(path, text)),
    pages: read(/\.(md|css)$/),
    paths,
  }
}
