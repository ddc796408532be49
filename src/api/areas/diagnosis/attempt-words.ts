// What an attempt to connect is said to be: what was wrong with it, and what to do about it.

import { Type } from 'typebox'
import type { ChargePoint } from '../../../records/charge-point.js'
import { shapeOf } from '../../../records/id-shape.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import { oneCharacterWords } from './one-character.js'
import { type Match, matches, type PossibleAttempt } from './possible-attempts.js'
import { refusedWords, type Words } from './refused-words.js'
import type { Asker } from './whose-attempt.js'

export const possibleAttempt = named('PossibleAttempt', {
  match: Type.Enum([...matches], {
    description:
      'Why it could be this charge point. `id`: it has the id. `spelling`: the id with another spelling, such as a space. `one_character`: an id that ' +
      'differs in one character. `longer` and `shorter`: an id with more, or less, at its beginning or end. `serial_number`: the serial number ' +
      'as id. `address`: an unknown id from the address of this charge point.',
  }),
  charge_point_id: nullable(
    Type.String({
      description:
        'The id that was sent, shortened. An ellipsis stands for more characters; null if the id is not shown.',
    }),
  ),
  reason: Type.String({ description: 'As in the list of connection attempts.' }),
  cause: Type.String({ description: 'What was wrong.' }),
  remedy: Type.String({ description: 'What to do about it.' }),
  http_status: Type.Integer({ description: 'What the charge point was answered.' }),
  remote_address: nullable(
    Type.String({ description: 'null if it is not known that charge points of yours come from there.' }),
  ),
  count: Type.Integer({ minimum: 1, description: 'How many of the attempts that were looked at are like this one.' }),
  first_attempted_at: timestamp(),
  last_attempted_at: timestamp(),
})

/** What is said of a charge point with a wrong id, where nothing else is wrong. */
const wrongIds: ReadonlySet<string> = new Set(['unknown_charge_point', 'bad_identity', 'bad_escape'])

const passwordMade =
  'A new password was made after this attempt: set it in the charge point. It is let in once it comes with it.'

/** `endpoint`: the address that has to be set in the charge point. */
export function attemptView(
  attempt: PossibleAttempt,
  chargePoint: ChargePoint,
  endpoint: string,
  { seesAll, isInstaller }: Asker,
) {
  const { match, newest, firstAt, count, isAddressKnown } = attempt
  const sent = sentId(match, newest.charge_point_id, chargePoint.charge_point_id, seesAll)
  return {
    match,
    charge_point_id: sent,
    reason: newest.reason,
    ...wordsOf({ match, reason: newest.reason, sent, id: chargePoint.charge_point_id, endpoint, isInstaller }),
    ...(isBeforePassword(attempt, chargePoint) && { remedy: passwordMade }),
    http_status: newest.http_status,
    remote_address: isAddressKnown ? newest.remote_address : null,
    count,
    first_attempted_at: firstAt,
    last_attempted_at: newest.attempted_at,
  }
}

/** A new password was made since: whoever reads of this attempt need not make another. */
function isBeforePassword({ match, newest }: PossibleAttempt, chargePoint: ChargePoint): boolean {
  const { authorization_key, authorization_key_changed_at } = chargePoint
  const isOfPassword = match === 'id' && (newest.reason === 'wrong_password' || newest.reason === 'no_password')
  return (
    isOfPassword &&
    authorization_key !== undefined &&
    Date.parse(newest.attempted_at) < Date.parse(authorization_key_changed_at ?? '')
  )
}

/** Only what whoever knows the right id knows nearly as well. */
function sentId(match: Match, sent: string, id: string, seesAll: boolean): string | null {
  if (seesAll) return sent
  if (match === 'address') return null
  if (match !== 'longer') return sent
  return shapeOf(sent).startsWith(shapeOf(id)) ? `${id}...` : `...${id}`
}

interface Said {
  readonly match: Match
  readonly reason: string
  readonly sent: string | null
  readonly id: string
  readonly endpoint: string
  readonly isInstaller: boolean
}

function wordsOf({ match, reason, sent, id, endpoint, isInstaller }: Said): Words {
  const refused = refusedWords(reason, endpoint, isInstaller)
  if (match === 'id') return reason === 'unknown_charge_point' ? beforeItWasRegistered : refused
  if (reason === 'no_identity' && match === 'address')
    return {
      cause:
        'A charge point has tried to connect from the address of this one, and its address of the service lacks its id.',
      remedy: `If it is this charge point, set that address to ${endpoint}.`,
    }
  const cause = causes[match](sent ?? '', id)
  const which = match === 'one_character' ? oneCharacterWords(sent ?? '', id) : undefined
  const remedy = isSurelyThis.has(match)
    ? `Set the id in the charge point to ${id}.`
    : `If it is this charge point, set its id to ${id}${which === undefined ? '; if' : `. ${which} If`} it is another one, register that.`
  if (wrongIds.has(reason)) return { cause, remedy }
  return { cause: `${cause} ${refused.cause}`, remedy: `${remedy} ${refused.remedy}` }
}

/** Boxes that are mounted side by side have ids which differ in one digit. */
const isSurelyThis: ReadonlySet<Match> = new Set<Match>(['spelling', 'serial_number'])

const beforeItWasRegistered: Words = {
  cause: 'The charge point tried to connect before it was registered.',
  remedy: 'It can connect at its next attempt; restart it if it does not try again.',
}

const causes: Readonly<Record<Exclude<Match, 'id'>, (sent: string, id: string) => string>> = {
  spelling: (sent, id) => `The charge point sends the id ${JSON.stringify(sent)}, which is not spelt as ${id} is.`,
  one_character: (sent, id) =>
    `A charge point sends the id ${JSON.stringify(sent)}, which differs from ${id} in one letter or digit.`,
  longer: (sent, id) => `A charge point sends the id ${JSON.stringify(sent)}, which has more characters than ${id}.`,
  shorter: (sent, id) => `A charge point sends the id ${JSON.stringify(sent)}, which is only a part of ${id}.`,
  serial_number: (sent) => `The charge point sends its serial number ${JSON.stringify(sent)} as its id.`,
  address: () =>
    'A charge point with an id that nobody has registered has tried to connect from the address of this one.',
}
