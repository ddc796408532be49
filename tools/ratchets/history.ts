// From Git: the versions of the counts, the subjects of commits, and the lines that changed. All is empty in a copy of the
// sources without Git. In a shallow clone, history begins with its oldest commit.

import { execFileSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { type Counts, countsFile } from './counts.js'

/** An edit of the counts by a commit, or in the working tree. */
export interface CountsEdit {
  readonly label: string
  readonly before: Counts
  readonly after: Counts
  /** All files that changed with it. */
  readonly paths: readonly string[]
}

interface Subject {
  readonly commit: string
  readonly subject: string
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '')

function git(root: string, args: readonly string[], input?: string): Buffer {
  return execFileSync('git', ['-c', 'core.quotePath=false', ...args], {
    cwd: root,
    input,
    maxBuffer: 1 << 30,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
}

/** Whether `root` is the top of a working tree of Git with a commit. */
function hasHistory(root: string): boolean {
  try {
    const [top = ''] = linesOf(git(root, ['rev-parse', '--show-toplevel', 'HEAD']).toString())
    return realpathSync(top) === realpathSync(root)
  } catch {
    return false
  }
}

/** The file's content in each commit; a commit that deletes it is left out. */
function countsIn(root: string, commits: readonly string[]): Map<string, Counts> {
  const output = git(root, ['cat-file', '--batch'], commits.map((commit) => `${commit}:${countsFile}\n`).join(''))
  const versions = new Map<string, Counts>()
  let at = 0
  for (const commit of commits) {
    const end = output.indexOf('\n', at)
    const [, type, size] = output.toString('utf8', at, end).split(' ')
    at = end + 1
    if (type !== 'blob') continue
    versions.set(commit, JSON.parse(output.toString('utf8', at, at + Number(size))) as Counts)
    at += Number(size) + 1
  }
  return versions
}

interface Change {
  readonly commit: string
  readonly paths: readonly string[]
}

/** The commits that change the counts, the oldest first. A merge is compared with its first parent. */
function countsChanges(root: string): Change[] {
  const options = ['--first-parent', '--diff-merges=first-parent', '--full-diff', '--name-only', '--format=%x00%H']
  const log = git(root, ['log', '--reverse', ...options, '--', countsFile]).toString()
  return log
    .split('\0')
    .slice(1)
    .map((entry) => {
      const [commit = '', ...paths] = linesOf(entry)
      return { commit, paths }
    })
}

const untracked = (root: string): string[] =>
  linesOf(git(root, ['ls-files', '--others', '--exclude-standard']).toString())

/** Every edit of the counts, the oldest first; the last is that of the working tree, with the counts `now`. */
export function countsEdits(root: string, now: Counts): CountsEdit[] {
  if (!hasHistory(root)) return []
  const changes = countsChanges(root)
  const versions = countsIn(
    root,
    changes.map(({ commit }) => commit),
  )
  const edits: CountsEdit[] = []
  let before: Counts | undefined
  const add = (label: string, after: Counts, paths: readonly string[]): void => {
    if (before !== undefined) edits.push({ label, before, after, paths })
    before = after
  }
  for (const { commit, paths } of changes) {
    const after = versions.get(commit)
    if (after !== undefined) add(commit.slice(0, 10), after, paths)
  }
  const changed = linesOf(git(root, ['diff', '--name-only', 'HEAD']).toString())
  add('the working tree', now, [...changed, ...untracked(root)])
  return edits
}

/** Subjects of the commits that descend from the introduction of the counts; merges are left out. */
export function subjectsSinceCounts(root: string): Subject[] {
  if (!hasHistory(root)) return []
  const first = linesOf(git(root, ['log', '--diff-filter=A', '--format=%H', '--', countsFile]).toString()).at(-1)
  if (first === undefined) return []
  const log = git(root, ['log', '--no-merges', '--ancestry-path', '--format=%h %s', `${first}..HEAD`]).toString()
  return linesOf(log).map((line) => {
    const [commit = '', ...words] = line.split(' ')
    return { commit, subject: words.join(' ') }
  })
}

/** Whether a line is new since the counts were last written. */
export function newLines(root: string): (path: string, line: number) => boolean {
  if (!hasHistory(root)) return () => false
  const last = countsChanges(root).at(-1)
  const files = new Set(untracked(root))
  const lines = new Set<string>()
  const diff = git(root, ['diff', '--no-ext-diff', '--unified=0', '--no-prefix', last?.commit ?? 'HEAD']).toString()
  let path = ''
  for (const line of diff.split('\n')) {
    if (line.startsWith('+++ ')) path = line.slice('+++ '.length)
    const [, from, count = '1'] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? []
    for (let at = 0; from !== undefined && at < Number(count); at++) lines.add(`${path}:${Number(from) + at}`)
  }
  return (path, line) => files.has(path) || lines.has(`${path}:${line}`)
}
