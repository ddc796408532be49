// The writes of this turn, which no view shows before its commit. Each decision about what a partner still lacks reads through here.

import { cdrsOfSession, type OcpiCdrRow, ocpiCdrsTable } from '../../records/ocpi-cdr.js'
import { ocpiToldProfilesTable } from '../../records/ocpi-charging-profile.js'
import { type OcpiCdrPush, ocpiKnownTariffsTable } from '../../records/ocpi-push.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'

/** By session, or by tariff; undefined where the row was removed. */
export interface TurnWrites {
  readonly turn: number
  readonly pushes: Map<string, OcpiCdrPush>
  readonly cdrs: Map<string, readonly OcpiCdrRow[]>
  readonly tariffMarks: Map<string, string | undefined>
  readonly profileMarks: Map<string, string | undefined>
}

interface Writing {
  written: TurnWrites
}

export function noWrites(turn: number): TurnWrites {
  return { turn, pushes: new Map(), cdrs: new Map(), tariffMarks: new Map(), profileMarks: new Map() }
}

export function writesOf(state: Writing, { turn }: Context): TurnWrites {
  if (state.written.turn !== turn) state.written = noWrites(turn)
  return state.written
}

/** All CDRs that were made of a session, in their order. */
export function cdrsMade(state: Writing, sessionId: string, context: Context): readonly OcpiCdrRow[] {
  const made = writesOf(state, context).cdrs.get(sessionId) ?? []
  return [...cdrsOfSession(context.read(), context.id, sessionId), ...made]
}

export function putCdr(state: Writing, cdr: OcpiCdrRow, context: Context): Effect {
  const { cdrs } = writesOf(state, context)
  cdrs.set(cdr.session_id, [...(cdrs.get(cdr.session_id) ?? []), cdr])
  return effect.put(ocpiCdrsTable, cdr)
}

/** The mark of the tariff that the partner has; undefined where it has none. */
export function tariffMarkOf(state: Writing, tariffId: string, context: Context): string | undefined {
  const { tariffMarks } = writesOf(state, context)
  if (tariffMarks.has(tariffId)) return tariffMarks.get(tariffId)
  return context.read().get(ocpiKnownTariffsTable, [context.id, tariffId])?.mark
}

export function setTariffMark(state: Writing, tariff_id: string, mark: string | undefined, context: Context): Effect {
  writesOf(state, context).tariffMarks.set(tariff_id, mark)
  return mark === undefined
    ? effect.remove(ocpiKnownTariffsTable, [context.id, tariff_id])
    : effect.put(ocpiKnownTariffsTable, { partner_id: context.id, tariff_id, mark })
}

/** The mark of the charging profile that the partner has; undefined where it has none. */
export function profileMarkOf(state: Writing, sessionId: string, context: Context): string | undefined {
  const { profileMarks } = writesOf(state, context)
  if (profileMarks.has(sessionId)) return profileMarks.get(sessionId)
  return context.read().get(ocpiToldProfilesTable, [context.id, sessionId])?.mark
}

export function setProfileMark(state: Writing, session_id: string, mark: string | undefined, context: Context): Effect {
  writesOf(state, context).profileMarks.set(session_id, mark)
  return mark === undefined
    ? effect.remove(ocpiToldProfilesTable, [context.id, session_id])
    : effect.put(ocpiToldProfilesTable, { partner_id: context.id, session_id, mark })
}
