// The manual's table of events, made of their declarations.

import { events } from '../src/events/index.js'

export function eventsTable(): string {
  const rows = [...events.values()].map(({ name, description }) => `| \`${name}\` | ${description} |`)
  return ['| Event | When |', '|---|---|', ...rows].join('\n')
}
