// What the bench asks of a load generator process, and what it answers: one request, one reply, over the fork's channel.

export type Conversation = 'heartbeat' | 'meter-values'

export type TransactionPhase = 'start' | 'meter' | 'stop'

export type RoamingPhase = 'start' | 'meter' | 'status'

export type GeneratorRequest =
  /** Connects `count` more charge points, `<prefix><number>` from `from` up, and boots each. */
  | {
      readonly type: 'connect'
      readonly url: string
      readonly prefix: string
      readonly from: number
      readonly count: number
      /** How many handshakes may be under way at once. */
      readonly inFlight: number
      /** How long they take to answer commands; at once where it is absent. */
      readonly answersAfterMs?: number
    }
  /** All of them lose their connections at once, without a word, and are forgotten. */
  | { readonly type: 'drop' }
  /** The first `active` charge points talk without pause, one CALL outstanding each, until `quiet`. */
  | { readonly type: 'talk'; readonly conversation: Conversation; readonly active: number }
  | { readonly type: 'quiet' }
  /** Every charge point starts, or stops, a transaction on each of its `connectors`, one CALL outstanding. */
  | {
      readonly type: 'transactions'
      readonly phase: TransactionPhase
      readonly connectors: number
      /** Meter values of each transaction, all in the one message of the phase `meter`. */
      readonly samples?: number
    }
  /** Connectors change their status, so many a second in all, whatever the answers do. */
  | { readonly type: 'statuses'; readonly ratePerSecond: number; readonly seconds: number }
  /**
   * Cars begin to charge at connector 1, so many a second, each at the next charge point, and leave after their time. Latency is that from the
   * due time of a StartTransaction to the answer to the limit of its transaction; a car that got none has failed.
   */
  | {
      readonly type: 'cars'
      readonly ratePerSecond: number
      readonly seconds: number
      readonly staySeconds: number
    }
  /** Listens as so many roaming partners from now on; what they are told of what `roam` says is measured, but for the last of them. */
  | { readonly type: 'receive-pushes'; readonly port: number; readonly partners: number }
  /** Whether the last partner answers. */
  | { readonly type: 'hang'; readonly hangs: boolean }
  /**
   * At the connectors from one on, in the order of their charge points: drivers of partners in turn begin a charge, or its energy is metered, or the
   * status changes, so many a second. Latency is that from the message to the partner; ends when nothing more comes.
   */
  | {
      readonly type: 'roam'
      readonly what: RoamingPhase
      readonly ratePerSecond: number
      readonly from: number
      readonly count: number
      readonly connectors: number
      readonly partners: number
      /** For what is on its way when all is said. */
      readonly patienceMs: number
    }
  /**
   * Charge points show a card of a partner, so many a second, about which the partner is asked each time. Latency is that from the Authorize to its
   * answer, without the time that the partner has taken.
   */
  | { readonly type: 'authorize'; readonly ratePerSecond: number; readonly seconds: number }
  /** Listens for webhooks from now on; marks tell what came. */
  | { readonly type: 'receive'; readonly port: number }
  /** Follows so many event streams from now on; marks tell what came. */
  | { readonly type: 'follow'; readonly url: string; readonly key: string; readonly streams: number }
  /** What was done since the last mark. */
  | { readonly type: 'mark' }
  /** Operator commands at a fixed rate, whatever the answers do. */
  | {
      readonly type: 'commands'
      readonly url: string
      readonly key: string
      readonly chargePointIds: readonly string[]
      readonly ratePerSecond: number
      readonly seconds: number
      readonly connections: number
    }
  /** Installers log in at a fixed rate, whatever the answers do. */
  | {
      readonly type: 'logins'
      readonly url: string
      readonly emails: readonly string[]
      readonly password: string
      readonly ratePerSecond: number
      readonly seconds: number
      readonly connections: number
    }
  /** Whole charge points connect and boot, and do what they are asked from now on. */
  | { readonly type: 'connect-boxes'; readonly url: string; readonly ids: readonly string[] }
  /** The commissionings of all these charge points start at once; ends with the last of them. One that does not pass has failed. */
  | {
      readonly type: 'commission'
      readonly url: string
      readonly installers: readonly { readonly token: string; readonly chargePointIds: readonly string[] }[]
    }
  /** Bulk commands of `targets` charge points each, one after the other. */
  | {
      readonly type: 'bulk'
      readonly url: string
      readonly key: string
      readonly chargePointIds: readonly string[]
      readonly targets: number
      readonly repetitions: number
    }
  /** The same GET over and over, one at a time. */
  | {
      readonly type: 'get'
      readonly url: string
      readonly key: string
      readonly path: string
      readonly repetitions: number
    }

export interface Latency {
  readonly p50: number
  readonly p90: number
  readonly p99: number
  readonly maximum: number
}

export interface GeneratorReport {
  /** Round trips, connections or requests that succeeded. */
  readonly completed: number
  readonly failed: number
  /** The first failure's text. */
  readonly failure: string | undefined
  readonly seconds: number
  /** Of the generator itself, all threads. Near 1 core the generator is what was measured. */
  readonly cpuSeconds: number
  /** Milliseconds. */
  readonly latency: Latency
}

export type GeneratorMessage =
  | { readonly type: 'done'; readonly report: GeneratorReport }
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'progress'; readonly completed: number }
