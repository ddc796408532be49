// The streams of one front that show the installation second by second. All are told the same, which is asked for and encoded once, and only
// while somebody reads; a reader that is slow is told the newest second, not each.

import type { Logger } from 'pino'
import { filler, retryMs } from '../../pipeline/event-stream.js'
import type { BodyStream, StreamReader } from '../../pipeline/message.js'
import { tooManyStreams } from '../events/errors.js'
import { limits } from './limits.js'

export interface InstallationStreams {
  /** Throws `too_many_streams`. */
  stream(isAllowed: () => boolean): BodyStream
  /** Once a second. */
  tick(): Promise<void>
  /** Ends them all. */
  end(): void
}

interface Stream {
  readonly isAllowed: () => boolean
  readonly wake: () => void
  next: Uint8Array | undefined
}

/** `newest`: the newest second, as the data of an event. */
export function createInstallationStreams(
  newest: () => Promise<object>,
  log: Pick<Logger, 'error'>,
): InstallationStreams {
  const open = new Set<Stream>()
  let isAsking = false
  let isOver = false

  function read(stream: Stream): Uint8Array | undefined | null {
    if (isOver || !stream.isAllowed()) return null
    const { next } = stream
    stream.next = undefined
    return next
  }

  return {
    stream(isAllowed) {
      if (open.size >= limits.installationStreams)
        throw tooManyStreams(`${open.size} streams of the installation are open already`)
      return {
        filler,
        open(wake): StreamReader {
          const stream: Stream = { isAllowed, wake, next: Buffer.from(`retry: ${retryMs}\n\n`) }
          open.add(stream)
          return { read: () => read(stream), close: () => void open.delete(stream) }
        },
      }
    },
    async tick() {
      if (open.size === 0 || isAsking) return
      isAsking = true
      try {
        const bytes = Buffer.from(`event: second\ndata: ${JSON.stringify(await newest())}\n\n`)
        for (const stream of open) {
          stream.next = bytes
          stream.wake()
        }
      } catch (error) {
        log.error({ err: error }, 'the newest second of the installation could not be told')
      } finally {
        isAsking = false
      }
    },
    end() {
      isOver = true
      for (const stream of open) stream.wake()
    },
  }
}
