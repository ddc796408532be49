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
    find: 'sessionEnded(closed),\n            ...warnOfImplausible',
    replace: '...warnOfImplausible',
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
  {
    name: 'correction-unpaid',
    bug: 'a late StopTransaction corrects what a guest was charged for, and not what it has paid',
    file: 'src/actors/guest-session/correction.js',
    find: "if (row.end !== 'charged' || row.session_id === undefined)",
    replace: 'if (row !== undefined)',
  },
  {
    name: 'silence-for-ever',
    bug: 'the session of a charge point that is gone for good runs on',
    file: 'src/actors/charge-point/silence.js',
    find: '.filter((session) => ends(session) <= now)',
    replace: '.filter(() => false)',
  },
  {
    name: 'end-not-stored',
    bug: "the provider is asked for a guest's money before the end of the charge is on disk",
    file: 'src/actors/guest-session/guest-session.js',
    find: '...save(state, stopped, context),\n        guestEvent(guestSessionStopped, stopped),',
    replace: 'guestEvent(guestSessionStopped, stopped),',
  },
  {
    name: 'two-guests',
    bug: 'two guests at once get the same connector',
    file: 'src/api/guest-connectors.js',
    find: 'if (isClaimed(view, before, services.clock.now()))',
    replace: 'if (false)',
  },
  {
    name: 'late-session-unbilled',
    bug: 'what is priced after its month was closed is on no invoice',
    file: 'src/actors/billing/billing.js',
    find: 'closing.progress === undefined ? []',
    replace: 'true ? []',
  },
  {
    name: 'corrections-not-summed',
    bug: 'the corrections of earlier months are on an invoice, and not in its sums',
    file: 'src/actors/billing/month.js',
    find: 'addAmounts(draft.sums, item);',
    replace: "if (item.type === 'sessions') addAmounts(draft.sums, item);",
  },
  {
    name: 'invoice-number-twice',
    bug: 'the next month begins with the number of the last invoice',
    file: 'src/actors/billing/number-invoices.js',
    find: 'last: last + waiting.length,',
    replace: 'last,',
  },
  {
    name: 'invoice-of-any-month',
    bug: 'the invoice of a month takes the place of the one before',
    file: 'src/actors/billing/month.js',
    find: 'export function invoiceIdOf(organizationId, month, currency) {',
    replace: "export function invoiceIdOf(organizationId, _month, currency, month = '') {",
  },
  {
    name: 'mail-attempt-not-noted',
    bug: 'a mail is sent, and that it was tried is not on disk',
    file: 'src/actors/mail/mail.js',
    find: 'effect.put(mailsTable, state.row),\n        wakeAt(',
    replace: 'wakeAt(',
  },
  {
    name: 'mail-not-tried-again',
    bug: 'a mail that the mail server did not take is forgotten',
    file: 'src/actors/mail/mail.js',
    find: "if (result?.type === 'sent') {",
    replace: "if (result?.type !== 'refused') {",
  },
  {
    name: 'week-not-noted',
    bug: 'that a week was reported is not stored',
    file: 'src/actors/weekly-report/weekly-report.js',
    find: 'effect.put(weeklyReportsTable, { organization_id: context.id, week: week.monday }),',
    replace: '',
  },
  {
    name: 'done-and-forgotten',
    bug: 'a request under an Idempotency-Key that was carried out is forgotten where its answer cannot be stored',
    file: 'src/api/steps/idempotency.js',
    find: 'isBegun && !isCarriedOut',
    replace: 'isBegun && living === undefined',
  },
  {
    name: 'removal-races-with-start',
    bug: 'a charge point is removed in the moment in which a session starts there',
    file: 'src/api/routes/charge-points.js',
    find: "condition: none(sessionsTable, 'activeAtChargePoint', running),",
    replace: "condition: { table: chargePointsTable.name, key, is: 'version', version },",
  },
]
