// Remote functions over simulated links, as src/runtime/link/control.ts has them over real ones: ports that go over with a call belong
// to the thread that it reaches.

import type { MessagePort } from 'node:worker_threads'
import type { Remote } from '../../src/runtime/link/control.js'
import { handTo, isPort, type SimulatedPort } from './port.js'

interface Call {
  readonly call: number
  readonly method: string
  readonly given: readonly unknown[]
}

interface Answer {
  readonly answer: number
  readonly value?: unknown
  readonly error?: unknown
}

export function isControl(message: unknown): boolean {
  return 'call' in (message as object) || 'answer' in (message as object)
}

type Functions = Readonly<Record<string, (...given: readonly unknown[]) => unknown>>

export function exposeControl(api: object, port: MessagePort): void {
  port.on('message', ({ call, method, given }: Call) => {
    for (const value of given) if (isPort(value)) handTo(value, (port as unknown as SimulatedPort).owner)
    const answer = (outcome: Omit<Answer, 'answer'>): void => port.postMessage({ answer: call, ...outcome })
    try {
      const returned = (api as Functions)[method]?.(...given)
      if (!(returned instanceof Promise)) answer({ value: returned })
      else
        returned.then(
          (value: unknown) => answer({ value }),
          (error: unknown) => answer({ error }),
        )
    } catch (error) {
      answer({ error })
    }
  })
}

export function remoteControl<Api>(port: MessagePort): Remote<Api> {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>()
  let calls = 0
  port.on('message', (message: Answer) => {
    const { answer } = message
    const waits = waiting.get(answer)
    waiting.delete(answer)
    if ('error' in message) waits?.reject(message.error)
    else waits?.resolve(message.value)
  })
  const call = (method: string, given: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const number = ++calls
      waiting.set(number, { resolve, reject })
      port.postMessage({ call: number, method, given } satisfies Call)
    })
  return new Proxy({} as Remote<Api> & object, {
    // A remote is no promise, whoever awaits it.
    get: (_, method) => (method === 'then' ? undefined : (...given: unknown[]) => call(String(method), given)),
  })
}
