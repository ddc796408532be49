// Deviations in words: for the pages, and for the report that the maker of a charge point is sent.

import type { Schema } from '../../client/api.js'
import { momentText, numberText } from '../../client/format.js'

export type ModelDeviation = Schema<'ModelDeviation'>
export type Group = Schema<'ConformanceGroup'>
type Outcome = ModelDeviation['outcome']

export const outcomeWords: Readonly<Record<Outcome, string>> = {
  repaired: 'repaired',
  refused: 'refused',
  ignored: 'ignored',
}

/** What it does, without what the service makes of it. */
export const whatWords = (meaning: string): string => meaning.split('. ')[0]?.replace(/\.$/, '') ?? meaning

export const placeWords = ({ action, path }: Pick<ModelDeviation, 'action' | 'path'>): string =>
  [action ?? 'a frame', path].filter((part) => part !== null).join(' ')

export const timesWords = (count: number): string => (count === 1 ? 'once' : `${numberText(count)} times`)

export const shareWords = (deviating: number, all: number): string =>
  all <= 1 || deviating > all ? numberText(deviating) : `${numberText(deviating)} of ${numberText(all)}`

/** `1 charge point`, `12 of 38 charge points`. */
export const chargePointsWords = (some: number, all: number): string =>
  `${shareWords(some, all)} ${some === 1 && (all <= 1 || some > all) ? 'charge point' : 'charge points'}`

export function groupName({
  vendor,
  model,
  firmware_version,
}: Pick<Group, 'vendor' | 'model' | 'firmware_version'>): string {
  const name = [vendor, model].filter((part) => part !== null).join(' ')
  const firmware = firmware_version === null ? '' : `, firmware ${firmware_version}`
  return `${name === '' ? 'A model that is not said' : name}${firmware}`
}

export function standardWords({ standard: { section, expects } }: Pick<ModelDeviation, 'standard'>): string {
  return expects === null ? section : `${section} expects ${expects}`
}

export const receivedWords = (received: unknown): string | undefined =>
  received === null || received === undefined ? undefined : JSON.stringify(received)

const documents =
  'Sections are those of Open Charge Point Protocol 1.6 edition 2 (OCPP 1.6), of its JSON specification (OCPP-J 1.6), and of the whitepaper Improved security for OCPP 1.6-J.'

/** What the maker of a model is told, in plain sentences. */
export function reportText(group: Group, now: number): string {
  const { charge_points, deviating, violations, deviations, more_deviations } = group
  const head = [
    `Deviations from OCPP 1.6: ${groupName(group)}`,
    '',
    `${chargePointsWords(deviating, charge_points)} ${deviating === 1 ? 'deviates' : 'deviate'} from the standard, ${timesWords(violations)} in all. This was found in the messages that they sent in operation, and is as of ${momentText(now)}. In a path, * is any element of an array.`,
    documents,
  ]
  const parts = deviations.map((deviation, at) => {
    const { meaning, count, charge_points: by, example } = deviation
    const received = receivedWords(example.received)
    return [
      '',
      `${at + 1}. ${placeWords(deviation)}`,
      `   ${meaning}`,
      `   Standard: ${standardWords(deviation)}.`,
      `   How often: ${timesWords(count)}, by ${chargePointsWords(by, charge_points)}.`,
      `   Example: ${example.charge_point_id}, ${momentText(example.at)}${example.message_id === null ? '' : `, message ${example.message_id}`}${received === undefined ? '' : `: ${received}`}`,
      ...(example.frame === null ? [] : [`   ${example.frame}`]),
    ].join('\n')
  })
  return [...head, ...parts, ...(more_deviations ? ['', 'There are more, which are not listed here.'] : []), ''].join(
    '\n',
  )
}

/** A name for a file. */
export const fileName = (group: Group): string =>
  `deviations-${groupName(group)}`.replaceAll(/[^A-Za-z0-9.-]+/g, '-').slice(0, 100)
