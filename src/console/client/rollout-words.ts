// How a rollout, its stages and its charge points stand, in words, and what makes sense next.

import type { Schema } from './api.js'

export type Rollout = Schema<'FirmwareRollout'>
export type RolloutCharger = Rollout['chargers'][number]
export type RolloutKind = 'ok' | 'bad' | 'warn' | 'info' | 'plain'

export const rolloutWords = (text: string): string => text.replaceAll('_', ' ')

export const rolloutKinds: Readonly<Record<string, RolloutKind>> = {
  installed: 'ok',
  failed: 'bad',
  completed: 'ok',
  in_progress: 'info',
  paused: 'warn',
}

/** What somebody has stopped has not failed. */
export function rolloutStatus({ status, reason }: Pick<Rollout, 'status' | 'reason'>): readonly [string, RolloutKind] {
  if (reason === 'stopped_by_request') return ['stopped', 'plain']
  return [rolloutWords(status), rolloutKinds[status] ?? 'plain']
}

export function stageStatus(rollout: Rollout, { status }: Rollout['stages'][number]): readonly [string, RolloutKind] {
  const isCut = status === 'failed' && rollout.reason === 'stopped_by_request'
  return isCut ? ['stopped', 'plain'] : [rolloutWords(status), rolloutKinds[status] ?? 'plain']
}

const waits: Readonly<Record<string, string>> = {
  connection: 'until it is connected',
  end_of_charging: 'until no car charges there',
  resume: 'until the rollout goes on',
}

/** What a charge point that was not sent the update waits for. */
export function waitText(
  { status, waiting_for: waiting, stage }: RolloutCharger,
  rollout: Rollout,
): string | undefined {
  if (waiting !== null) return `It waits ${waits[waiting] ?? `for: ${rolloutWords(waiting)}`}.`
  const isOpen = !['completed', 'failed'].includes(rollout.status)
  return isOpen && status === 'pending' && stage > rollout.started_stages
    ? `It waits until stage ${stage} begins.`
    : undefined
}

/** Of the stage that runs, so that nobody waits without knowing for what. */
export function waitingText({ chargers, started_stages: stage }: Rollout): string | undefined {
  const count = (reason: string): number =>
    chargers.filter((charger) => charger.stage === stage && charger.waiting_for === reason).length
  const parts = [
    [count('connection'), 'not connected'],
    [count('end_of_charging'), 'charging a car'],
  ] as const
  const told = parts
    .filter(([number]) => number > 0)
    .map(([number, why]) => `${number} ${number === 1 ? 'is' : 'are'} ${why}`)
  return told.length === 0 ? undefined : `Stage ${stage} waits: ${told.join(' and ')}.`
}

/** Whether the next stage begins where nobody insists: all of the newest that are connected have ended, one at least with the firmware. */
export function isStageOver({ chargers, started_stages: stage }: Rollout): boolean {
  const own = chargers.filter((charger) => charger.stage === stage)
  const hasEnded = ({ status, waiting_for: waiting }: RolloutCharger): boolean =>
    status === 'installed' || status === 'failed' || waiting === 'connection'
  return own.every(hasEnded) && (stage === 0 || own.some(({ status }) => status === 'installed'))
}
