// Bugs to plant in the compiled system, one at a time: a simulator that catches none of them proves nothing.
// Each is one line of a compiled module, found by its text, so that no source carries a switch for it.

export interface Mutant {
  readonly name: string
  /** What the bug is, as a reviewer would put it. */
  readonly bug: string
  /** The compiled module, from the output folder. */
  readonly file: string
  /** Occurs once in it. */
  readonly find: string
  readonly replace: string
}

export const mutants: readonly Mutant[] = [
  {
    name: 'answer-before-flush',
    bug: 'what a turn says is released before its commit',
    file: 'src/runtime/actor-host.js',
    find: 'for (const reservation of reservations)\n            changes.push(reservation.change);',
    replace:
      'for (const reservation of reservations)\n            changes.push(reservation.change);\n        release(actor, part.turn.released.splice(0));',
  },
  {
    name: 'no-idempotency-key',
    bug: 'a repeated StartTransaction begins a session of its own',
    file: 'src/actors/charge-point/start-transaction.js',
    find: 'if (repeated !== undefined) {',
    replace: 'if (repeated !== undefined && false) {',
  },
  {
    name: 'no-fence',
    bug: 'the store takes batches of an owner that has been replaced',
    file: 'src/runtime/storage/group-commit.js',
    find: 'if (batch.epoch < newest)',
    replace: 'if (false)',
  },
  {
    name: 'late-answer-overwrites-timeout',
    bug: 'an answer after the deadline changes the status of the command',
    file: 'src/actors/command-router/command-router.js',
    find: '{ ...record, late_response: storable(payload, known?.secrets ?? []) }',
    replace: "{ ...record, status: 'Accepted', late_response: storable(payload, known?.secrets ?? []) }",
  },
  {
    name: 'repeated-envelope',
    bug: 'an envelope that comes twice is handled twice',
    file: 'src/runtime/shard.js',
    find: ' || !from.handled.add(id)',
    replace: '',
  },
  {
    name: 'sequence-starts-over',
    bug: 'transaction ids begin anew after a restart',
    file: 'src/runtime/number-sequences.js',
    find: 'next: reserved + 1,',
    replace: 'next: 1,',
  },
  {
    name: 'estimate-is-final',
    bug: 'the StopTransaction of a session that was closed by estimate changes nothing',
    file: 'src/actors/charge-point/stop-transaction.js',
    find: "if (match.session.status === 'completed')",
    replace: "if (match.session.status !== 'active')",
  },
  {
    name: 'two-calls-outstanding',
    bug: 'the next call goes out before the last one is answered',
    file: 'src/actors/charge-point/call-queue.js',
    find: 'while (calls.outstanding === undefined && connection !== undefined) {',
    replace: 'while (connection !== undefined) {',
  },
  {
    name: 'deadline-on-the-wall-clock',
    bug: 'the deadline of a command is kept on the clock that the operator may set',
    file: 'src/actors/command-router/command-router.js',
    find: 'const deadline = context.monotonic() + timeoutMs;',
    replace:
      'const deadline = context.monotonic() + timeoutMs - (context.now() - 1767225600000 - context.monotonic());',
  },
  {
    name: 'no-event-of-estimates',
    bug: 'a session that is closed by estimate ends without an event',
    file: 'src/actors/charge-point/sessions.js',
    find: '...endPower(state, closed.connector_id, context),\n        sessionEnded(closed),',
    replace: '...endPower(state, closed.connector_id, context),',
  },
  {
    name: 'ids-follow-the-clock-alone',
    bug: 'a new shard numbers its events by a clock that has gone back since',
    file: 'src/runtime/ids.js',
    find: 'if (after !== undefined)',
    replace: 'if (false)',
  },
  {
    name: 'refused-commit-is-success',
    bug: 'a commit that the disk refused is answered as if it were written',
    file: 'src/runtime/actor-host.js',
    find: 'if (result.ok) {',
    replace: 'if (true) {',
  },
  {
    name: 'memory-outlives-refused-commit',
    bug: 'an actor goes on with what the disk refused',
    file: 'src/runtime/actor-host.js',
    find: 'forget(actor, told);',
    replace: '',
  },
  {
    name: 'acknowledged-on-arrival',
    bug: 'a front forgets a frame when the shard has read it, and not when the disk has what it promised',
    file: 'src/runtime/shard.js',
    find: "if (host.deliver(entry.address, { message: { type: 'frame', connection, text }, ticket: item }))",
    replace:
      "frontOf(item)?.items.push(outbound.done, item); if (host.deliver(entry.address, { message: { type: 'frame', connection, text } }))",
  },
  {
    name: 'reading-not-stored',
    bug: 'the last meter value of a message is answered and not stored',
    file: 'src/actors/charge-point/meter-values.js',
    find: 'rows.map((row) =>',
    replace: 'rows.slice(0, -1).map((row) =>',
  },
  {
    name: 'status-change-missed',
    bug: 'a status that differs in nothing but the status counts as unchanged',
    file: 'src/actors/charge-point/status-notification.js',
    find: 'before.status === after.status &&',
    replace: '',
  },
  {
    name: 'cost-without-explanation',
    bug: 'a session ends with a cost, and what explains it is not stored',
    file: 'src/actors/charge-point/session-cost.js',
    find: 'effects: [effect.put(sessionCostsTable, row)]',
    replace: 'effects: []',
  },
  {
    name: 'interrupted-connection-untold',
    bug: 'nobody is told of connections that ended together with the process',
    file: 'src/actors/charge-point/connection-events.js',
    find: 'if (!row.connected || row.run === run)',
    replace: 'if (row !== undefined)',
  },
  {
    name: 'ended-connection-begins-again',
    bug: 'a socket that is announced again with its end counts as a new one',
    file: 'src/actors/charge-point/charge-point.js',
    find: 'if (connection.connection === state.endedConnection)',
    replace: 'if (false)',
  },
  {
    name: 'old-socket-wins',
    bug: 'a socket that is announced late replaces the newer one',
    file: 'src/actors/charge-point/charge-point.js',
    find: 'if (connection.epoch < state.epoch)',
    replace: 'if (false)',
  },
  {
    name: 'alert-not-noted',
    bug: 'an alert is raised, and that it is open is not noted in the row of its charge point',
    file: 'src/actors/charge-point/alerts.js',
    find: 'raised(watch, alert.alert_id)',
    replace: 'watch',
  },
  {
    name: 'endpoint-passes-what-is-under-way',
    bug: 'the place of a webhook endpoint moves past events that are still being delivered',
    file: 'src/actors/webhook-endpoint/progress.js',
    find: 'return item.after;',
    replace: 'break;',
  },
  {
    name: 'two-deliveries-of-a-charge-point',
    bug: 'the next event of a charge point is delivered while one is under way',
    file: 'src/actors/webhook-endpoint/attempts.js',
    find: ' || state.busySubjects.has(item.event.subject)',
    replace: '',
  },
  {
    name: 'retry-not-noted',
    bug: 'a webhook endpoint looks for the retry of a failed delivery only after the next start',
    file: 'src/actors/webhook-endpoint/reading.js',
    find: 'if (at !== undefined && at < (state.nextRetryAt ?? Number.POSITIVE_INFINITY))',
    replace: 'if (false)',
  },
  {
    name: 'refusal-is-success',
    bug: 'a receiver that answers with a server error has taken the delivery',
    file: 'src/actors/webhook-endpoint/result.js',
    find: 'status >= 200 && status < 300',
    replace: 'status >= 200',
  },
]
