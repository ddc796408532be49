// A request and its answer, free of any transport: what the pipeline takes and gives.

export interface ApiRequest {
  readonly method: string
  /** Without the query. */
  readonly path: string
  /** Without the question mark. */
  readonly query: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** `too-large` for one over `limits.requestBodyBytes`, which nobody has read. */
  readonly body: Buffer | 'too-large' | undefined
  readonly remoteAddress: string
}

export interface ApiResponse {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string | Uint8Array
}
