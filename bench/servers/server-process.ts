// A server under measurement: its own process, its own port, and what the operating system says it uses.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

export interface Usage {
  /** User and system time of all threads, ms, in steps of 10. */
  readonly cpuMs: number
  readonly rssKiB: number
  readonly rssAnonKiB: number
  readonly rssFileKiB: number
}

export interface ServerProcess {
  readonly pid: number
  /** http://127.0.0.1:port */
  readonly url: string
  /** ws://127.0.0.1:port/ocpp16 */
  readonly ocppUrl: string
  /** From the spawn to the first 200 of /readyz. */
  readonly readyMs: number
  usage(): Usage
  stop(): Promise<void>
}

export interface ServerProcessOptions {
  readonly script: string
  /** Arguments after the script, once the port is known. */
  readonly arguments: (port: number) => readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** Where its output goes. */
  readonly logPath: string
  readonly readyTimeoutMs: number
}

/** Linux counts process times in hundredths of a second for /proc, whatever the kernel's own tick. */
const millisecondsPerTick = 10

export async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const asking = request({ host: '127.0.0.1', port, path: '/readyz', timeout: 1_000 }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    asking.on('error', () => resolve(false))
    asking.on('timeout', () => asking.destroy())
    asking.end()
  })
}

export function usageOf(pid: number): Usage {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The command's name stands in parentheses and may hold spaces; utime and stime are the 12th and 13th field after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const kibibytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
  return {
    cpuMs: (Number(fields[11]) + Number(fields[12])) * millisecondsPerTick,
    rssKiB: kibibytes('VmRSS'),
    rssAnonKiB: kibibytes('RssAnon'),
    rssFileKiB: kibibytes('RssFile'),
  }
}

/** Rejects with the end of its log when the process dies or is not ready in time. */
export async function startServerProcess(options: ServerProcessOptions): Promise<ServerProcess> {
  const port = await freePort()
  const log = openSync(options.logPath, 'a')
  const startedAt = performance.now()
  const child = spawn(process.execPath, [options.script, ...options.arguments(port)], {
    stdio: ['ignore', log, log],
    env: { ...process.env, ...options.environment },
  })
  closeSync(log)
  const pid = child.pid
  if (pid === undefined) throw new Error(`${options.script} could not be started`)
  const exited = once(child, 'exit')
  const killWithUs = (): void => void child.kill('SIGKILL')
  process.once('exit', killWithUs)

  async function stop(): Promise<void> {
    process.off('exit', killWithUs)
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    const impatience = setTimeout(() => child.kill('SIGKILL'), 10_000)
    await exited
    clearTimeout(impatience)
  }

  while (!(await isReady(port))) {
    const dead = child.exitCode !== null || child.signalCode !== null
    if (!dead && performance.now() - startedAt < options.readyTimeoutMs) {
      await delay(2)
      continue
    }
    await stop()
    const tail = readFileSync(options.logPath, 'utf8').slice(-2_000)
    throw new Error(`${options.script} ${dead ? 'ended' : 'was not ready in time'}:\n${tail}`)
  }
  return {
    pid,
    url: `http://127.0.0.1:${port}`,
    ocppUrl: `ws://127.0.0.1:${port}/ocpp16`,
    readyMs: performance.now() - startedAt,
    usage: () => usageOf(pid),
    stop,
  }
}

/** How long the answer to a GET is. */
export async function bodyBytes(
  server: { readonly process: ServerProcess; readonly key: string },
  path: string,
): Promise<number> {
  const response = await fetch(server.process.url + path, { headers: { authorization: `Bearer ${server.key}` } })
  return (await response.arrayBuffer()).byteLength
}

/** A request to a server that has started. Throws with the answer when it is no success. */
export async function ask(
  server: { readonly process: ServerProcess; readonly key: string },
  method: string,
  path: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' }
  const sent = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
  const response = await fetch(server.process.url + path, sent)
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${text.slice(0, 300)}`)
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
}
