// Subjects of commits are imperative and short, from the commit that introduced test/ratchets.json on.

import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import { subjectFaults } from '../tools/ratchets/commit-subject.js'
import { subjectsSinceCounts } from '../tools/ratchets/history.js'

const root = fileURLToPath(new URL('../../', import.meta.url))

test('commit subjects - imperatives of at most 72 characters are accepted', (t) => {
  for (const subject of [
    'Bound captures per organization',
    'Process meter values in batches',
    'Embed fonts in receipts',
    'Bring the chaos tests into the full suite',
    'Focus the first field of a dialog',
    'Re-read certificates after a reload',
    'Reply to heartbeats during a drain',
    `Revert "${'Raise the limit '.repeat(5)}"`,
    `Raise ${'x'.repeat(66)}`,
  ])
    t.strictSame(subjectFaults(subject), [], subject)
  t.end()
})

test('commit subjects - statements, other verb forms, long lines and full stops are faults', (t) => {
  for (const subject of [
    'The tests have 50 s more',
    'Those of the API are sorted',
    'Nothing waits for the disk',
    'Commands are listed and shown',
    'Added a limit',
    'Adding a limit',
    'Adds a limit',
    'Made a limit',
    'add a limit',
    'fixup! Add a limit',
    'Documentation of limits',
    'Add a limit.',
    `Raise ${'x'.repeat(67)}`,
  ])
    t.not(subjectFaults(subject).length, 0, subject)
  t.end()
})

test('commit subjects - those of the history follow the rules', (t) => {
  for (const { commit, subject } of subjectsSinceCounts(root))
    t.strictSame(subjectFaults(subject), [], `${commit} ${subject}`)
  t.end()
})
