// A name server on UDP for tests, RFC 1035 as far as A and AAAA go: answers what it is told, and counts what it was asked.

import { createSocket } from 'node:dgram'
import { isIPv4 } from 'node:net'
import type { Teardowns } from './service.js'

export interface DnsServer {
  /** As `Resolver.setServers` takes it. */
  readonly address: string
  /** Questions so far, as `A name` and `AAAA name`. */
  readonly questions: readonly string[]
}

/** The addresses of a name at its nth question of that type (A, AAAA), from 1; undefined to say nothing at all. */
export type Zone = (name: string, nth: number, type: string) => readonly string[] | undefined

const types: Readonly<Record<number, string>> = { 1: 'A', 28: 'AAAA' }
const noSuchName = 3

export async function startDnsServer(t: Teardowns, zone: Zone): Promise<DnsServer> {
  const questions: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const { name, type, end } = readQuestion(query)
    const asked = `${types[type] ?? type} ${name}`
    questions.push(asked)
    const addresses = zone(name, questions.filter((question) => question === asked).length, asked.split(' ')[0] ?? '')
    if (addresses === undefined) return
    const wanted = addresses.filter((address) => isIPv4(address) === (type === 1))
    const head = Buffer.alloc(12)
    query.copy(head, 0, 0, 2)
    head.writeUInt16BE(0x8180 | (addresses.length === 0 ? noSuchName : 0), 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(wanted.length, 6)
    socket.send(Buffer.concat([head, query.subarray(12, end), ...wanted.map(record)]), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise<void>((resolve) => socket.close(() => resolve())))
  return { address: `127.0.0.1:${socket.address().port}`, questions }
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

/** The name by a pointer to the question, no time to live. */
function record(address: string): Buffer {
  const data = isIPv4(address) ? Buffer.from(address.split('.').map(Number)) : bytesOfV6(address)
  const head = Buffer.from([0xc0, 12, 0, isIPv4(address) ? 1 : 28, 0, 1, 0, 0, 0, 0, 0, data.length])
  return Buffer.concat([head, data])
}

function bytesOfV6(address: string): Buffer {
  // The URL parser writes an IPv4 tail as two groups.
  const [before, after] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::')
  const groups = (text: string | undefined): string[] => (text === undefined || text === '' ? [] : text.split(':'))
  const first = groups(before)
  const last = groups(after)
  const zeros = new Array<string>(8 - first.length - last.length).fill('0')
  return Buffer.from([...first, ...zeros, ...last].map((group) => group.padStart(4, '0')).join(''), 'hex')
}
