// The counts of test/ratchets.json only fall. The measures are in tools/ratchets.

import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import {
  type Counts,
  countOffences,
  countsFile,
  countsText,
  differences,
  lowered,
  raisedMeasures,
} from '../tools/ratchets/counts.js'
import { stiltedEnglish } from '../tools/ratchets/english.js'
import { type CountsEdit, countsEdits, newLines, subjectsSinceCounts } from '../tools/ratchets/history.js'
import { measureProject } from '../tools/ratchets/index.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const allowed = JSON.parse(readFileSync(join(root, countsFile), 'utf8')) as Counts
const mostShown = 40

test('ratchets - no folder has more offences than test/ratchets.json allows', (t) => {
  const offences = measureProject(root)
  const changed = differences(allowed, countOffences(offences))
  const isNew = changed.length > 0 ? newLines(root) : () => false
  for (const { measure, room, allowed, found } of changed) {
    const inRoom = (offences.get(measure) ?? []).filter((offence) => offence.room === room)
    const added = inRoom.filter(({ path, line }) => isNew(path, line))
    const lines = (added.length > 0 ? added : inRoom).map(({ path, line, text }) => `${path}:${line} ${text}`)
    if (found > allowed)
      t.fail(`${measure} in ${room}: ${found}, and ${allowed} are allowed`, { lines: lines.slice(0, mostShown) })
    else t.fail(`${measure} in ${room}: ${found}, fewer than ${allowed}; "npm run docs" writes this down`)
  }
  t.end()
})

/** A commit that makes a measure stricter may write higher counts, if it changes nothing else. */
function redefinesMeasures({ paths }: CountsEdit): boolean {
  const isTool = (path: string): boolean => path.startsWith('tools/ratchets/')
  return paths.some(isTool) && paths.every((path) => isTool(path) || path.startsWith('test/ratchets'))
}

const isRaise = (edit: CountsEdit): boolean =>
  raisedMeasures(edit.before, edit.after).length > 0 && !redefinesMeasures(edit)

test('ratchets - no edit of test/ratchets.json raises the sum of a measure', (t) => {
  for (const edit of countsEdits(root, allowed))
    t.notOk(isRaise(edit), `${edit.label}: ${raisedMeasures(edit.before, edit.after).join(', ')}`)
  t.end()
})

test('ratchets - the patterns find stilted sentences and accept plain ones', (t) => {
  const samples = readFileSync(join(root, 'test/ratchets-samples.txt'), 'utf8').trim().split('\n')
  for (const sample of samples)
    t.equal(stiltedEnglish(sample.slice('+ '.length)).length > 0, sample.startsWith('+'), sample)
  t.end()
})

test('ratchets - each measure counts by folder, and names the line', (t) => {
  const stilted = 'anew'
  const dir = t.testdir({
    bench: {},
    test: { 'many.test.ts': "import { used } from '../src/a/b/c/code.js'\nused()\n" },
    tools: Object.fromEntries(Array.from({ length: 42 }, (_, at) => [`file${at}.txt`, ''])),
    src: {
      'page.md': `# Page\n\n\`\`\`\nmade ${stilted}\n\`\`\`\n\nA \`${stilted}\` of code.\n\nLists are\nmade ${stilted}.\n`,
      a: {
        b: {
          c: {
            'code.ts': [
              `// Made ${stilted}.`,
              `const ${stilted} = 1`,
              `export const used = (): number => ${stilted}`,
              `export function long(): void {${'\n'.repeat(150)}}`,
              'export interface Unused {',
              '  readonly text: string',
              '}',
              '',
            ].join('\n'),
          },
        },
      },
    },
  })
  const found = [...measureProject(dir)].map(([measure, offences]) => [
    measure,
    offences.map(({ room, path, line }) => `${room} ${path}:${line}`),
  ])
  t.strictSame(Object.fromEntries(found), {
    'stilted English': ['src/a/b src/a/b/c/code.ts:1', 'src src/page.md:10'],
    'functions over 150 lines': ['src/a/b src/a/b/c/code.ts:4'],
    'files over 40 in a folder': ['tools tools/file8.txt:1', 'tools tools/file9.txt:1'],
    'unused exports': ['src/a/b src/a/b/c/code.ts:4', 'src/a/b src/a/b/c/code.ts:155'],
  })
  t.end()
})

test('ratchets - counts are written lower, and never higher', (t) => {
  const before = { words: { 'src/a': 3, 'src/b': 1 } }
  t.strictSame(lowered(before, { words: { 'src/a': 2, 'src/b': 4, 'src/c': 1 } }), {
    words: { 'src/a': 2, 'src/b': 1 },
  })
  t.strictSame(lowered(before, { words: {} }), { words: { 'src/a': 0, 'src/b': 0 } })
  t.strictSame(lowered({}, before), before, 'a new measure begins with its counts')
  t.end()
})

test('ratchets - a folder takes over the counts of another, and the sum does not rise', (t) => {
  const before = { words: { 'src/a': 3, 'src/b': 1 } }
  t.strictSame(raisedMeasures(before, { words: { 'src/b': 1, 'src/c': 3 } }), [])
  t.strictSame(raisedMeasures(before, { words: { 'src/a': 3, 'src/b': 2 } }), ['words'])
  t.end()
})

test('ratchets - commits that raise a count are found, also after the file was removed', (t) => {
  const dir = t.testdir({ test: {}, tools: { ratchets: {} } })
  const git = (...words: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=tester', '-c', 'user.email=tester@example.com', ...words], {
      cwd: dir,
      encoding: 'utf8',
    })
  const counts = (count: number): Counts => ({ words: { src: count } })
  const commit = (subject: string, count?: number): void => {
    if (count === undefined) rmSync(join(dir, countsFile))
    else writeFileSync(join(dir, countsFile), countsText(counts(count)))
    git('add', '--all')
    git('commit', '--quiet', '--allow-empty', '--message', subject)
  }
  git('init', '--quiet')
  t.strictSame(countsEdits(dir, counts(5)), [], 'a repository without commits')
  commit('the rule comes with this one', 5)
  commit('Lower the count', 4)
  commit('Remove the file')
  commit('raise the count', 6)
  writeFileSync(join(dir, 'tools/ratchets/measure.ts'), '')
  commit('Make the measure stricter', 9)
  const raised = countsEdits(dir, counts(10)).map((edit) => isRaise(edit))
  t.strictSame(raised, [false, true, false, true], 'the second and the edit that is not committed')
  t.strictSame(
    subjectsSinceCounts(dir).map(({ subject }) => subject),
    ['Make the measure stricter', 'raise the count', 'Remove the file', 'Lower the count'],
  )
  t.end()
})
