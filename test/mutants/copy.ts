// A copy of the project and its build in a temporary folder. One bug at a time is planted in it.

import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bug } from './bug.js'

/** `killed`: a signal ended a test process, which proves nothing about the bug. */
interface Run {
  readonly status: 'passed' | 'failed' | 'killed'
  readonly output: string
}

export interface Copy {
  /** Runs test files, named as in `Bug.tests`. */
  test(names: readonly string[]): Promise<Run>
  /** Plants a bug, runs `use` and restores the copy. */
  with<Result>(bug: Bug, use: () => Promise<Result>): Promise<Result>
  end(): void
}

/** Throws if the text does not occur exactly once. */
export function plant({ name, file, find, replace }: Bug, source: string): string {
  const parts = source.split(find)
  if (parts.length !== 2) throw new Error(`${name}: the text occurs ${parts.length - 1} times in ${file}`)
  return parts.join(replace)
}

/** The build compares sources with the times and sizes that it noted. */
const asTheyAre = { recursive: true, verbatimSymlinks: true, preserveTimestamps: true }
const notes = 'dist/build.json'
const program = ['dist/program', 'dist/assets']
/** For a busy machine: the longest of these tests takes a minute on a quiet one. */
const timeoutMs = 900_000

export function createCopy(root: string): Copy {
  const folder = mkdtempSync(join(tmpdir(), 'ampshard-mutants-'))
  for (const name of readdirSync(root))
    if (name === 'node_modules') symlinkSync(join(root, name), join(folder, name))
    else if (name !== '.git') cpSync(join(root, name), join(folder, name), asTheyAre)

  function run(args: readonly string[]): Promise<Run> {
    return new Promise((resolve) => {
      // As the gate runs them; the first failure is enough.
      const { TEST_FULL: _, ...own } = process.env
      const env = { ...own, TAP_BAIL: '1' }
      const options = { cwd: folder, env, maxBuffer: 256 * 1024 * 1024, timeout: timeoutMs }
      execFile(process.execPath, args, options, (error, stdout, stderr) => {
        // The runner reports the end of a test process so.
        const isKilled = typeof error?.signal === 'string' || /^ *signal: SIG/m.test(stdout)
        const status = isKilled ? 'killed' : error === null ? 'passed' : 'failed'
        resolve({ status, output: stdout + stderr })
      })
    })
  }

  async function build(parts: readonly string[]): Promise<void> {
    const { status, output } = await run(['tools/build.mjs', ...parts])
    if (status !== 'passed') throw new Error(`the build failed:\n${output}`)
  }

  function restore(path: string): void {
    rmSync(join(folder, path), { recursive: true, force: true })
    cpSync(join(root, path), join(folder, path), asTheyAre)
  }

  return {
    test: (names) => run(['dist/test/run.js', ...names.map((name) => `dist/test/${name}.test.js`)]),
    async with(bug, use) {
      const { file, isInProgram = false } = bug
      try {
        writeFileSync(join(folder, file), plant(bug, readFileSync(join(root, file), 'utf8')))
        await build(isInProgram ? ['program', 'modules'] : ['modules'])
        return await use()
      } finally {
        restore(file)
        if (isInProgram) program.forEach(restore)
        // With the notes as they are, the next build would leave the module with the bug in place.
        await build(['modules'])
        if (isInProgram) restore(notes)
      }
    },
    end: () => rmSync(folder, { recursive: true, force: true }),
  }
}
