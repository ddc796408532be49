// Every bound of the system, by name. A queue, map or payload that is not bounded here is a defect.

import { checkLimits } from './limit-relations.js'

export const limits = {
  /** Heap for young objects of a front or a shard: V8's own choice keeps 40 MB a thread resident for little gain here. */
  youngGenerationMegabytes: 32,
  /** One OCPP frame, in bytes; a longer one closes the socket with 1009. */
  frameBytes: 65_536,
  /** A frame too long is still read up to this size, so that it can be refused in words; one beyond it just cuts the connection. */
  unreadableFrameBytes: 262_144,
  /** A TLS client's ClientHello, and the records that it comes in, empty ones too, where two certificates make the choice depend on it. */
  clientHelloBytes: 16_384,
  clientHelloRecords: 32,
  /** How long it may take from the beginning of the connection, ms. */
  helloWithinMs: 10_000,
  /** Connections that have not sent all of it: in all, and from one address. One more ends the one that has waited longest. */
  waitingHellos: 1_000,
  waitingHellosPerAddress: 250,
  /** How long the other side of such a connection may take to read the last of it once it has ended, ms. */
  lastWordsWithinMs: 10_000,
  /** Bytes waiting for a socket that does not read; over it the socket is closed. */
  socketBackpressureBytes: 131_072,
  /** Characters of an OCPP message id; the standard has 36, and chargers with longer ones are still answered. */
  messageIdLength: 255,
  /** What one inbound OCPP payload broke, kept with it; further violations of the same payload are not listed. */
  violationsPerPayload: 50,
  /** Characters kept of a value that a charge point should not have sent. */
  violationReceivedLength: 100,
  /** Characters of a decimal number in a sampled value; longer ones are no measurement. */
  decimalLength: 64,
  /** Faults listed for one outbound OCPP payload of an API caller. */
  callFaults: 50,
  /** Malformed frames in a row before the socket is closed with 1002. */
  malformedFramesInARow: 10,
  /** Messages waiting for one actor. */
  mailboxMessages: 1_000,
  /** How often an actor handles one message at most, whose requirement somebody else's commit has overtaken each time. */
  messageAttempts: 4,
  /** Actors that shards have ended of lately, and that are remembered for it. */
  suspects: 1_000,
  /** How long the actors of a shard, or one walk over rows, work on before other work of their thread has its turn. */
  sliceMs: 10,
  /** Frames that a front holds for one shard until they are acknowledged. */
  resendWindowFrames: 100_000,
  /** Characters of these frames: a stuck shard and charge points with long frames must not fill the memory meanwhile. */
  resendWindowCharacters: 134_217_728,
  /** Frames that a front keeps of a charge point whose own registration is not on disk yet. */
  heldFrames: 16,
  /** Characters of these frames: one of the longest kind, and some. */
  heldCharacters: 131_072,
  /** Commands waiting for one charge point, the outstanding one not counted. */
  callQueue: 32,
  /** Operator commands a second for one charge point. */
  commandsPerSecond: 10,
  bulkTargets: 100,
  /** Asks of one thread that wait for an answer. */
  asks: 50_000,
  requestBodyBytes: 1_048_576,
  /** Objects and arrays within each other, in JSON from callers and charge points that is stored or passed on. */
  nesting: 32,
  /** Faults listed in one 400 answer. */
  errorDetails: 50,
  /** Unknown fields and parameters of one request that its answer names. */
  unknownFields: 50,
  /** Characters of the path of one of them, before it is encoded; a longer one is cut. */
  unknownFieldCharacters: 200,
  /** Characters of the header that names them. */
  unknownFieldsHeaderCharacters: 2_000,
  /** A body up to this size is checked for all its faults, a longer one for the first. */
  thoroughlyCheckedCharacters: 16_384,
  /** A quota agreed with an organization. */
  requestsPerHour: 1_000_000_000,
  /** API keys of one organization, expired ones that are still listed included. */
  apiKeys: 1_000,
  /** How far ahead the end of an API key may lie. */
  apiKeyDays: 3_650,
  /** How long a key's old text may stay good after its rotation. */
  keyOverlapSeconds: 86_400,
  /** Keys of a charge point, beside the last two, that it may still have because it has answered no push of another. */
  earlierAuthorizationKeys: 8,
  /** Characters of a request's body, as JSON, that the audit log keeps; of a longer one, the largest fields are left out. */
  auditedBodyCharacters: 8_192,
  /** Ids of one answer that the audit log keeps. */
  auditedIds: 20,
  /** Keys whose use is counted in memory, for their quota and for when they were last used. */
  countedKeys: 100_000,
  /** Characters of an Idempotency-Key. */
  idempotencyKeyCharacters: 255,
  /** How long a repeat waits for the first request under its key, where that came over another front. */
  idempotentWaitMs: 75_000,
  /** Requests under a key that a front could not end in the store, and tells other fronts of when it takes writes again. */
  unsettledClaims: 1_000,
  /** How often a request that lost a race is tried again on what is stored then: about so many may change one thing at once. */
  commitAttempts: 32,
  /** How often a front tries to have interrupted commands recorded, while shards end. */
  recordAttempts: 3,
  /** Events that one page of the feed reads to find those that are asked for; after them it is cut, and says where it goes on. */
  feedEventsPerPage: 10_000,
  /** Event streams of one front, and of one organization on it. */
  eventStreams: 10_000,
  eventStreamsPerOrganization: 1_000,
  /** Events that a stream reads at once, and characters that it writes at once. */
  streamedEventsPerRead: 200,
  streamedCharactersPerPart: 65_536,
  /** Newest events of an organization, encoded once for all its streams on a front. */
  streamTailEvents: 1_000,
  streamTailCharacters: 262_144,
  /** Parts made of them that are kept for other streams at the same place. */
  streamTailParts: 16,
  /** Days of one revenue report. */
  revenueDays: 366,
  /** Organizations whose months and weeks are looked at before a front goes on with other work: dates in time zones take long. */
  organizationsPerStep: 25,
  /** Rows that a filtered list reads before it lets other requests go on. */
  rowsPerWalkStep: 200,
  /** Charge points whose commands of the last second one command router remembers. */
  ratedChargePoints: 10_000,
  /** Envelopes of one link that a shard remembers, so that one which comes twice is handled once. */
  recentEnvelopes: 10_000,
  /** Status changes kept of one session; an even number, since the older half of more is kept as sums. */
  sessionStatuses: 200,
  /** The newest meter values of a session among which its register is looked for. */
  rowsSearchedForRegister: 1_000,
  /** The first and the last meter values of a session, each, that the explanation of its cost is made from. */
  explainingMeterValues: 4,
  /** Remote starts of one charge point that are remembered until their StartTransaction. */
  remoteStarts: 32,
  /** Tags that nobody has registered, listed for one organization. */
  unknownIdTags: 10_000,
  /** Commands that a command router remembers to have begun. */
  recentCommands: 10_000,
  /** Timed-out commands that a command router remembers until their late answers. */
  timedOutCommands: 1_000,
  /** Receipt numbers of an organization that a restore leaves out, and one more for so many a second since the backup was taken. */
  skippedReceiptsPerRestore: 1_000,
  skippedReceiptsPerSecond: 10,
  /** Invoice numbers of an issuer that a restore leaves out, and more for each organization and month that may have been billed since. */
  skippedInvoicesPerRestore: 100,
  skippedInvoicesPerOrganizationAndMonth: 5,
  /** How often a document tries for its organization's next number while others take it. */
  documentNumberAttempts: 100,
  /** Jobs waiting for one job pool. */
  jobQueue: 1_000,
  /** Receipts and invoices of one organization that wait to be printed. */
  printsPerOrganization: 50,
  /** Requests to the payment provider at the same time, and how long each may take until its outcome counts as unknown. */
  paymentsAtOnce: 32,
  paymentWithinMs: 60_000,
  /** Calls to addresses that others chose: in the outbound thread at once, and waiting to get there. */
  outboundRequests: 10_000,
  outboundQueue: 1_000,
  /** Calls to one origin: under way at once, of them without a connection yet, and waiting for their turn. */
  outboundRequestsPerOrigin: 128,
  outboundConnectsPerOrigin: 16,
  outboundWaitingPerOrigin: 1_000,
  /** Connections of these calls, idle ones included. */
  outboundConnections: 6_000,
  /** Heap of the outbound thread, over which it is replaced. */
  outboundHeapMegabytes: 1_024,
  /** The longest time that one call may be given. */
  outboundTimeoutMs: 60_000,
  outboundUrlCharacters: 2_048,
  outboundBodyCharacters: 262_144,
  /** Bytes read of an answer's body; the rest is cut off with the connection. */
  outboundAnswerBytes: 65_536,
  /** Bytes of an answer's headers, and characters kept of one that is handed on. */
  outboundHeaderBytes: 16_384,
  outboundHeaderCharacters: 1_024,
  /** Answers with a status below 200 before the one that counts. */
  outboundInterimAnswers: 16,
  /** What may come over one connection, whatever HTTP makes of it; over it the connection is closed. */
  outboundBytesPerSecond: 16_777_216,
  /** Characters of the words in which a call's failure is told. */
  outboundFailureCharacters: 300,
  /** Addresses of one name that a connection tries. */
  outboundAddresses: 8,
  /** Webhook endpoints of one organization. */
  webhookEndpoints: 200,
  /** Names and areas that one subscription, page or stream chooses events by. */
  webhookEvents: 100,
  webhookDescriptionCharacters: 500,
  webhookSecretCharacters: 256,
  /** Secrets of one endpoint that are valid at the same time, during a rotation. */
  webhookSecrets: 3,
  /** Attempts of one endpoint under way at once, while it answers, and after it has failed quickly. */
  webhookAttempts: 16,
  webhookFirstAttempts: 4,
  /** Events of one endpoint in memory: read, and not settled yet; and as many of a replay. */
  webhookWindow: 256,
  /** Deliveries of one endpoint in memory whose retry is due. */
  webhookDueRetries: 64,
  /** Events that one turn reads from the feed. */
  webhookEventsPerRead: 100,
  /** Events, and those of a replay, after which an endpoint stores its place: read again after a crash. */
  webhookUnstoredEvents: 200,
  webhookUnstoredReplays: 16,
  /** Bytes of one delivery's body. Standard Webhooks: below 20 kB. */
  webhookBodyBytes: 20_000,
  /** The longest that a Retry-After of a receiver puts a retry off. */
  webhookRetryAfterMs: 3_600_000,
  /** Tests of one endpoint that wait for their outcome. */
  webhookTests: 4,
  /** Batches waiting for the store's writer, over which new work is refused. */
  commitQueue: 100_000,
  /** Batches written in one transaction of the store; the others wait for the next, so that one group is never long. */
  groupBatches: 1_000,
  /** Bytes of one encoded key, an index entry's with its group, order and primary key included. */
  keyBytes: 1_978,
  /** Named databases in the store: one per table, one per index, and two of its own. Room for 512 tables with two or three lists each. */
  storeDatabases: 2_048,
  /** Free space of the store's disk below which it is low, where no setting says so: this, or a share of a small disk. */
  lowSpaceBytes: 1_073_741_824,
  lowSpaceShare: 0.05,
  /** Room in the data file that is allocated ahead of need when space gets low, for transactions on a full disk. */
  spaceReserveBytes: 16_777_216,
  /** Free space with which a disk that refused writes is tried again. */
  writableSpaceBytes: 1_048_576,
  /** Read transactions open at once on the store: about one per thread. */
  storeReaders: 126,
  /** Due wake-ups that a shard reads at once, and messages waiting over which it waits before it reads more of many. */
  wakeUpsPerSweep: 1_000,
  /** Rows that a migration reads before it writes them. */
  migrationRows: 1_000,
  /** Rows pruned in one pass, so that retention never holds up a commit. */
  prunedRowsPerPass: 500,
  /** Faults listed for a store that is not consistent. */
  storeFaults: 20,
  /** Numbers of a sequence that a restore leaves out in each partition, for those given out since the backup was taken. */
  skippedNumbersPerRestore: 16_384,
  /** How long one partition takes for one more number at most, on average, in the time since a backup. */
  secondsPerSkippedNumber: 40,
  /** Sessions and connectors of one charge point whose newest meter values are remembered. */
  sampledOwners: 100,
  /** Timed-out calls of one charge point whose late answer is still recognised. */
  lateCalls: 64,
  /** Refused connection attempts written to the store a second; the rest are only counted. */
  refusedAttemptsPerSecond: 100,
  /** Of them, those of one organization: strangers that knock without end leave room for the others' attempts. */
  refusedAttemptsPerOrganization: 25,
  /** A charge point's reservations that may still be used, looked through when a session starts. */
  activeReservations: 100,
  /** Rows of one turn that a thread remembers so as not to read them twice. */
  rowsOfSnapshot: 1_000,
  /** Alerts of one kind and organization that become due in one look, so that an outage of a fleet is not one burst. */
  alertsPerLook: 500,
  /** Those of all organizations: what is left is in the next look. */
  alertsPerLookInAll: 2_000,
  /** Organizations that are told in one look that they have alerts to mail. */
  mailedOrganizationsPerLook: 500,
  /** Mails about alerts to one organization in an hour; what they leave is in the first of the next. */
  alertMailsPerHour: 10,
  /** Those that go out beyond these, because what they tell is critical. */
  criticalAlertMailsPerHour: 10,
  /** Alerts at a time that get a mail each; more are one mail together. */
  singleAlertMails: 3,
  /** Alerts that one mail sums up, and those of them that it names. */
  alertsPerMail: 5_000,
  alertMailLines: 20,
  /** Causes of alerts that are watched at one charge point: each faulted connector is one. */
  watchesPerChargePoint: 100,
  /** How long a payment provider is asked to capture or release before it is taken for failed. */
  paymentRetriesMs: 604_800_000,
  /** Members of one organization. */
  members: 1_000,
  /** Open invitations of one organization, of each kind. */
  openInvitations: 1_000,
  /** Invitations that one organization makes in a day: each is a mail to somebody who may not want it. */
  invitationsPerDay: 500,
  /** Site owners of one organization. */
  siteOwners: 10_000,
  projectsPerSiteOwner: 100,
  documentsPerSiteOwner: 20,
  /** Integration requests of one organization that nobody has looked at. */
  submittedIntegrationRequests: 100,
  /** How long a mail that the mail server does not take is tried again. */
  mailRetriesMs: 259_200_000,
  /** Mails that are handed to the mail server at the same time; the others wait. */
  mailsAtOnce: 8,
  /** Characters of a tokenised payment method. */
  paymentMethodCharacters: 255,
  /** Requests that wait for one guest session's charge to end. */
  guestStopWaiters: 16,
  /** How often a guest tries for a connector that others try for at the same time. */
  connectorClaimAttempts: 5,
  /** Running sessions of one charge point among which that of a connector is looked for. */
  runningSessionsLookedAt: 100,
  /** Refunds of one guest session; what is corrected after that is given back by hand. */
  guestRefunds: 50,
  /** Wh of one session that are priced: 1 MW for more than a year. With the bounds below, every sum of money is exact in a number. */
  pricedEnergyWh: 10_000_000_000,
  /** Seconds of one session that are priced: a hundred years. */
  pricedSeconds: 3_153_600_000,
  graceMinutes: 600_000,
  /** A price per kWh, per hour or per session, and an amount in a billing rule. */
  price: 1_000_000,
  /** A step_size, in Wh or seconds. */
  stepSize: 1_000_000,
  /** What a driver may expect a session to have cost. */
  /** Events behind an endpoint's place that are looked at to count those that wait. */
  webhookWaitingLookedAt: 200,
  expectedCost: 1_000_000_000,
  /** The cost of one session before tax, in minor units of its currency: neither lines nor billing rules raise it further. */
  costMinorUnits: 450_000_000_000_000,
  /** Billing rules of one organization: all that are active run for each of its sessions. */
  billingRules: 200,
  ruleConditions: 20,
  ruleActions: 20,
  /** Values of one `in` or `not_in`. */
  conditionValues: 200,
  /** Ended sessions that one simulation of billing rules reads; after them it is cut, and says where it goes on. */
  simulatedSessions: 10_000,
  /** Sessions that a simulation prices before it lets other requests go on. */
  simulatedSessionsPerStep: 25,
} as const

checkLimits(limits)
