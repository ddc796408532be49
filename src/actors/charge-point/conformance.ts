// Counts which rules of the protocol a charge point breaks, where, and how often. What the messages of a frame have broken is counted in memory when the
// frame is handled, and noted once a minute at most: nothing is written for it at once, and a frame that breaks nothing costs nothing.

import {
  type ConformanceRule,
  type Deviation,
  type FrameHead,
  type FrameSample,
  maskText,
  readHead,
  sampleOf,
} from '../../ocpp16/index.js'
import { limits as ocppLimits } from '../../ocpp16/limits.js'
import { type Conformance, conformanceTable, isSameModel, modelOf } from '../../records/conformance.js'
import {
  type DeviationExample,
  type DeviationKind,
  deviationsTable,
  kindOfDeviation,
  mostDeviations,
  type StoredDeviation,
} from '../../records/deviation.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { effect } from '../../runtime/actor/actor.js'
import type { Counted } from './conformance-state.js'
import { limits } from './limits.js'
import type { State } from './state.js'

const none: readonly Effect[] = []

/** Of the frame in hand: counted with it. */
export function noteViolation(state: State, broken: Deviation): void {
  state.broken.push(broken)
}

/** To be called when a frame has been handled that has broken something. */
export function countViolations(state: State, text: string, context: Context): readonly Effect[] {
  const broken = state.broken.splice(0)
  // What a frame of a charge point that is registered no more has broken must not bring its rows back.
  if (state.registration === undefined) return none
  const { counted, effects } = countedOf(state, context)
  const { row } = counted
  const rules: { [Rule in ConformanceRule]?: NonNullable<Conformance['rules'][Rule]> } = { ...row.rules }
  const now = context.now()
  const frame = frameOf(text)
  let hasNew = false
  for (const { rule, path } of broken) {
    const known = rules[rule]
    rules[rule] =
      known === undefined
        ? {
            count: 1,
            first_at: now,
            last_at: now,
            frame: frame.sample().frame,
            ...(path !== undefined && { path: maskText(path) }),
          }
        : { ...known, count: known.count + 1, last_at: now }
    const isNew = countDeviation(counted, { rule, action: frame.action(), path: placeOf(path) }, frame, path, now)
    hasNew ||= isNew
  }
  counted.row = { ...row, messages: (row.messages ?? 0) + 1, rules }
  counted.isNoted = false
  if (!state.conformance.rests) return [...effects, ...noted(state, context)]
  return hasNew ? [...effects, ...notedNew(counted)] : effects
}

/** A minute is over since it was noted. */
export function conformanceDue(state: State, context: Context): readonly Effect[] {
  state.conformance.rests = false
  const { counted } = state.conformance
  const isNoted = counted === undefined || (counted.isNoted && counted.unnoted.size === 0)
  return isNoted ? none : noted(state, context)
}

/** The frame in hand, of which nothing is read before it is asked for. */
interface CountedFrame {
  action(): string
  messageId(): string | undefined
  sample(): FrameSample
}

function frameOf(text: string): CountedFrame {
  let head: FrameHead | undefined
  let sample: FrameSample | undefined
  const headOf = () => {
    head ??= readHead(text)
    return head
  }
  return {
    action() {
      const known = headOf()
      return known.type === 'call' ? maskText(known.action).slice(0, ocppLimits.exchangeActionCharacters) : ''
    },
    messageId() {
      const known = headOf()
      return 'messageId' in known ? maskText(known.messageId) : undefined
    },
    sample() {
      sample ??= sampleOf(text)
      return sample
    },
  }
}

const element = /\/\d+(?=\/|$)/g

/** Where it is, whichever element of an array it is in. */
function placeOf(path = ''): string {
  return maskText(path).replaceAll(element, '/*').slice(0, limits.deviationPathCharacters)
}

const nameOf = ({ rule, action, path }: DeviationKind): string => `${rule}\n${action}\n${path}`

/** Whether it is new: then it does not wait for its turn, as what is known does. */
function countDeviation(
  { row, deviations, unnoted }: Counted,
  kind: DeviationKind,
  frame: CountedFrame,
  path: string | undefined,
  now: number,
): boolean {
  const name = nameOf(kind)
  const known = deviations.get(name)
  if (known === undefined && deviations.size >= mostDeviations) return false
  unnoted.add(name)
  const isOld = known === undefined || Math.abs(now - known.example.at) >= limits.deviationExampleMs
  const example = isOld ? exampleOf(frame, path, now) : known.example
  if (known !== undefined) {
    deviations.set(name, { ...known, count: known.count + 1, last_at: now, example })
    return false
  }
  const { charge_point_id, organization_id, vendor, model, firmware_version } = row
  deviations.set(name, {
    charge_point_id,
    place: freePlace(deviations),
    organization_id,
    vendor,
    model,
    firmware_version,
    kind: kindOfDeviation(kind),
    ...kind,
    count: 1,
    first_at: now,
    last_at: now,
    example,
  })
  return true
}

function exampleOf(frame: CountedFrame, path: string | undefined, at: number): DeviationExample {
  const message_id = frame.messageId()
  const sample = frame.sample()
  const received = path === undefined ? undefined : sample.at(path)
  return {
    at,
    ...(message_id !== undefined && { message_id }),
    ...(received !== undefined && { received }),
    frame: sample.frame,
  }
}

function freePlace(deviations: ReadonlyMap<string, StoredDeviation>): number {
  const taken = new Set([...deviations.values()].map(({ place }) => place))
  let place = 0
  while (taken.has(place)) place++
  return place
}

/** What was counted once, and noted never. */
function notedNew({ deviations, unnoted, early }: Counted): readonly Effect[] {
  return [...unnoted].flatMap((name) => {
    const deviation = deviations.get(name)
    if (deviation?.count !== 1) return []
    unnoted.delete(name)
    early.add(name)
    return [effect.note(deviationsTable, deviation)]
  })
}

/** Everything that has changed; the next time is a minute later. */
function noted(state: State, context: Context): readonly Effect[] {
  const { counted } = state.conformance
  if (counted === undefined) return none
  const { row, deviations, unnoted, early } = counted
  const effects: Effect[] = [effect.note(conformanceTable, row)]
  for (const name of unnoted) {
    const deviation = deviations.get(name)
    if (deviation === undefined || early.has(name)) continue
    effects.push(effect.note(deviationsTable, deviation))
    unnoted.delete(name)
  }
  early.clear()
  counted.isNoted = true
  state.conformance.rests = true
  const at = context.monotonic() + limits.conformanceNotedEveryMs
  return [...effects, effect.schedule('conformance', at, { type: 'conformance-due' })]
}

/** Of the charge point as it is now; read at the first rule that it breaks. */
function countedOf(state: State, context: Context): { readonly counted: Counted; readonly effects: readonly Effect[] } {
  const { organization_id, boot } = state.row
  const model = modelOf(boot)
  const isOwn = (row: Conformance | StoredDeviation | undefined): boolean =>
    row?.organization_id === organization_id && isSameModel(row, model)
  const { counted: known } = state.conformance
  if (known !== undefined && isOwn(known.row)) return { counted: known, effects: none }
  const stored = context.read().get(conformanceTable, [context.id])
  const rows = context.read().list(deviationsTable, [context.id])
  // What another organization's, or another model, has left behind.
  const effects = rows.filter((row) => !isOwn(row)).map(removal)
  const counted: Counted = {
    row:
      stored !== undefined && isOwn(stored)
        ? stored
        : { charge_point_id: context.id, organization_id, ...model, since: context.now(), rules: {} },
    isNoted: true,
    deviations: new Map(rows.filter(isOwn).map((row) => [nameOf(row), row])),
    unnoted: new Set(),
    early: new Set(),
  }
  state.conformance.counted = counted
  return { counted, effects }
}

const removal = (row: StoredDeviation): Effect => effect.remove(deviationsTable, deviationsTable.key(row))

/** Another model or firmware begins with nothing, also where it breaks no rule. */
export function forgetConformance(state: State, context: Context): readonly Effect[] {
  const { counted } = state.conformance
  const rows = [...context.read().list(deviationsTable, [context.id]), ...(counted?.deviations.values() ?? [])]
  const places = new Map(rows.map((row) => [row.place, row]))
  state.conformance.counted = undefined
  return [effect.remove(conformanceTable, [context.id]), ...[...places.values()].map(removal)]
}

/** The charge point is registered no more: nothing is left, not even of what was noted and is not known any more. */
export function removeConformance(context: Context): readonly Effect[] {
  const places = Array.from({ length: mostDeviations }, (_, place) => place)
  return [
    effect.remove(conformanceTable, [context.id]),
    ...places.map((place) => effect.remove(deviationsTable, [context.id, place])),
  ]
}
