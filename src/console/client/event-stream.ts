// An answer of server-sent events (HTML, 9.2), read as it comes. An EventSource of the browser sends no headers, so that it cannot say of which session
// its page is, and does not see comments, so that it takes a service that hangs, or a network that is gone without a word, for one that has nothing to say.

import { createParser } from 'eventsource-parser'
import { openStream } from './api.js'
import { readJson } from './read-json.js'

export interface StreamEvent {
  readonly type: string
  readonly data: unknown
}

export interface StreamListener {
  onOpen(): void
  onEvent(event: StreamEvent): void
  /** Something has come, if only a comment. */
  onHeard(): void
  /** It was refused, cut, or silent for too long. */
  onEnd(): void
}

/** The service says something every 5 s at least; where it is busy, a little later. */
export const silentMs = 20_000

/** For so long, ms, nothing may come at first. Returns what closes it: nothing is called after that. */
export function readEventStream(
  path: string,
  firstWithinMs: number,
  { onOpen, onEvent, onHeard, onEnd }: StreamListener,
): () => void {
  const closed = new AbortController()
  const { signal } = closed
  let silence = setTimeout(end, firstWithinMs)

  const parser = createParser({
    onEvent({ event: type = 'message', data }) {
      if (!signal.aborted) tell(() => onEvent({ type, data: readJson(data) }))
    },
  })

  function heard(): void {
    clearTimeout(silence)
    silence = setTimeout(end, silentMs)
    tell(onHeard)
  }

  function close(): void {
    clearTimeout(silence)
    closed.abort()
  }

  function end(): void {
    if (signal.aborted) return
    close()
    onEnd()
  }

  async function read(): Promise<void> {
    const { ok, body, headers } = await openStream(path, signal)
    // A proxy on the way may answer with a page of its own.
    const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true
    if (!ok || !isStream || body === null || signal.aborted) return
    tell(onOpen)
    const reader = body.getReader()
    const decoder = new TextDecoder()
    for (;;) {
      const { done, value } = await reader.read()
      if (done || signal.aborted) return
      heard()
      parser.feed(decoder.decode(value, { stream: true }))
    }
  }

  // What it ends with says nothing that `end` does not: it is asked for again.
  void read()
    .catch(() => undefined)
    .then(end)
  return close
}

/** What fails in the page does not end the stream. */
function tell(listener: () => void): void {
  try {
    listener()
  } catch (error) {
    reportError(error)
  }
}
