// The pages of the snapshot of one fleet: encoded one at a time, in slices between other work, and once for all who ask for the same. Whoever asks for a page that is being
// encoded, and has changed since that began, joins the next encoding: everybody sees what they have changed themselves.

import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Clock } from '../../../runtime/clock.js'
import { overloaded, timeout } from '../../../runtime/errors.js'
import type { LongReads } from '../../pipeline/long-reads.js'
import type { FleetPageQuery } from '../../pipeline/services.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { createFleetEncoder } from './encode.js'
import { limits } from './limits.js'
import type { RowSource } from './row-source.js'
import { createSharedWork, type IsGone, type SharedWork } from './shared-work.js'

export interface Snapshots {
  page(query: FleetPageQuery, compressed: boolean, isGone: IsGone): Promise<Uint8Array>
  /** What nobody will ask for any more goes. */
  tick(): void
}

export interface SnapshotsOptions {
  readonly source: RowSource
  readonly longReads: Pick<LongReads, 'of'>
  readonly clock: Clock
}

interface Page {
  readonly version: string
  readonly madeAt: number
  /** Gone once the compressed one is there. Whoever asks for it then is given what is unpacked again. */
  plain: Promise<Uint8Array> | undefined
  compressed: Promise<Uint8Array> | undefined
}

interface Encoding {
  readonly name: string
  readonly query: FleetPageQuery
  readonly work: SharedWork<Page>
  /** What it shows; undefined before it has begun to read. */
  version: string | undefined
}

const compress = promisify(gzip)
const decompress = promisify(gunzip)
const fastest = { level: 1 }

export function createSnapshots({ source, longReads, clock }: SnapshotsOptions): Snapshots {
  const pages = new Map<string, Page>()
  const waiting = new Map<string, Encoding>()
  /** When a page may be encoded again, by its name. */
  const restsUntil = new Map<string, number>()
  let current: Encoding | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  async function encode({ query: { after, limit }, work }: Encoding, began: () => void) {
    const read = await longReads.of(source.organizationId, work.isUnwanted)()
    try {
      began()
      const asOf = formatTimestamp(clock.now())
      const rows = source.read(after)
      const encoder = createFleetEncoder()
      let last: string | undefined
      while (encoder.count < limit) {
        const some = rows.next(Math.min(limits.rowsPerStep, limit - encoder.count))
        if (some.length === 0) break
        for (const row of some) encoder.add(row)
        encoder.flush()
        last = some.at(-1)?.charge_point_id
        if (read.isOver()) await read.pause()
      }
      const next = rows.next(1).length > 0 ? (last ?? null) : null
      const head = JSON.stringify({ as_of: asOf, cursor: rows.cursor, total: rows.total, next })
      const parts: Uint8Array[] = [Buffer.from(`${head.slice(0, -1)},`)]
      for (const part of encoder.parts()) {
        parts.push(Buffer.from(part))
        if (read.isOver()) await read.pause()
      }
      parts.push(Buffer.from('}'))
      return { plain: Buffer.concat(parts) as Uint8Array, count: encoder.count }
    } finally {
      read.end()
    }
  }

  async function make(encoding: Encoding): Promise<void> {
    const { name, work } = encoding
    const version = source.version()
    let madeAt = clock.monotonic()
    try {
      if (work.isUnwanted()) throw timeout('the client closed the connection before its answer')
      const { plain, count } = await encode(encoding, () => {
        encoding.version = source.version()
        madeAt = clock.monotonic()
      })
      const page: Page = {
        version: encoding.version ?? version,
        madeAt,
        plain: Promise.resolve(plain),
        compressed: undefined,
      }
      restsUntil.set(name, madeAt + Math.floor(count / limits.rowsPerMsOfRest))
      pages.delete(name)
      pages.set(name, page)
      for (const oldest of pages.keys()) {
        if (pages.size <= limits.keptPages) break
        pages.delete(oldest)
      }
      work.done(page)
    } catch (error) {
      work.failed(error)
    }
  }

  /** One at a time, and each not again at once: while a fleet changes all the time, those who ask for the same page gather. */
  async function goOn(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    while (current === undefined && waiting.size > 0) {
      const now = clock.monotonic()
      const due = [...waiting.values()].find(({ name }) => (restsUntil.get(name) ?? 0) <= now)
      if (due === undefined) {
        const soonest = Math.min(...[...waiting.keys()].map((name) => restsUntil.get(name) ?? 0))
        timer = setTimeout(() => void goOn(), Math.max(1, soonest - now))
        return
      }
      waiting.delete(due.name)
      current = due
      await make(due)
      current = undefined
    }
  }

  function enqueue(name: string, query: FleetPageQuery): Encoding {
    if (waiting.size >= limits.pagesWaiting)
      throw overloaded('too many different pages of the fleet are asked for at once; try again later', {
        retryAfterSeconds: 5,
      })
    const encoding: Encoding = { name, query, work: createSharedWork(clock), version: undefined }
    waiting.set(name, encoding)
    // Whoever has asked waits for it by then.
    queueMicrotask(() => void goOn())
    return encoding
  }

  function encodingOf(query: FleetPageQuery, name: string, version: string): Encoding {
    const isNewEnough =
      current?.name === name &&
      !current.work.isAbandoned &&
      (current.version === undefined || current.version === version)
    return isNewEnough ? (current as Encoding) : (waiting.get(name) ?? enqueue(name, query))
  }

  function bytesOf(page: Page, compressed: boolean): Promise<Uint8Array> {
    if (!compressed) {
      page.plain ??= (page.compressed as Promise<Uint8Array>).then((bytes) => decompress(bytes))
      return page.plain
    }
    if (page.compressed === undefined) {
      const { plain } = page
      page.compressed = (plain as Promise<Uint8Array>).then((bytes) => compress(bytes, fastest))
      page.compressed.then(
        () => {
          page.plain = undefined
        },
        () => {
          page.compressed = undefined
        },
      )
    }
    return page.compressed
  }

  return {
    async page(query, compressed, isGone) {
      const name = `${query.limit} ${query.after ?? ''}`
      const version = source.version()
      const known = pages.get(name)
      const page = known?.version === version ? known : await encodingOf(query, name, version).work.wait(isGone)
      return bytesOf(page, compressed)
    },
    tick() {
      const now = clock.monotonic()
      const version = source.version()
      for (const [name, page] of pages)
        if (page.version !== version || now - page.madeAt > limits.keptPageMs) pages.delete(name)
      for (const [name, until] of restsUntil) if (until <= now) restsUntil.delete(name)
    },
  }
}
