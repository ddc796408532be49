// A process beside the service that takes requests from its parent, one at a time: the attackers, and those who measure, are none of
// the process that looks on.

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { spawnNode } from '../../support/child.js'

export interface HelperProcess<Request, Reply> {
  /** Rejects when the process fails or ends. */
  ask(request: Request): Promise<Reply>
  end(): Promise<void>
}

type Answered<Reply> = { readonly reply: Reply } | { readonly failure: string }

/** `program` is a built file that calls `serveParent`. */
export function startHelper<Request, Reply>(program: URL): HelperProcess<Request, Reply> {
  const child: ChildProcess = spawnNode([program.pathname], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
  })
  const ended = once(child, 'exit')
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        const died = (): void => settle(() => reject(new Error(`${program.pathname} ended`)))
        function settle(how: () => void): void {
          child.off('message', answered)
          child.off('exit', died)
          how()
        }
        function answered(answer: Answered<Reply>): void {
          settle(() => ('reply' in answer ? resolve(answer.reply) : reject(new Error(answer.failure))))
        }
        child.on('message', answered)
        child.on('exit', died)
        child.send(request as object)
      }),
    async end() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** The other side: answers what the parent asks, and ends with it. */
export function serveParent<Request, Reply>(handle: (request: Request) => Promise<Reply> | Reply): void {
  const answer = (answered: Answered<Reply>): void => void process.send?.(answered)
  process.on('message', async (request: Request) => {
    try {
      answer({ reply: await handle(request) })
    } catch (error) {
      answer({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
  })
  process.on('disconnect', () => process.exit(0))
  // Signals go to the whole group of a terminal: the parent decides what they mean.
  process.on('SIGINT', () => undefined)
}

/**
 * Takes only the time of the processors that nobody else wants. A flood comes from other machines: one that took the service's own
 * processors away would measure the scheduler.
 */
export function yieldProcessors(): void {
  setPriority(constants.priority.PRIORITY_LOW)
}
