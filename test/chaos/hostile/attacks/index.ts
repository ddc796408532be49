// Every attack, in the order in which they run: of charge points and strangers on connections, of charge points in what they say, and of tenants.

import type { Attack } from '../attack.js'
import { adoptions } from './adoptions.js'
import { apiWrites } from './api-writes.js'
import { assetHoard } from './asset-hoard.js'
import { bodyHoard } from './body-hoard.js'
import { commandRecords } from './command-records.js'
import { connectionChurn } from './connection-churn.js'
import { connectorFlood } from './connector-flood.js'
import { deafCommands } from './deaf-commands.js'
import { fragmentFlood } from './fragment-flood.js'
import { frameFlood } from './frame-flood.js'
import { keyRequestFlood } from './key-request-flood.js'
import { logFlood } from './log-flood.js'
import { loginFlood } from './login-flood.js'
import { longFrames } from './long-frames.js'
import { meterValues } from './meter-values.js'
import { metricsFlood } from './metrics-flood.js'
import { nothing } from './nothing.js'
import { offlineCommands } from './offline-commands.js'
import { openRouteFlood } from './open-route-flood.js'
import { passwordGuesses } from './password-guesses.js'
import { pingFlood } from './ping-flood.js'
import { pongFlood } from './pong-flood.js'
import { receipts } from './receipts.js'
import { requestFlood } from './request-flood.js'
import { sampleFlood } from './sample-flood.js'
import { search } from './search.js'
import { securityEvents } from './security-events.js'
import { simulations } from './simulations.js'
import { slowHeads } from './slow-heads.js'
import { statusFlapping } from './status-flapping.js'
import { streamHoard } from './stream-hoard.js'
import { tarpits } from './tarpits.js'
import { transactionStarts } from './transaction-starts.js'
import { unknownIds } from './unknown-ids.js'
import { unmatchedStops } from './unmatched-stops.js'
import { unreadAnswers } from './unread-answers.js'
import { unreadPages } from './unread-pages.js'

export const attacks: readonly Attack[] = [
  nothing,
  pingFlood,
  pongFlood,
  fragmentFlood,
  frameFlood,
  longFrames,
  unreadAnswers,
  connectionChurn,
  requestFlood,
  openRouteFlood,
  metricsFlood,
  assetHoard,
  bodyHoard,
  slowHeads,
  unknownIds,
  passwordGuesses,
  loginFlood,
  adoptions,
  connectorFlood,
  unmatchedStops,
  sampleFlood,
  meterValues,
  securityEvents,
  statusFlapping,
  logFlood,
  transactionStarts,
  keyRequestFlood,
  apiWrites,
  commandRecords,
  offlineCommands,
  deafCommands,
  unreadPages,
  search,
  simulations,
  receipts,
  streamHoard,
  tarpits,
]
