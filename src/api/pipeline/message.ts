// A request and its answer, free of any transport: what the pipeline takes and gives.

/** `too-large` for one over `limits.requestBodyBytes`, which nobody has read. */
export type ReadBody = Buffer | 'too-large' | undefined

/** All but the body. */
export interface RequestHead {
  readonly method: string
  /** Without the query. */
  readonly path: string
  /** Without the question mark. */
  readonly query: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly remoteAddress: string
  /** Called when it is known whose the request is, before anything is done for them. */
  readonly identified?: (caller: KnownCaller) => void
  /** Whether nobody waits for the answer any more: its connection has been closed. */
  readonly isGone?: () => boolean
}

export interface ApiRequest extends RequestHead {
  readonly body: ReadBody
}

/** A request whose body may still be on its way: it is asked for once its sender has been let in. */
export interface ArrivingRequest extends RequestHead {
  /** Rejects with an AmpshardError. */
  readonly body: ReadBody | (() => Promise<ReadBody>)
}

export interface KnownCaller {
  /** Of the credential: `api_key:key_01J...`. */
  readonly id: string
  /** Whose it is: an organization, or the caller itself. */
  readonly party: string
}

export interface ApiResponse {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string | Uint8Array
  /** In the body's place. */
  readonly stream?: BodyStream
}

/** A body that comes about while it is sent, until it ends or nobody reads it any more. */
export interface BodyStream {
  /** Means nothing to its reader: written to learn whether there is room again. */
  readonly filler: string
  /** Once, when the head has been sent. `wake` says that there may be something to read. */
  open(wake: () => void): StreamReader
}

export interface StreamReader {
  /** The next part; undefined when there is nothing now, null when the body is at its end. Asked only when there is room. */
  read(): Uint8Array | undefined | null
  close(): void
}
