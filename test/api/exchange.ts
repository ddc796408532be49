// HTTP by hand: what no client library would send, and what comes back.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Test } from 'tap'

export function openSocket(t: Test, port: number): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  t.teardown(() => socket.destroy())
  return socket
}

/** Everything that comes back until the server ends the connection, or until there are `answers`. */
export function exchange(t: Test, port: number, text: string, answers?: number): Promise<string> {
  const socket = openSocket(t, port)
  socket.write(text)
  return received(socket, answers)
}

/** As `exchange`, of what has been sent already. */
export async function received(socket: Socket, answers = Number.POSITIVE_INFINITY): Promise<string> {
  let got = ''
  const closed = socket.destroyed ? Promise.resolve() : once(socket, 'close').catch(() => undefined)
  await new Promise<void>((resolve) => {
    const take = (chunk: Buffer): void => {
      got += chunk.toString('latin1')
      if (got.split('HTTP/1.1 ').length <= answers) return
      socket.off('data', take)
      resolve()
    }
    socket.on('data', take)
    void closed.then(() => resolve())
  })
  return got
}

export function statusesIn(answers: string): number[] {
  return [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
}

export function request(method: string, path: string, ...lines: string[]): string {
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`
}

export const get = (path: string, ...lines: string[]): string => request('GET', path, ...lines)
