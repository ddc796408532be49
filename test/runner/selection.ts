// Which files of the full suite continuous integration runs for a commit: those that the change can affect, and a share of the others.
// A file is affected if it imports, by way of others, a file of a changed folder, or if its suite covers a changed path.

import { execFileSync } from 'node:child_process'
import { dirname } from 'node:path'
import { build } from 'esbuild'
import { builtTests, fullSuiteOf } from './suites.js'

const shares = 6

export interface Selection {
  readonly affected: readonly string[]
  /** Of the others, the sixth whose turn it is at this commit. */
  readonly share: readonly string[]
  readonly rest: readonly string[]
}

function git(...words: string[]): string | undefined {
  try {
    return execFileSync('git', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return undefined
  }
}

/**
 * The commit that the change began at. TEST_BASE names it. Otherwise it is where the branch left `origin/main`; on `main` itself, it is the newest
 * commit that is more than a day older than this one. Commits count by the time they were committed, so a rebased branch is one change.
 */
export function baseOfChange(): string | undefined {
  const head = git('rev-parse', 'HEAD')
  if (head === undefined) return undefined
  const named = process.env.TEST_BASE
  if (named !== undefined) return git('rev-parse', '--verify', `${named}^{commit}`)
  const merged = git('merge-base', 'HEAD', 'origin/main')
  if (merged !== undefined && merged !== head) return merged
  const committed = Number(git('log', '-1', '--format=%ct'))
  return git('rev-list', '-1', `--before=${committed - 86_400}`, 'HEAD') || undefined
}

/** Without a base, everything has changed. */
export function changedPaths(base: string | undefined): string[] | undefined {
  const paths = base === undefined ? undefined : git('diff', '--name-only', '--no-renames', base, 'HEAD')
  return paths?.split('\n').filter((path) => path !== '')
}

/** `dist/src/edge/identity.js` is made of a file in `src/edge`. */
const folderOfSource = (built: string): string => dirname(built.replace(/^dist\//, ''))

/** The folders of all files that each of these imports, by way of others. */
async function foldersImportedBy(files: readonly string[]): Promise<Map<string, ReadonlySet<string>>> {
  const { metafile } = await build({
    entryPoints: [...files],
    bundle: true,
    write: false,
    metafile: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    outdir: 'dist/unused',
    logLevel: 'error',
  })
  const reached = (file: string, seen: Set<string>): Set<string> => {
    if (seen.has(file)) return seen
    seen.add(file)
    for (const { path, external } of metafile.inputs[file]?.imports ?? []) if (external !== true) reached(path, seen)
    return seen
  }
  return new Map(files.map((file) => [file, new Set([...reached(file, new Set())].map(folderOfSource))]))
}

export function isAffected(
  file: string,
  changed: readonly string[],
  folders: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  const covers = fullSuiteOf(file)?.covers ?? []
  return changed.some(
    (path) => folders.get(file)?.has(dirname(path)) === true || covers.some((covered) => path.startsWith(covered)),
  )
}

/** The shares of six consecutive numbers are all files; a commit's number is the beginning of its hash. */
export function shareOf(files: readonly string[], number: number): string[] {
  return files.filter((_, index) => index % shares === number % shares)
}

export async function select(changed: readonly string[] | undefined, number: number): Promise<Selection> {
  const files = builtTests().filter((file) => fullSuiteOf(file) !== undefined)
  if (changed === undefined) return { affected: files, share: [], rest: [] }
  const folders = await foldersImportedBy(files)
  const affected = files.filter((file) => isAffected(file, changed, folders))
  const others = files.filter((file) => !affected.includes(file))
  const share = shareOf(others, number)
  return { affected, share, rest: others.filter((file) => !share.includes(file)) }
}

export const numberOfCommit = (): number =>
  Number.parseInt(git('rev-parse', '--short=6', 'HEAD')?.slice(0, 6) ?? '0', 16)
