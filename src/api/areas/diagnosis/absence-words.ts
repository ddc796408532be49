// What is said of a registered charge point that is not connected: what is wrong, and what to do about it, one thing after the other. Pure.

import type { ChargePointState } from '../../../records/charge-point-state.js'
import type { attemptView } from './attempt-words.js'
import { endedBy, missingOf } from './close-words.js'
import { type LostTogether, lostTogetherWords, type Said } from './lost-together.js'
import type { Words } from './refused-words.js'

type Line = ReturnType<typeof attemptView>

export interface Absence {
  /** When it was connected last; absent where it never was. */
  readonly since?: string
  /** Since when it is not connected, where that is known. */
  readonly endedAt?: string
  readonly end?: Words
}

export interface Absent {
  readonly state: ChargePointState | undefined
  readonly absence: Absence
  /** Its newest refusal since it was connected. */
  readonly refused: Line | undefined
  readonly together: LostTogether | null
  /** An attempt since then that is probably its own, under another id. */
  readonly probable: Line | undefined
  readonly endpoint: string
}

/** Whether its last connection arrived, and was ended otherwise than by a link that was cut: then its network is not what is wrong. */
export function hasLeft(state: ChargePointState | undefined, { endedAt, end }: Absence): boolean {
  if (state?.last_close === undefined || endedAt === undefined || end === undefined || comesBackAlone(state))
    return false
  return endedBy(state.last_close) !== 'link' || missingOf(state) !== null
}

const comesBackAlone = ({ last_close }: ChargePointState): boolean =>
  last_close !== undefined && last_close.code === 1001 && endedBy(last_close) === 'service'

export function absenceWords(absent: Absent): Said {
  const { state, absence, refused, together, probable, endpoint } = absent
  if (refused !== undefined) return { cause: refused.cause, steps: [refused.remedy] }
  if (together !== null) return lostTogetherWords(together)
  if (state !== undefined && hasLeft(state, absence)) return leftWords(state, absence, endpoint)
  if (probable !== undefined) return { cause: probable.cause, steps: [probable.remedy] }
  if (absence.since === undefined)
    return { cause: 'Nothing of the charge point arrives.', steps: whatToCheck(endpoint) }
  const { cause, remedy } = absence.end ?? { cause: 'The charge point is not connected any more.', remedy: undefined }
  const isLink = state?.last_close !== undefined && absence.end !== undefined && endedBy(state.last_close) === 'link'
  return { cause, steps: isLink || remedy === undefined ? afterALoss : [remedy, ...afterALoss] }
}

const afterALoss: readonly string[] = [
  'See whether the charge point has power: its display or its lights.',
  'If it has, check its network: the cable and the router, or the SIM card and the signal.',
  'If both are good, restart it.',
]

const whereALineBreaks = (id: string): readonly string[] => [
  'Check its network: the cable and the router, or the SIM card and the signal.',
  'See whether it restarts by itself (its display goes dark): then check its power supply.',
  `See that no other charge point has the id ${id}.`,
]

function leftWords(state: ChargePointState, { end }: Absence, endpoint: string): Said {
  const { connected_at, last_close } = state
  const lasted =
    connected_at === undefined || last_close === undefined
      ? undefined
      : Date.parse(last_close.at) - Date.parse(connected_at)
  const arrived = `The charge point arrives and is let in${lasted === undefined ? '' : `, and its last connection ended ${lastedWords(lasted)}`}.`
  const { cause = '', remedy = '' } = end ?? {}
  // It says which version it speaks, so that a line that breaks is likelier than a wrong setting.
  if (endedBy(last_close ?? nothing) === 'link' && state.offers_subprotocol === true)
    return {
      cause: `${arrived} ${cause}`,
      steps: [...whereALineBreaks(state.charge_point_id), `If all of that is good: ${remedy}`],
    }
  const steps =
    missingOf(state) !== null || endedBy(last_close ?? nothing) === 'service'
      ? [remedy]
      : [remedy, `If it runs and does not come back, see that its address of the service is still ${endpoint}.`]
  return { cause: `${arrived} ${cause}`, steps }
}

const nothing = { code: 1006, reason: '', at: '' }

/** In words that hold in every zone and need no clock. */
function lastedWords(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000)
  const units = [
    [86_400, 'day'],
    [3_600, 'hour'],
    [60, 'minute'],
    [1, 'second'],
  ] as const
  const [size, unit] = units.find(([least]) => seconds >= least) ?? [1, 'second']
  const count = Math.floor(seconds / size)
  return count === 0 ? 'at once' : `after ${count} ${unit}${count === 1 ? '' : 's'}`
}

/** Where nothing arrives at all. */
export function whatToCheck(endpoint: string): readonly string[] {
  const isSecure = endpoint.startsWith('wss:')
  // One letter makes the difference, and what is sent to the wrong kind of listener is seen by nobody.
  const scheme = isSecure ? 'which begins with wss and not with ws' : 'which begins with ws and not with wss'
  return [
    'Check that it has power and a network.',
    `Check that the address of the service that is set in it (which it may call central system or backend URL) is ${endpoint}, ${scheme}.`,
    `Check that a firewall lets it out to ${new URL(endpoint).host}.`,
    ...(isSecure
      ? [
          'Check that it trusts the certificate of the service: a charge point that does not ends the connection before it says who it is.',
        ]
      : []),
  ]
}
