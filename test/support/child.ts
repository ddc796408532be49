// Starts a program of ours as its users do: without the hooks that the test runner puts into every Node.js process
// that a test starts. Those add signal handlers of their own, and end a process at signals that Node.js ignores.

import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'

/**
 * Of a test, and of what it starts: several share the processors, and none has one to spare for helpers of its collector. It takes a tenth of the
 * processor's time away.
 */
export const collectsByItself = '--single-threaded-gc'

/** `openFiles`: how many files it may open, where that is not as many as whoever runs the tests may. */
export function spawnNode(args: readonly string[], options: SpawnOptions, openFiles?: number): ChildProcess {
  // The runner adds its variable to every spawn, so only a program between takes it away; it becomes the child itself.
  const words = ['env', '-u', 'NODE_OPTIONS', process.execPath, collectsByItself, ...args]
  if (openFiles !== undefined) words.unshift('sh', '-c', 'ulimit -n "$0" && exec "$@"', String(openFiles))
  const [program = '', ...others] = words
  return spawn(program, others, options)
}
