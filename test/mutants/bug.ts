// A planted bug: a change to one source file that a test of the gate must catch.

export interface Bug {
  readonly name: string
  /** The consequence for a user, in one sentence. */
  readonly breaks: string
  /** The source file, from the root. */
  readonly file: string
  /** Text that occurs exactly once in the file. */
  readonly find: string
  readonly replace: string
  /** Test files that catch the bug, without `test/` and `.test.ts`. Each is part of the gate. */
  readonly tests: readonly string[]
  /** The tests run the built program or show the pages of the console, so those are built with the bug. */
  readonly isInProgram?: true
}
