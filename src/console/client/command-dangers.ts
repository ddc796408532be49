// What a command may end or cost, in words that are asked about before it is sent.

import type { CommandTarget } from './command-target.js'

/** Of those where a car is charging. */
export function endsSessions({ count, charging }: CommandTarget): string | undefined {
  if (charging === 0) return undefined
  if (count > 1)
    return charging === 1
      ? 'A car is charging at one of them: its session ends.'
      : `Cars are charging at ${charging} of them: their sessions end.`
  return charging === 1 ? 'A car is charging: its session ends.' : `${charging} cars are charging: their sessions end.`
}

/** Of one connector, by its number. */
export function endsSessionAt(target: CommandTarget, connectorId: string | undefined): string | undefined {
  if (target.count > 1) return endsSessions(target)
  return target.sessions.some((session) => String(session.connectorId) === connectorId)
    ? 'A car is charging there: its session ends.'
    : undefined
}

/** A restart puts the voltage on again. */
function endangers({ dangerous = [] }: CommandTarget): string | undefined {
  if (dangerous.length === 0) return undefined
  const which = dangerous.length === 1 ? 'Connector' : 'Connectors'
  const has = dangerous.length === 1 ? 'has' : 'have'
  return `${which} ${dangerous.join(' and ')} ${has} a fault that an electrician has to look at first: do not restart it from afar.`
}

export function restarts(target: CommandTarget): string | undefined {
  const dangers = [endangers(target), endsSessions(target)].filter((danger) => danger !== undefined)
  return dangers.length === 0 ? undefined : dangers.join(' ')
}

export const restartsAtOnce = (target: CommandTarget): string =>
  endangers(target) === undefined
    ? `${endsSessions(target) ?? 'Nobody is charging.'} Try the soft restart first.`
    : (restarts(target) ?? '')

/** Connector 0 is the whole charger. */
export const closes = (connectorId: string | undefined): string | undefined =>
  connectorId === '0' ? 'Nobody can charge there until it is put into service again.' : undefined

export const installsFirmware = (target: CommandTarget): string =>
  `A wrong firmware may leave it without service. ${endsSessions(target) ?? ''}`.trim()
