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
  /** It was refused, cut, or silent for too long. */
  onEnd(): void
}

/** The service says something every 15 s at least. */
const silentMs = 40_000

/** Returns what closes it: nothing is called after that. */
export function readEventStream(path: string, { onOpen, onEvent, onEnd }: StreamListener): () => void {
  const closed = new AbortController()
  const { signal } = closed
  let silence: ReturnType<typeof setTimeout> | undefined

  const parser = createParser({
    onEvent({ event: type = 'message', data }) {
      if (!signal.aborted) tell(() => onEvent({ type, data: readJson(data) }))
    },
  })

  function heard(): void {
    clearTimeout(silence)
    if (!signal.aborted) silence = setTimeout(end, silentMs)
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
    const { ok, body } = await openStream(path, signal)
    if (!ok || body === null || signal.aborted) return
    tell(onOpen)
    const reader = body.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done || signal.aborted) return
      heard()
      parser.feed(value)
    }
  }

  heard()
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
