// What each scope of a key allows, in a sentence. The reference names the scope that each operation needs.

import type { Schema } from '../../client/api.js'

type Scope = Schema<'ApiKey'>['scopes'][number]

export const scopeWords: Readonly<Record<Scope, string>> = {
  'read:charge_points': 'Sees charge points, sites, firmware, id tags, reservations and alerts.',
  'write:charge_points': 'Registers, changes and commands charge points, and changes sites, id tags and rollouts.',
  'read:sessions': 'Sees charging sessions, what was metered, and what they cost.',
  'write:sessions': 'Starts, stops and closes sessions, and disputes their cost.',
  'read:billing': 'Sees tariffs, billing rules, invoices, disputes and revenue, and tries prices.',
  'write:billing': 'Changes tariffs and billing rules, and answers disputes.',
  'read:webhooks': 'Sees events, webhook endpoints and their deliveries.',
  'write:webhooks': 'Makes and changes webhook endpoints, and sends deliveries again.',
  'read:analytics': 'Sees the figures of the fleet over time, such as its power and energy.',
  'read:organisations': 'Sees the organization, its settings, its members and the audit log.',
  'write:organisations': 'Changes the organization and its settings, invites people and changes their roles.',
  'write:api_keys': 'Makes, changes and revokes API keys.',
  'read:ocpi': 'Sees roaming partners and what was exchanged with them.',
  'write:ocpi': 'Connects roaming partners, and sets what they are told.',
  'write:commands': 'Sends commands to charge points, such as a restart.',
  'read:messages': 'Sees the raw messages of charge points, which say who charges.',
}
