// Runs several test files in this process, which loads what they need once. Each runs alone as well.

import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

// tap names directories of tests after the arguments: with all files, the name would be too long for a file system.
const files = process.argv.splice(2)
const { t } = await import('tap')

// Tests of the files begin when this one has ended: none runs while another file is loaded.
void t.test('all files are loaded', async (t) => {
  for (const file of files) await t.resolves(import(pathToFileURL(resolve(file)).href), file)
})
