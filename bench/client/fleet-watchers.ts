// Browsers that have the fleet before them, without the browser: each reads the snapshot and follows the stream, and comes to know how old what it is told may be.

import { createHistogram } from 'node:perf_hooks'
import { timeOfId } from '../../src/runtime/ids.js'

export interface FleetWatchers {
  /** Forgets what was measured. */
  mark(): void
  /** How long ago the oldest event of a message may have been, at most; ms. */
  readonly latency: {
    readonly p50: number
    readonly p99: number
    readonly longest: number
    readonly messages: number
  }
  /** Streams that were told to read the snapshot again, in all. */
  readonly reloads: number
  /** Of the first snapshot: ms until it was there, and its bytes as they are sent. */
  readonly first: { readonly milliseconds: number; readonly bytes: number }
  end(): void
}

const perPage = 50_000

export async function watchFleet(
  { url, key }: { readonly url: string; readonly key: string },
  count: number,
): Promise<FleetWatchers> {
  const headers = { authorization: `Bearer ${key}` }
  const latency = createHistogram()
  let marks = 0
  const abort = new AbortController()
  let reloads = 0

  async function snapshot(): Promise<string> {
    const path = `${url}/api/v1/cpo/fleet/snapshot?limit=${perPage}`
    const response = await fetch(path, { headers: { ...headers, 'accept-encoding': 'gzip' } })
    if (!response.ok) throw new Error(`the snapshot was answered ${response.status}`)
    return ((await response.json()) as { readonly cursor: string }).cursor
  }

  async function follow(cursor: string): Promise<void> {
    const path = `${url}/api/v1/cpo/fleet/stream?cursor=${cursor}`
    const { body, status } = await fetch(path, { headers, signal: abort.signal })
    if (status !== 200 || body === null) throw new Error(`the stream was answered ${status}`)
    let rest = ''
    // Whatever a message tells has happened since the one before it, which told of everything up to its own cursor.
    let seenMarks = marks
    let since = timeOfId(cursor)
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      rest += chunk
      const blocks = rest.split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        if (block.includes('event: reload')) {
          reloads++
          await snapshot()
        }
        const told = /^id: (\S+)/.exec(block)?.[1]
        if (told === undefined) continue
        if (block.includes('event: rows')) {
          // Before the first message after a mark there may have been nothing to tell for long.
          if (seenMarks === marks) latency.record(Math.max(1, Date.now() - since))
          seenMarks = marks
        }
        since = timeOfId(told)
      }
    }
  }

  const began = performance.now()
  const sent = await fetch(`${url}/api/v1/cpo/fleet/snapshot?limit=${perPage}`, {
    headers: { ...headers, 'accept-encoding': 'identity' },
  })
  const bytes = (await sent.arrayBuffer()).byteLength
  const first = { milliseconds: performance.now() - began, bytes }
  for (let at = 0; at < count; at++) {
    const cursor = await snapshot()
    follow(cursor).catch((error: unknown) => {
      if (!abort.signal.aborted) throw error
    })
  }
  return {
    mark() {
      marks++
      latency.reset()
    },
    get latency() {
      return {
        p50: latency.percentile(50),
        p99: latency.percentile(99),
        longest: latency.percentile(100),
        messages: latency.count,
      }
    },
    get reloads() {
      return reloads
    },
    first,
    end: () => abort.abort(),
  }
}
