// Starts a program of ours as its users do: without the hooks that the test runner puts into every Node.js process
// that a test starts. Those add signal handlers of their own, and end a process at signals that Node.js ignores.

import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'

export function spawnNode(args: readonly string[], options: SpawnOptions): ChildProcess {
  // The runner adds its variable to every spawn, so only a program between takes it away; it becomes the child itself.
  return spawn('env', ['-u', 'NODE_OPTIONS', process.execPath, ...args], options)
}
