// What the threads of the process hand and tell each other: start-up data and control calls. main.ts wires them.

import type { MessagePort } from 'node:worker_threads'
import type { WatchedCertificate } from '../actors/alert-clock/options.js'
import type { OcpiPushCounts } from '../actors/ocpi-partner/statistics.js'
import type { WebhookCounts } from '../actors/webhook-endpoint/statistics.js'
import type { EventStreamStatistics } from '../api/areas/events/event-streams.js'
import type { FleetStatistics } from '../api/areas/fleet/fleets.js'
import type { LongReadStatistics } from '../api/pipeline/long-reads.js'
import type { InstallationPart, NotedLoadRun, RunningLoadRun } from '../api/pipeline/services.js'
import type { RecorderStatistics } from '../edge/frame-recorder.js'
import type { JobOutcome } from '../runtime/actor/actor.js'
import type { HostStatistics } from '../runtime/actor/actor-host-ports.js'
import type { Quarantined } from '../runtime/actor/blame.js'
import type { OwnedPartitions } from '../runtime/actor/partition-table.js'
import type { TimeCells } from '../runtime/steady-time.js'
import type { SeriesQuery } from '../runtime/thread/series-ring.js'
import type { ThreadMemory } from '../runtime/thread/thread-memory.js'
import type { Settings } from '../settings.js'
import type { StartTime, Surroundings } from './clocks.js'
import type { FrameLinks, FrameTapControl } from './frame-taps.js'

export interface StoreStart {
  readonly settings: Settings
  readonly control: MessagePort
}

export interface StoreControl {
  /** Opens the store, and migrates it if it must. */
  open(): Promise<OpenedStore>
  connect(port: MessagePort): void
  fence(partitions: readonly number[], epochs: readonly number[]): Promise<void>
  /** An operator says that the clock is right; resolves with whether the disk took it. */
  confirmClock(): Promise<boolean>
  statistics(): StoreStatistics
  close(): Promise<void>
}

export interface OpenedStore {
  /** The number of this run. */
  readonly run: number
  /** The newest epoch of each partition, by partition. */
  readonly epochs: readonly number[]
  /** Of all threads: the store thread keeps the time. */
  readonly time: TimeCells
}

export interface StoreStatistics {
  readonly groups: number
  readonly batches: number
  readonly changes: number
  readonly milliseconds: number
  readonly refusedGroups: number
  /** False from a group that the disk refused until it takes writes again. */
  readonly writable: boolean
  /** Of the store's disk; undefined where it could not be measured. */
  readonly freeBytes: number | undefined
  readonly spaceLevel: number
  readonly refusedForSpace: number
  readonly thinnedRows: number
  readonly loopDelayMs: number
  readonly loopActiveMs: number
  readonly memory: ThreadMemory
}

export interface ShardStart {
  readonly index: number
  readonly settings: Settings
  readonly run: number
  readonly time: TimeCells
  readonly partitions: SharedArrayBuffer
  readonly alive: SharedArrayBuffer
  /** Whose turn it is in each shard: it outlives the shard. */
  readonly turns: SharedArrayBuffer
  readonly startedAt: StartTime
  readonly owns: OwnedPartitions
  /** Actors of the shard that earlier lives of it have ended of. */
  readonly quarantined: readonly Quarantined[]
  readonly store: MessagePort
  readonly control: MessagePort
  /** What main answers. */
  readonly main: MessagePort
  readonly fronts: readonly MessagePort[]
  readonly shards: readonly { readonly shard: number; readonly port: MessagePort }[]
}

export type Fault = 'throw' | 'exhaust-memory' | 'spin' | 'block'

export interface ShardControl {
  connectShard(shard: number, port: MessagePort): void
  /** Resolves when nothing more is written for these partitions, which another shard is to own. */
  release(partitions: readonly number[]): Promise<void>
  acquire(partitions: OwnedPartitions, quarantined: readonly Quarantined[]): void
  statistics(): ShardStatistics
  quiet(): boolean
  /** Makes the shard fail, to show that it may. Only where the process was started for that. */
  fail(fault: Fault): void
}

export interface ShardStatistics extends HostStatistics {
  readonly connections: number
  readonly messages: Readonly<Record<string, number>>
  /** Certificate requests of charge points, by what became of them. */
  readonly signings: Readonly<Record<string, number>>
  /** What charge points have said that was not stored, or not in full, by what it was. */
  readonly leftOut: Readonly<Record<string, number>>
  /** By kind of actor. */
  readonly dropped: Readonly<Record<string, number>>
  /** Frames of sockets that had sent more than they may. */
  readonly droppedFrames: number
  readonly webhooks: WebhookCounts
  readonly pushes: OcpiPushCounts
  readonly loopDelayMs: number
  /** How long the event loop has had something to do, since the thread began. */
  readonly loopActiveMs: number
  readonly memory: ThreadMemory
}

export interface FrontStart {
  readonly index: number
  readonly settings: Settings
  readonly shards: number
  readonly run: number
  readonly time: TimeCells
  readonly partitions: SharedArrayBuffer
  readonly alive: SharedArrayBuffer
  readonly store: MessagePort
  readonly control: MessagePort
  readonly main: MessagePort
}

export interface FrontControl extends FrameTapControl {
  connectShard(shard: number, port: MessagePort): void
  /** These partitions have owners that are ready; resolves when everything goes to them. */
  reroute(partitions: readonly number[]): Promise<void>
  /** Starts to listen, where 0 takes a free port. Throws when the address cannot be had. */
  listen(port: number): Promise<Listening>
  /** Takes no more work and waits until what runs has ended, or for `withinMs`; then closes the sockets. Resolves with what was cut short. */
  drain(withinMs: number): Promise<Unended | undefined>
  /** Drops every socket at once. The process must not end before this, but for a thread that does not answer. */
  abandon(): Promise<void>
  reloadCertificates(): Promise<void>
  statistics(): FrontStatistics
  /** Those that its listener has been opened with. */
  certificates(): readonly WatchedCertificate[]
  /** As of a shard. */
  fail(fault: Fault): void
}

/** What had not ended when the time for an orderly end was over. */
export interface Unended {
  /** Of the API, that wait for an actor. */
  readonly requests: number
  /** Of charge points, that are not handled yet. */
  readonly messages: number
  /** On their way to the disk. */
  readonly commits: number
  /** Of charge points, that did not close. */
  readonly connections: number
  /** Some of the actors that requests wait for, and of the charge points whose connections did not close. */
  readonly among: readonly string[]
}

export interface Listening {
  readonly port: number
  readonly certificates: readonly WatchedCertificate[]
}

export interface FrontStatistics {
  readonly connections: number
  readonly framesIn: number
  readonly framesOut: number
  readonly asks: number
  readonly unacknowledged: number
  readonly refused: Readonly<Record<string, number>>
  /** Connections that the service has ended by itself, by why. */
  readonly ended: Readonly<Record<string, number>>
  readonly requestsRefused: Readonly<Record<string, number>>
  /** Charge points that nobody has claimed and that were removed, by why. */
  readonly unclaimedRemoved: Readonly<Record<string, number>>
  readonly eventStreams: EventStreamStatistics
  readonly recorded: RecorderStatistics
  readonly fleets: FleetStatistics
  readonly longReads: LongReadStatistics
  readonly loopDelayMs: number
  readonly loopActiveMs: number
  readonly memory: ThreadMemory
  readonly overloadLevel: number
  readonly handling: HandlingTimes
}

/** Frames by the time from their arrival until everything that they promised was on disk; bounds in ms. */
export interface HandlingTimes {
  readonly bounds: readonly number[]
  readonly counts: readonly number[]
  readonly sumMs: number
}

export interface OutboundStart {
  readonly allowInsecure: boolean
  /** The data directory, where the keys are that tokens are sealed with. */
  readonly data: string
}

/** Signs as the job `sign-certificate`, if that makes no authority; else its outcome is undefined. */
export const signWhereMadeJob = 'sign-where-made'

/** Of a thread whose jobs take time of the processor. */
export interface JobThreadStart {
  /** As of `nice`: what charge points and callers wait for goes first. */
  readonly niceness: number
}

/** Jobs of one lane: how many there are, and since its start how many were not begun for want of room, or ended because they took too long. */
export interface JobLaneStatistics {
  readonly lane: string
  readonly underWay: number
  readonly waiting: number
  readonly refused: number
  readonly overtime: number
}

export interface MainControl extends FrameLinks {
  runJob(job: string, input: unknown): Promise<JobOutcome>
  health(): Promise<ProcessHealth>
  /** What alerts depend on, and nothing more: it is asked for every two seconds. */
  surroundings(): Promise<Surroundings>
  statistics(): Promise<ProcessStatistics>
  /** Of the last day, up to the newest second. */
  installationSeries(query: SeriesQuery): Promise<InstallationPart>
  noteLoadRun(run: NotedLoadRun): Promise<RunningLoadRun>
  runningLoadRuns(): Promise<readonly RunningLoadRun[]>
  endLoadRun(runId: string, how: 'ask' | 'ended'): Promise<RunningLoadRun | undefined>
  /** As of the store. */
  confirmClock(): Promise<boolean>
}

/** What shards ask of it. */
export type ShardMain = Pick<MainControl, 'runJob' | 'surroundings'>

/** What decides whether the service is ready. */
export interface ProcessHealth {
  readonly store: StoreStatistics
  /** By shard: whether it answers. */
  readonly shardsAnswer: readonly boolean[]
  /** By front, likewise. */
  readonly frontsAnswer: readonly boolean[]
}

export interface ProcessStatistics {
  /** Undefined for a thread that does not answer, as for shards. */
  readonly fronts: readonly (FrontStatistics | undefined)[]
  readonly shards: readonly (ShardStatistics | undefined)[]
  readonly store: StoreStatistics
  readonly jobs: readonly JobLaneStatistics[]
  readonly shardRestarts: number
  readonly usage: ProcessUsage
}

/** Of all threads together. */
export interface ProcessUsage {
  /** Processor time since the start. */
  readonly processorSeconds: number
  readonly residentBytes: number
}
