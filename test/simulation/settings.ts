// The settings of a simulated service: the defaults, but for what a world of a few minutes would never get to see.

import { type Settings, settingsSchema } from '../../src/settings.js'

const defaults = Object.fromEntries(
  Object.entries(settingsSchema.properties).flatMap(([name, schema]) =>
    'default' in schema ? [[name, (schema as { readonly default: unknown }).default]] : [],
  ),
) as Settings

export const settings: Settings = {
  ...defaults,
  data: '/simulated',
  fronts: 2,
  shards: 3,
  heartbeat_interval_seconds: 400,
  boot_retry_seconds: 30,
  provisional_close_seconds: 90,
  passivate_seconds: 120,
  alert_settle_seconds: 5,
  // For a guest, in units: a charge of a few minutes can use it up, and no charge does at once.
  guest_preauthorisation_amount: 1.5,
  // The oracle accounts for every event to the end, and the clock leaps over months.
  event_retention_days: 3_650,
  // Nothing that is checked depends on them, and each would move what happens in the world of a seed.
  message_retention_days: 0,
  frame_ring_megabytes: 0,
}
