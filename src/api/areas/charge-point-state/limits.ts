// Bounds of the area: the state of one charge point, now and over time.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  /** Open alerts and connectors that the answer about one charge point has. */
  alertsOfState: 20,
  connectorsOfState: 100,
  /** Of a series: its days and points, the changes that it shows, and what is read at a time. */
  daysOfSeries: 31,
  pointsOfSeries: 2_000,
  bandsOfSeries: 5_000,
  connectorsOfSeries: 100,
  meterValuesPerStep: 500,
  /** Sessions that a series is made of, and those that began before it among which some may have gone on into it. */
  sessionsOfSeries: 5_000,
  earlierSessionsOfSeries: 20,
  /** Of an uptime: its days, and those that are read at a time. */
  daysOfUptime: 400,
  daysPerStep: 20,
})
