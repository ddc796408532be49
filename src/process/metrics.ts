// Every metric of the service, by name: what the threads have counted, put together when somebody asks.

import { createExposition } from '../runtime/thread/prometheus.js'
import type { ThreadMemory } from '../runtime/thread/thread-memory.js'
import type { ProcessStatistics } from './threads.js'

export interface RequestTimes {
  readonly operation: string
  readonly status: number
  readonly times: { readonly bounds: readonly number[]; readonly counts: readonly number[]; readonly sumMs: number }
}

interface OfThread {
  readonly memory: ThreadMemory
  readonly loopActiveMs: number
}

/** Of those that have answered. */
function threadsOf(kind: string, threads: readonly (OfThread | undefined)[]) {
  return threads.flatMap((one, index) =>
    one === undefined ? [] : [{ thread: `${kind}/${index}`, statistics: one as OfThread }],
  )
}

export async function prometheusText(process: ProcessStatistics, requests: readonly RequestTimes[]): Promise<string> {
  const { counter, gauge, histogram, text } = createExposition()
  for (const [index, front] of process.fronts.entries()) {
    if (front === undefined) continue
    const labels = { front: String(index) }
    gauge('ampshard_connections', 'OCPP connections', front.connections, labels)
    counter('ampshard_frames_received_total', 'OCPP frames received', front.framesIn, labels)
    counter('ampshard_frames_sent_total', 'OCPP frames sent', front.framesOut, labels)
    gauge('ampshard_asks', 'questions to actors that wait for an answer', front.asks, labels)
    gauge('ampshard_unacknowledged_items', 'socket items that a shard has not finished', front.unacknowledged, labels)
    gauge('ampshard_overload_level', 'step of the overload ladder, 0 to 3', front.overloadLevel, labels)
    gauge(
      'ampshard_loop_delay_seconds',
      'longest delay of the event loop in the last second',
      front.loopDelayMs / 1000,
      { thread: `front/${index}` },
    )
    histogram(
      'ampshard_handling_seconds',
      'from the arrival of a frame until what it promised is on disk',
      front.handling,
      labels,
    )
    gauge('ampshard_event_streams', 'event streams that are open', front.eventStreams.open, labels)
    counter('ampshard_event_streams_opened_total', 'event streams opened', front.eventStreams.opened, labels)
    gauge(
      'ampshard_event_streams_behind',
      'event streams that wait to read what they have missed',
      front.eventStreams.behind,
      labels,
    )
    gauge('ampshard_fleet_streams', 'streams of fleets that are open', front.fleets.streams, labels)
    gauge(
      'ampshard_fleet_rows',
      'charge points that are kept in memory for those who watch fleets',
      front.fleets.rows,
      labels,
    )
    gauge('ampshard_long_reads', 'long reads that are under way', front.longReads.underWay, labels)
    gauge('ampshard_long_reads_waiting', 'long reads that wait for their turn', front.longReads.waiting, labels)
    counter(
      'ampshard_long_reads_refused_total',
      'long reads refused because too many of the organization wait',
      front.longReads.refused,
      labels,
    )
    counter(
      'ampshard_event_streams_slowed_total',
      'times that an event stream waited because those of its organization had been told as much as they may be in a second',
      front.eventStreams.slowed,
      labels,
    )
    counter(
      'ampshard_long_reads_abandoned_total',
      'long reads ended because the client had closed the connection',
      front.longReads.abandoned,
      labels,
    )
    counter('ampshard_events_streamed_total', 'events told, once for each stream', front.eventStreams.events, labels)
    for (const [reason, count] of Object.entries(front.refused)) {
      counter('ampshard_connections_refused_total', 'refused connection attempts', count, { ...labels, reason })
    }
    for (const [reason, count] of Object.entries(front.unclaimedRemoved))
      counter(
        'ampshard_unclaimed_removed_total',
        'charge points that no organization has claimed and that were removed',
        count,
        {
          ...labels,
          reason,
        },
      )
    for (const [reason, count] of Object.entries(front.ended))
      counter('ampshard_connections_ended_total', 'OCPP connections that the service has ended by itself', count, {
        ...labels,
        reason,
      })
    for (const [reason, count] of Object.entries(front.requestsRefused)) {
      counter('ampshard_requests_refused_total', 'HTTP requests that no route has seen', count, { ...labels, reason })
    }
  }
  for (const [index, shard] of process.shards.entries()) {
    if (shard === undefined) continue
    const labels = { shard: String(index) }
    gauge('ampshard_actors', 'actors in memory', shard.actors, labels)
    gauge('ampshard_mailbox_messages', 'messages that wait for an actor', shard.mailbox, labels)
    gauge('ampshard_commits_waiting', 'actors that wait for the disk', shard.committing, labels)
    gauge('ampshard_timers', 'timers of actors', shard.timers, labels)
    counter('ampshard_turns_total', 'turns of actors', shard.turns, labels)
    counter(
      'ampshard_failures_total',
      'messages that could not be handled and turns that could not be committed',
      shard.failures,
      labels,
    )
    gauge(
      'ampshard_loop_delay_seconds',
      'longest delay of the event loop in the last second',
      shard.loopDelayMs / 1000,
      { thread: `shard/${index}` },
    )
    for (const [action, count] of Object.entries(shard.messages)) {
      counter('ampshard_messages_total', 'OCPP messages taken, by action', count, { ...labels, action })
    }
    for (const [outcome, count] of Object.entries(shard.signings)) {
      counter('ampshard_certificate_requests_total', 'certificate requests of charge points, by outcome', count, {
        ...labels,
        outcome,
      })
    }
    counter(
      'ampshard_frames_dropped_total',
      'OCPP frames that were not handled because their connection had sent more than it may',
      shard.droppedFrames,
      labels,
    )
    for (const [what, count] of Object.entries(shard.leftOut)) {
      counter('ampshard_left_out_total', 'what charge points said that was not stored, or not in full', count, {
        ...labels,
        what,
      })
    }
    for (const [kind, count] of Object.entries(shard.dropped)) {
      counter('ampshard_messages_dropped_total', 'messages between actors that a full mailbox did not take', count, {
        ...labels,
        kind,
      })
    }
    const { succeeded, failed, lag } = shard.webhooks
    for (const [outcome, count] of Object.entries({ succeeded, failed }))
      counter('ampshard_webhook_attempts_total', 'attempts to deliver an event', count, { ...labels, outcome })
    histogram(
      'ampshard_webhook_lag_seconds',
      'from an event to the answer of its receiver, where the first attempt succeeded',
      lag,
      labels,
    )
    const { pushes } = shard
    for (const [outcome, count] of Object.entries({ succeeded: pushes.succeeded, failed: pushes.failed }))
      counter('ampshard_ocpi_pushes_total', 'attempts to tell a roaming partner of what has changed', count, {
        ...labels,
        outcome,
      })
    histogram(
      'ampshard_ocpi_push_lag_seconds',
      'from a change to the answer of the roaming partner that was told of it',
      pushes.lag,
      labels,
    )
  }
  gauge(
    'ampshard_loop_delay_seconds',
    'longest delay of the event loop in the last second',
    process.store.loopDelayMs / 1000,
    { thread: 'store' },
  )
  const threads = [
    ...threadsOf('front', process.fronts),
    ...threadsOf('shard', process.shards),
    { thread: 'store', statistics: process.store },
  ]
  for (const { thread, statistics } of threads) {
    const { memory, loopActiveMs } = statistics
    counter(
      'ampshard_loop_active_seconds_total',
      'time in which the event loop of a thread had something to do',
      loopActiveMs / 1000,
      { thread },
    )
    gauge('ampshard_heap_used_bytes', 'heap of a thread in use', memory.heapUsedBytes, { thread })
    gauge('ampshard_heap_total_bytes', 'heap of a thread', memory.heapTotalBytes, { thread })
    gauge('ampshard_external_bytes', 'memory of a thread outside its heap', memory.externalBytes, { thread })
  }
  counter('ampshard_store_groups_total', 'transactions of the store', process.store.groups)
  counter('ampshard_store_commits_total', 'batches committed', process.store.batches)
  counter('ampshard_store_changes_total', 'rows changed', process.store.changes)
  counter('ampshard_store_refused_groups_total', 'transactions that the disk refused', process.store.refusedGroups)
  counter('ampshard_store_seconds_total', 'time spent in transactions', process.store.milliseconds / 1000)
  gauge('ampshard_store_writable', 'whether the disk takes writes', process.store.writable ? 1 : 0)
  if (process.store.freeBytes !== undefined)
    gauge('ampshard_store_free_bytes', 'free space of the disk of the store', process.store.freeBytes)
  gauge('ampshard_store_space_level', 'step of the ladder of a disk that fills up, 0 to 3', process.store.spaceLevel)
  counter('ampshard_store_space_refused_total', 'batches refused because space is low', process.store.refusedForSpace)
  counter(
    'ampshard_store_thinned_rows_total',
    'meter values stored in part or not at all because space is low',
    process.store.thinnedRows,
  )
  for (const { lane, underWay, waiting, refused, overtime } of process.jobs) {
    gauge('ampshard_jobs', 'jobs that run', underWay, { lane })
    gauge('ampshard_jobs_waiting', 'jobs that wait for their turn', waiting, { lane })
    const reasons = { refused, overtime }
    for (const [reason, count] of Object.entries(reasons))
      counter(
        'ampshard_jobs_dropped_total',
        'jobs that found no room, or were ended because they took too long',
        count,
        {
          lane,
          reason,
        },
      )
  }
  counter('ampshard_shard_restarts_total', 'shards that were replaced', process.shardRestarts)
  const { processorSeconds, residentBytes } = process.usage
  counter('ampshard_processor_seconds_total', 'processor time of all threads', processorSeconds)
  gauge('ampshard_resident_bytes', 'memory of the process', residentBytes)
  for (const { operation, status, times } of requests) {
    histogram('ampshard_request_seconds', 'API requests', times, { operation, status: String(status) })
  }
  return text()
}
