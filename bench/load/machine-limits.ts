// What this machine lets a process open: files, and ports for each source address. Looked at before a run, since a run
// that meets these limits measures them and not the server.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Of a process, beside its connections: code, pipes, the event loop. */
const filesBesideConnections = 100

/** Undefined where nothing is known. */
function openFilesLimit(): number | undefined {
  try {
    // Node.js raises the soft limit to the hard one when it starts, and what it forks inherits that.
    const text = readFileSync('/proc/self/limits', 'utf8')
    const [, soft] = /^Max open files\s+(\S+)/m.exec(text) ?? []
    return soft === 'unlimited' ? undefined : Number(soft) || undefined
  } catch {
    try {
      return Number(execFileSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' })) || undefined
    } catch {
      return undefined
    }
  }
}

function portsOfAnAddress(): number | undefined {
  try {
    const [from, to] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').trim().split(/\s+/).map(Number)
    return from === undefined || to === undefined ? undefined : to - from + 1
  } catch {
    return undefined
  }
}

const number = (value: number): string => value.toLocaleString('en-US')

/** One sentence on what stands in the way, with what to do about it; undefined when nothing does. */
export function machineLimit(wanted: {
  readonly connections: number
  readonly processes: number
  readonly sourceAddresses: number
}): string | undefined {
  const { connections, processes, sourceAddresses } = wanted
  const files = openFilesLimit()
  const needed = Math.ceil(connections / processes) + filesBesideConnections
  if (files !== undefined && needed > files) {
    const enough = Math.ceil(connections / Math.max(1, files - filesBesideConnections))
    return `${number(Math.ceil(connections / processes))} connections in a process need ${number(needed)} open files, and the limit is ${number(files)}: raise it with ulimit -n ${needed}, or use --processes ${enough}`
  }
  const ports = portsOfAnAddress()
  if (ports !== undefined && connections > ports * sourceAddresses) {
    return `one source address has ${number(ports)} ports towards the server: ${number(connections)} connections need ${Math.ceil(connections / ports)} addresses in --source-address`
  }
  return undefined
}
