// The bench's handle on a generator process.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { GeneratorMessage, GeneratorReport, GeneratorRequest } from './protocol.js'

export interface Generator {
  /** One at a time. Rejects when the generator fails or dies. */
  ask(request: GeneratorRequest, progress?: (completed: number) => void): Promise<GeneratorReport>
  stop(): Promise<void>
}

export function startGenerator(): Generator {
  const child = fork(new URL('./main.js', import.meta.url), { serialization: 'advanced' })
  const exited = once(child, 'exit')

  return {
    ask: (request, progress) =>
      new Promise((resolve, reject) => {
        const died = (): void => settle(() => reject(new Error('the generator process died')))
        function settle(how: () => void): void {
          child.off('message', received)
          child.off('exit', died)
          how()
        }
        function received(message: GeneratorMessage): void {
          if (message.type === 'progress') progress?.(message.completed)
          else if (message.type === 'done') settle(() => resolve(message.report))
          else settle(() => reject(new Error(message.message)))
        }
        child.on('message', received)
        child.on('exit', died)
        child.send(request)
      }),
    async stop() {
      child.kill()
      await exited
    },
  }
}
