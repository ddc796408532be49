// Bounds of the actor: charge point.

import { defineLimits } from '../../runtime/define-limits.js'

export const limits = defineLimits(
  {
    /** Who wait for the answer to one ping of a charge point. */
    connectionTesters: 16,
    /** Malformed frames in a row before the socket is closed with 1002. */
    malformedFramesInARow: 10,
    /** Messages of one charge point that are logged in a minute; the others are counted. */
    loggedMessagesPerMinute: 60,
    /** Its requests whose answers leave later, and that are remembered for the log; connections that began or ended between two logged messages. */
    unansweredRequests: 8,
    loggedConnections: 8,
    /** What is counted of the rules that it breaks is noted so often at most, ms; how long an example of each stays, and what is kept of where it is. */
    conformanceNotedEveryMs: 60_000,
    deviationExampleMs: 3_600_000,
    deviationPathCharacters: 200,
    /** What a message of a capture counts for beside its frames, in bytes. */
    capturedMessageBytes: 200,
    /** A charge point with a car repeats its report to its site after so long. */
    siteReportMs: 300_000,
    /** Commands waiting for one charge point, the outstanding one not counted. */
    callQueue: 32,
    /** Bytes of the disk that what one charge point says may take for each of its connectors in an hour, and at once after it has said little. */
    storedBytesPerHour: 8_388_608,
    storedBytesAtOnce: 16_777_216,
    /** Connectors of one charge point that count for that. */
    connectorsOfAllowance: 8,
    /** Transactions that one charge point may begin, or have kept apart, in an hour, and at once after it has begun few. */
    transactionsPerHour: 300,
    transactionsAtOnce: 1_000,
    /** The same of a charge point that no organization has claimed: it is tried out, and anybody can sign up as its installer. */
    unclaimedBytesPerHour: 524_288,
    unclaimedBytesAtOnce: 2_097_152,
    unclaimedTransactionsPerHour: 20,
    unclaimedTransactionsAtOnce: 50,
    /** What may be taken of both before the row says so. */
    unsavedAllowanceBytes: 1_048_576,
    unsavedTransactions: 10,
    /** Security events of one charge point that are stored and published in an hour. */
    securityEventsPerHour: 20,
    /** What an alert shows of its type and its technical information, which is no more than OCPP allows. */
    securityEventTypeCharacters: 50,
    securityEventInfoCharacters: 255,
    /** Causes of log lines, each of one charge point, that a thread remembers, so that each is logged once an hour. */
    loggedCauses: 10_000,
    /** Causes whose lines charge points beyond that share: more than there are. */
    sharedCauses: 100,
    /** Connectors of a charge point whose status is stored, connector 0 not counted; what others say is answered and counted. */
    connectors: 100,
    /** Quantities that are stored of one instant; those that come first stay. */
    samplesOfInstant: 100,
    /** Watts or watt-hours beyond which a meter shows nothing that could be: no more than 2^53 even where the draws of all connectors are summed. */
    largestReading: 1_000_000_000_000,
    /** Status changes kept of one session; an even number, since the older half of more is kept as sums. */
    sessionStatuses: 200,
    /** The newest meter values of a session among which its register is looked for. */
    rowsSearchedForRegister: 1_000,
    /** The first and the last meter values of a session, each, that the explanation of its cost is made from. */
    explainingMeterValues: 4,
    /** Remote starts of one charge point that are remembered until their StartTransaction. */
    remoteStarts: 32,
    /** Partners that are asked about one id tag which nobody has sent, and questions of one charge point that are under way. */
    roamingPartnersAsked: 20,
    roamingQuestions: 16,
    /** Tags that nobody has registered, listed for one organization. */
    unknownIdTags: 10_000,
    /** Sessions and connectors of one charge point whose newest meter values are remembered. */
    sampledOwners: 100,
    /** Messages that one charge point was asked for by a TriggerMessage, and that have not come. */
    triggered: 100,
    /** Timed-out calls of one charge point whose late answer is still recognised. */
    lateCalls: 64,
    /** A charge point's reservations that may still be used, looked through when a session starts. */
    activeReservations: 100,
    /** Numbers of its own past sessions or reservations that a charge point's next one passes over, once numbers begin anew. */
    ownNumbersPassedOver: 256,
    /** Sessions with one transaction id among which a charge point's own is looked for. */
    sessionsOfOneNumber: 100,
    /** Between two certificate requests of one charge point that are looked at, ms. */
    certificateRequestEveryMs: 60_000,
    /** Causes of alerts that are watched at one charge point: each faulted connector is one. */
    watchesPerChargePoint: 100,
    /** Keys of a configuration: those that are applied to one charge point, and those that are stored of what one reports. */
    configurationKeys: 400,
    /** Of a configuration key (OCPP 1.6, 5.3). */
    keyCharacters: 50,
    /** Characters of all values that are stored of one charge point's configuration; what is beyond them is left out. */
    configurationCharacters: 65_536,
    /** The newest keys that a charge point does not know. */
    unknownConfigurationKeys: 100,
    /** Keys that have made a charge point restart when they were read. */
    avoidedConfigurationKeys: 20,
    /** How often a change is sent whose answer is lost. */
    configurationAttempts: 2,
    /** Restarts over the reading of one key, after which the key is left alone, and over all of an application, after which that has failed. */
    rebootsOfKey: 2,
    rebootsOfApplication: 20,
    /** Calls in a row without an answer, after which an application has failed. */
    unansweredConfigurationCalls: 3,
    /** Connections in a row that are lost over a read without an answer between them, after which an application has failed. */
    lostConfigurationReads: 10,
    /** For how long an application waits for a charge point that is away, ms. */
    applicationWaitsMs: 259_200_000,
    /** How long a charge point has for its way to a higher security profile, ms. */
    securityUpgradeMs: 86_400_000,
    /** How often a step of it is sent whose answer is lost, and how often the charge point is restarted for it. */
    upgradeAttempts: 3,
    /** How long a certificate that the charge point was asked to request is waited for, ms. */
    requestedCertificateWithinMs: 300_000,
    /** A charge point that was told to change its security profile and has not come back by itself so long is restarted, ms. */
    comesByItselfMs: 60_000,
    /** Between two restarts for it, and between looks whether it still charges, ms. */
    restartAgainMs: 3_600_000,
    chargingWaitMs: 300_000,
    /** Keys of a charge point, beside the last two, that it may still have because it has answered no push of another. */
    earlierAuthorizationKeys: 8,
    /** Between a BootNotification and the look for drift that follows, at least, ms; and over how long such looks are spread. */
    driftCheckAfterMs: 60_000,
    driftCheckSpreadMs: 900_000,
  },
  (bounds) => [
    [bounds.sessionStatuses % 2 === 0, 'the older half is kept as sums'],
    [
      bounds.unsavedAllowanceBytes < Math.min(bounds.storedBytesAtOnce, bounds.unclaimedBytesAtOnce) &&
        bounds.unsavedTransactions < Math.min(bounds.transactionsAtOnce, bounds.unclaimedTransactionsAtOnce),
      'what is taken is in the row long before nothing is left',
    ],
  ],
)
