// Worlds of their own for bugs that the usual ones show rarely: small, and with little but what the bug needs.

import type { MutantWorld } from './mutant.js'

/** Shards and processes that end again and again, and a store that makes them wait. */
const ends: MutantWorld = {
  chargePoints: 40,
  aspects: [],
  rates: { shardCrash: 1 / 200, processKills: 2, storeBusy: 0.3, commitStalled: 0.01, commitRefused: 0.01 },
}
/** Partitions that move from shard to shard all the time, under shards that end now and then. */
const moves: MutantWorld = {
  chargePoints: 40,
  aspects: [],
  rates: { partitionMoves: 100, shardCrash: 1 / 2_000, storeBusy: 0.3 },
}
/** The same as ends, with a clock that is set. */
const clocks: MutantWorld = { ...ends, rates: { ...ends.rates, clockSteps: 10 } }
/** Sockets that break, unnoticed by one end or the other, beside others of the same charge point. */
const sockets: MutantWorld = {
  chargePoints: 40,
  aspects: [],
  rates: {
    shardCrash: 1 / 200,
    socketDrops: 4,
    halfOpen: 0.5,
    doubleConnections: 4,
    frameLost: 0.02,
    frameRepeated: 0.02,
  },
}
/** Charge points that are gone for good, and a service that is started anew; the clock never leaps. */
const deaths: MutantWorld = { chargePoints: 80, aspects: [], rates: { deaths: 20, processKills: 2 } }
/** Charge points that are gone for good, and a clock that leaps over the time for which they are waited for. */
const silence: MutantWorld = { chargePoints: 40, aspects: ['administrators'], rates: { deaths: 8 } }
const guests: MutantWorld = { chargePoints: 80, aspects: ['guests'], rates: {} }
const webhooks: MutantWorld = {
  chargePoints: 40,
  aspects: ['webhooks'],
  rates: { receiversAway: 3, deliveryTrouble: 0.3 },
}

/** The end of a month, and charge points whose messages come late. */
const months: MutantWorld = { aspects: ['periods'], rates: { socketDrops: 1.5, powerLosses: 0.7 } }
/** The same, and sessions that operators close before their charge points end them. */
const corrections: MutantWorld = { aspects: ['periods', 'administrators'], rates: {} }
/** Mails, and a mail server in trouble. */
const mails: MutantWorld = { chargePoints: 40, aspects: ['periods'], rates: { mailTrouble: 0.5 } }

/** A charge point that sends more than it may, and processes that end. */
const excess: MutantWorld = { chargePoints: 5, aspects: ['excess'], rates: { processKills: 3 } }

/** Installers, and little else: processes and shards that end, and sockets that break, while charge points answer oddly. */
const installers: MutantWorld = {
  chargePoints: 5,
  aspects: ['installers'],
  rates: { processKills: 3, shardCrash: 1 / 500, socketDrops: 1, powerLosses: 0.3, frameLost: 0.01, oddAnswers: 0.2 },
}
/** The same, with a clock that is set. */
const installersClocks: MutantWorld = { ...installers, rates: { ...installers.rates, clockSteps: 10 } }

/** Sites, and little else. */
const sites: MutantWorld = { chargePoints: 3, aspects: ['sites'], rates: {} }
/** The same, with shards and processes that end, sockets that break, and calls that are lost or answered oddly. */
const sitesLost: MutantWorld = {
  ...sites,
  rates: {
    processKills: 2,
    shardCrash: 1 / 500,
    socketDrops: 2,
    halfOpen: 0.5,
    powerLosses: 1,
    frameLost: 0.01,
    oddAnswers: 0.2,
  },
}
/** Sites, and charge points that restart, some after minutes. */
const sitesRestarts: MutantWorld = { ...sites, rates: { powerLosses: 3 } }
/** Sites, with a clock that is set. */
const sitesClocks: MutantWorld = { ...sites, rates: { clockSteps: 10 } }
/** Sites, and sessions that operators close before their charge points end them. */
const sitesClosed: MutantWorld = { ...sites, aspects: ['sites', 'administrators'] }

/** A roaming partner in trouble, and processes and shards that end. */
const roaming: MutantWorld = {
  chargePoints: 40,
  aspects: ['partners'],
  rates: { processKills: 3, shardCrash: 1 / 500, commitRefused: 0.02, receiversAway: 3, deliveryTrouble: 0.2 },
}
/** The same, with a clock that is set. */
const roamingClocks: MutantWorld = { ...roaming, rates: { ...roaming.rates, clockSteps: 10 } }
/** A roaming partner, and sessions that operators close before their charge points end them. */
const roamingCorrected: MutantWorld = { aspects: ['partners', 'administrators'], rates: { receiversAway: 3 } }

export const worlds = {
  ends,
  moves,
  clocks,
  sockets,
  deaths,
  silence,
  guests,
  webhooks,
  months,
  corrections,
  mails,
  excess,
  installers,
  installersClocks,
  sites,
  sitesLost,
  sitesRestarts,
  sitesClocks,
  sitesClosed,
  roaming,
  roamingClocks,
  roamingCorrected,
} as const satisfies Record<string, MutantWorld>
