// The register of a session between the store and the reading of it: what the session and its newest meter values say of it, and
// what new ones change. A register that only rises costs no write but that of its meter values; any oddity is kept with the session,
// and so is what the newest meter values do not tell: then nobody who asks for it has to search those before.

import { maxPowerKwOf } from '../../records/charge-point.js'
import { type MeterValues, meterValuesTable } from '../../records/meter-values.js'
import type { Register, Session } from '../../records/session.js'
import type { Context } from '../../runtime/actor/actor.js'
import type { ReadView } from '../../runtime/store/store.js'
import { mostBetweenOf } from './energy.js'
import { limits } from './limits.js'
import {
  flagsOfRegister,
  flagsOfRegisters,
  goneOnTo,
  type MostBetween,
  type Reading,
  readRegister,
  registerAt,
  rollsOver,
} from './registers.js'
import type { State } from './state.js'

const newestRows = 10

/** The session with what new meter values say, which have been placed; the same one where nothing has to be kept but them. */
export function takeReadings(state: State, session: Session, rows: readonly MeterValues[], context: Context): Session {
  if (rows.length === 0) return session
  let taken: Taken = { session, register: registerOf(state, session, context) }
  for (const row of [...rows].sort((a, b) => a.at - b.at)) taken = take(state, taken, row)
  if (state.registers.size >= limits.sampledOwners) state.registers.clear()
  state.registers.set(session.session_id, taken.register)
  return isToldByNewest(state, taken, rows) ? taken.session : kept(taken)
}

/** Whether the newest meter values of all have the newest reading: nothing but them has to be read then. */
function isToldByNewest(state: State, { session, register }: Taken, rows: readonly MeterValues[]): boolean {
  const known = state.newestSamples.get(session.session_id) ?? Number.NEGATIVE_INFINITY
  return register.at === rows.reduce((newest, { at }) => Math.max(newest, at), known)
}

/** Once for all meter values without a reading that come after one. */
function kept({ session, register }: Taken): Session {
  if (session.register_kept === true && session.register?.at === register.at) return session
  return { ...withRegister(session, register), register_kept: true }
}

/** As of the newest meter values that are stored, or have been taken in this turn. */
export function registerOf(state: State, session: Session, context: Context): Register {
  const known = state.registers.get(session.session_id)
  return known ?? storedRegister(context.read(), session, mostOf(state, session))
}

/** Whether a reading can be the session's last: of a register that has fallen, any can. */
export function fitsRegister(state: State, session: Session, wh: number, context: Context): boolean {
  const register = registerOf(state, session, context)
  if (session.meter_start_unknown === true || wh >= session.meter_start || register.segments.length > 1) return true
  return rollsOver(register, wh, mostOf(state, session)(Date.parse(session.started_at), context.now()))
}

/** The same by what the store has. */
export function storedRegister(view: ReadView, session: Session, mostBetween: MostBetween): Register {
  const stored = session.register
  const register = stored ?? registerAt(session.meter_start)
  const newest = newestReading(view, session)
  if (newest === undefined || (stored?.at !== undefined && newest.at <= stored.at)) return register
  const highest = register.segments.at(-1)?.highest ?? session.meter_start
  if (newest.wh >= highest) return goneOnTo(register, newest)
  // Of a session that was begun before oddities were kept.
  return readRegister(register, newest, Date.parse(session.started_at), mostBetween)
}

/** The most that the session's connector can have given. */
export function mostOf(state: State, session: Session, clockSuspect = false): MostBetween {
  const suspect = clockSuspect || session.flags.includes('clock_suspect')
  return mostBetweenOf(maxPowerKwOf(state.registration, session), suspect)
}

/** The register of a row that counts: the inlet's where the session has no other. */
export function readingOf(row: MeterValues, inlet: true | undefined): number | undefined {
  return inlet === true ? row.inlet_wh : row.energy_wh
}

function newestReading(view: ReadView, session: Session): Reading | undefined {
  const { session_id } = session
  const newest = view.list(meterValuesTable, [session_id], { reverse: true, limit: 1 })
  const [row] = newest
  const reading = firstReading(session, newest)
  if (row === undefined || reading !== undefined) return reading
  // An instant may have several rows.
  if (session.register_kept === true) return firstReading(session, view.list(meterValuesTable, [session_id, row.at]))
  // Of a session whose newest meter values came before registers were kept.
  for (const limit of [newestRows, limits.rowsSearchedForRegister]) {
    const rows = view.list(meterValuesTable, [session_id], { reverse: true, limit })
    const found = firstReading(session, rows)
    if (found !== undefined || rows.length < limit) return found
  }
  return undefined
}

function firstReading(session: Session, rows: readonly MeterValues[]): Reading | undefined {
  for (const row of rows) {
    const wh = readingOf(row, session.register?.inlet)
    if (wh !== undefined) return { at: row.at, wh }
  }
  return undefined
}

interface Taken {
  readonly session: Session
  readonly register: Register
}

function take(state: State, { session, register }: Taken, row: MeterValues): Taken {
  const inlet = usesInlet(register, row)
  const wh = readingOf(row, inlet)
  // What comes late tells of the past.
  if (wh === undefined || (register.at !== undefined && row.at < register.at)) return { session, register }
  const isOther = inlet !== register.inlet
  const started = session.meter_start_unknown === true ? startingAt(session, wh) : session
  const before = isOther || started !== session ? registerAt(started.meter_start) : register
  const since = before.at ?? Date.parse(session.started_at)
  const read = readRegister(before, { at: row.at, wh }, since, mostOf(state, session))
  const after: Register = { ...read, ...(inlet === true && { inlet }) }
  const isPlain = !isOther && before === register && followsFromStore(session, register, after, wh)
  return { session: isPlain ? session : withRegister(started, after), register: after }
}

/** Until the outlet tells a reading, the inlet's counts. */
function usesInlet(register: Register, row: MeterValues): true | undefined {
  if (row.energy_wh !== undefined) return undefined
  if (register.inlet === true) return true
  return register.at === undefined && row.inlet_wh !== undefined ? true : undefined
}

function startingAt(session: Session, wh: number): Session {
  const { meter_start_unknown: _, ...known } = session
  return { ...known, meter_start: wh }
}

/** Whether the newest row and what is stored say as much as `after` does. */
function followsFromStore(session: Session, before: Register, after: Register, wh: number): boolean {
  const [present, presentBefore] = [after.segments.at(-1), before.segments.at(-1)]
  if (after.segments.length !== before.segments.length || present?.base !== presentBefore?.base) return false
  // Of rows of one instant, the store does not tell which came last.
  if (after.at === before.at && present?.highest !== presentBefore?.highest) return false
  if (before.doubtful !== undefined || after.doubtful !== undefined || present?.highest !== wh) return false
  return session.register?.at === undefined || (after.at as number) > session.register.at
}

/** The session as it is kept after an oddity, with the flags of all that have not turned out to be glitches. */
export function withRegister(session: Session, register: Register): Session {
  const others = session.flags.filter((flag) => !flagsOfRegisters.includes(flag))
  return { ...session, register, flags: [...others, ...flagsOfRegister(register)] }
}
