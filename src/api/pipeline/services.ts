// What routes may use: reads, commits, questions to actors, time and chance. The front thread provides it.
// Routes reach nothing else, so the same route runs in a test over a store in memory.

import type { Logger } from 'pino'
import type { FrameBounds, RecentFrames } from '../../edge/frame-recorder.js'
import type { RingFrame } from '../../edge/frame-ring.js'
import type { CommissioningTemplate } from '../../records/commissioning-template.js'
import type { SharedTemplate } from '../../records/configuration-template.js'
import type { Presence } from '../../records/presence.js'
import type { Address, JobOutcome } from '../../runtime/actor/actor.js'
import type { Sealer } from '../../runtime/sealing.js'
import type { ServiceClock } from '../../runtime/steady-time.js'
import type { Change, CommitResult, Condition, ReadView } from '../../runtime/store/store.js'
import type { SeriesPart, SeriesQuery } from '../../runtime/thread/series-ring.js'
import type { LongReads } from './long-reads.js'
import type { BodyStream } from './message.js'
import type { Throttles } from './throttles.js'

/** How much the service has to shed: 0 nothing, 1 new connections, 2 lists as well, 3 commands as well. */
export type OverloadLevel = 0 | 1 | 2 | 3

export interface Readiness {
  readonly ok: boolean
  /** By name of what was looked at: `ok`, or what is wrong. */
  readonly checks: Readonly<Record<string, string>>
}

/** One answered request, for the metrics. */
export interface RequestMeasure {
  /** The route's operation id, or `unmatched`. */
  readonly operationId: string
  readonly method: string
  readonly status: number
  readonly milliseconds: number
}

/** Who may sign up as an installer: anybody, whoever confirms their address, or nobody. */
export type InstallerSignup = 'open' | 'confirmed' | 'closed'

export interface ApiConfiguration {
  /** Where charge points connect, without a path: `ws://127.0.0.1:8080`. */
  readonly ocppUrl: string
  /** Where others reach the API, without a path: `http://127.0.0.1:8080`. */
  readonly apiUrl: string
  /** What is set aside for a guest, in units of the currency. */
  readonly guestPreauthorisationAmount: number
  /** API requests an hour of a key of the enterprise plan; no quota when absent. */
  readonly enterpriseQuotaPerHour?: number
  readonly installerSignup: InstallerSignup
  /** Whether people may sign in where others can read along (`--console-insecure`). */
  readonly consoleInsecure?: boolean
  /** The identity provider of the installation, by the name that people know it by. */
  readonly singleSignOn?: { readonly name: string }
  /** Whether there is a mail server; without one, mails are written to files. */
  readonly sendsMail?: boolean
  /** Which invitations are mails with a link to where they are accepted. */
  readonly invitationLinks?: { readonly members: boolean; readonly siteOwners: boolean }
  /** Whether installers commission only once their identity has been verified. */
  readonly requireIdentity: boolean
  /** How charge points can connect to the service itself. */
  readonly security: {
    readonly tls: boolean
    readonly issuesCertificates: boolean
    /** PEM of the authority of its own certificate; undefined where it is not known. Throws where its file cannot be read. */
    authority(): string | undefined
  }
  /** Those from the files of the installation, and those that are built in; the latter alone when absent. */
  readonly configurationTemplates?: readonly SharedTemplate[]
  /** The same of commissionings. */
  readonly commissioningTemplates?: readonly CommissioningTemplate[]
}

export interface StreamOptions {
  readonly organizationId: string
  readonly callerId: string
  /** Undefined for what comes from now on. */
  readonly after: string | undefined
  readonly types: readonly string[] | undefined
  /** Only events of this site. */
  readonly siteId: string | undefined
  /** Whether the key is still good for it. */
  readonly isAllowed: () => boolean
}

export interface EventStreamSource {
  /** Throws `too_many_streams` or `overloaded`; counts once it is read. */
  stream(options: StreamOptions): BodyStream
}

export interface FleetPageQuery {
  readonly after?: string | undefined
  readonly limit: number
}

export interface FleetStreamOptions {
  readonly organizationId: string
  readonly callerId: string
  /** Undefined for what changes from now on. */
  readonly cursor: string | undefined
  readonly watch: readonly string[]
  /** Whether the key is still good for it. */
  readonly isAllowed: () => boolean
}

export interface FleetSource {
  /**
   * A page of the snapshot as JSON, which others may be sent too; compressed by gzip where that is asked for. What was begun for clients that are all gone ends. Rejects with `overloaded` where too much is
   * asked for at once, or it takes too long.
   */
  page(organizationId: string, query: FleetPageQuery, compressed: boolean, isGone: () => boolean): Promise<Uint8Array>
  /** Throws `too_many_streams` or `overloaded`; counts once it is read. */
  stream(options: FleetStreamOptions): BodyStream
  /** Whether it is in memory: then what needs attention is at hand. */
  isKept(organizationId: string): boolean
  /** What needs attention, as the route declares it. */
  attention(organizationId: string, isGone: () => boolean): Promise<object>
}

/** A part of the last day of the installation. */
export interface InstallationPart extends Omit<SeriesPart, 'from'> {
  /** Wall ms of the beginning of the first step. */
  readonly startsAt: number
}

export interface InstallationSource {
  /** Up to the newest second. */
  series(query: SeriesQuery): Promise<InstallationPart>
  /** Each second as it comes. Throws `too_many_streams`. */
  stream(isAllowed: () => boolean): BodyStream
  /** An operator says that the clock is right; resolves with whether the disk took it. */
  confirmClock(): Promise<boolean>
}

/** A load test as its tool has reported it last. */
export interface NotedLoadRun {
  readonly runId: string
  /** As the route declares it. */
  readonly progress: object
}

export interface RunningLoadRun extends NotedLoadRun {
  readonly isAskedToEnd: boolean
}

/** Load tests that run now. */
export interface LoadRunBoard {
  note(run: NotedLoadRun): Promise<RunningLoadRun>
  /** The newest first. */
  running(): Promise<readonly RunningLoadRun[]>
  /** Undefined where there is no such run. */
  askToEnd(runId: string): Promise<RunningLoadRun | undefined>
  ended(runId: string): Promise<void>
}

/** What charge points and the service have said to each other lately, and say now, on whatever front: without secrets. */
export interface FrameSource {
  /** By the name of the registration (`recordedName`). */
  recent(name: string, bounds: FrameBounds): Promise<RecentFrames>
  /** Returns what ends it. */
  follow(name: string, listener: (frame: RingFrame) => void): () => void
}

export interface MessageStreamOptions {
  readonly organizationId: string
  readonly callerId: string
  /** Of the registration (`recordedName`). */
  readonly name: string
  /** Which messages are wanted: parameters of the route. */
  readonly selection: object
  /** Whether the caller is still good for it, and the charge point still its organization's. */
  readonly isAllowed: () => boolean
}

export interface MessageStreamSource {
  /** Throws `too_many_streams` or `overloaded`; counts once it is read. */
  stream(options: MessageStreamOptions): BodyStream
}

export interface Services {
  view(): ReadView
  /** Atomic, resolves when the disk has it. The implementation adds partition, epoch and sequence. */
  commit(changes: readonly Change[], conditions?: readonly Condition[]): Promise<CommitResult>
  /** Rejects with an AmpshardError: `timeout`, `overloaded`, or what the actor's shard reported. */
  ask(to: Address, message: unknown, timeoutMs: number): Promise<unknown>
  tell(to: Address, message: unknown): void
  /**
   * Present where an earlier request under the same Idempotency-Key was cut short. What it asked of actors may have been done, so
   * `ask` and `commit` throw `overloaded`; this asks what became of it. `newId` gives the same ids of commands again.
   */
  readonly earlier?: Pick<Services, 'ask'>
  /** Slow work, by the job's name, in the job pool; never rejects. */
  runJob(job: string, input: unknown): Promise<JobOutcome>
  readonly eventStreams: EventStreamSource
  readonly fleets: FleetSource
  readonly installation: InstallationSource
  readonly loadRuns: LoadRunBoard
  readonly frames: FrameSource
  readonly messageStreams: MessageStreamSource
  readonly longReads: LongReads
  readonly throttles: Throttles
  readonly clock: ServiceClock
  /** Ids grow strictly, so that they sort as they were made; `prefix` without its underscore. */
  newId(prefix: string): string
  randomBytes(length: number): Buffer
  /** For secrets that are stored and have to be read again. */
  readonly sealer: Pick<Sealer, 'seal' | 'canOpen'>
  /** This node, and which others live: what one that has ended called connected is not. */
  readonly presence: Presence
  overloadLevel(): OverloadLevel
  draining(): boolean
  /** False while the disk refuses writes, or keeps its last room for charge points. */
  recordsCommands(): boolean
  ready(): Readiness | Promise<Readiness>
  /** In the Prometheus text format. */
  metrics(): Promise<string>
  observe(measure: RequestMeasure): void
  readonly log: Logger
  readonly config: ApiConfiguration
}
