// Replays a ledger against the API: what was acknowledged is there, as it was acknowledged, and once.

import type { Answer, Service } from '../support/service.js'
import { type LedgerEntry, startKey, type TransactionStart } from './ledger.js'

export interface VerifyOptions {
  readonly service: Service
  readonly entries: readonly LedgerEntry[]
  /** Reads the lists to their ends, and holds them to what was ever sent; else only as far as the entries go back. */
  readonly whole: boolean
  readonly violation: (text: string) => void
}

export interface Verified {
  readonly transactions: number
  readonly commands: number
  readonly writes: number
}

interface Expected {
  readonly starts: Map<number, TransactionStart>
  readonly stops: Map<number, number>
  readonly registers: Map<number, number>
  /** Of every start that was ever sent. */
  readonly sent: Set<string>
}

interface SessionView extends Record<string, unknown> {
  readonly session_id: string
  readonly transaction_id: number
  readonly charge_point_id: string
  readonly connector_id: number
  readonly id_tag: string
  readonly started_at: string
  readonly meter_start: number
  readonly meter_stop: number | null
  readonly energy_kwh: number
  readonly status: string
  readonly flags: readonly string[]
}

type Of<Type extends LedgerEntry['type']> = Extract<LedgerEntry, { type: Type }>

export async function verifyLedger(options: VerifyOptions): Promise<Verified> {
  const { entries, violation } = options
  const of = <Type extends LedgerEntry['type']>(type: Type): Of<Type>[] =>
    entries.filter((entry): entry is Of<Type> => entry.type === type)
  const expected = new Map<string, Expected>()
  const expectedOf = (chargePointId: string): Expected => {
    const known = expected.get(chargePointId)
    if (known !== undefined) return known
    const fresh: Expected = { starts: new Map(), stops: new Map(), registers: new Map(), sent: new Set() }
    expected.set(chargePointId, fresh)
    return fresh
  }
  const owners = new Map<number, string>()
  for (const entry of of('starting')) expectedOf(entry.chargePointId).sent.add(startKey(entry))
  for (const entry of of('started')) {
    const key = startKey(entry)
    const owner = owners.get(entry.transactionId)
    if (owner !== undefined && owner !== key)
      violation(`transaction id ${entry.transactionId} was given to ${owner} and to ${key}`)
    owners.set(entry.transactionId, key)
    expectedOf(entry.chargePointId).starts.set(entry.transactionId, entry)
  }
  for (const entry of of('stopped')) expectedOf(entry.chargePointId).stops.set(entry.transactionId, entry.meterStop)
  for (const entry of of('metered'))
    expectedOf(entry.chargePointId).registers.set(entry.transactionId, entry.registerWh)

  await inTurns([...expected], ([id, wanted]) => verifyTransactions(options, id, wanted))
  const commands = groupBy(of('command'), (entry) => entry.chargePointId)
  await inTurns([...commands], ([id, wanted]) => verifyCommands(options, id, wanted))
  await inTurns(of('charge-point'), (entry) => verifyChargePoint(options, entry))
  await inTurns(of('id-tag'), (entry) => verifyIdTag(options, entry))
  await verifyKeys(options, of('api-key'), of('revoked-api-key'))
  return {
    transactions: owners.size,
    commands: of('command').length,
    writes: of('charge-point').length + of('id-tag').length + of('api-key').length + of('revoked-api-key').length,
  }
}

async function verifyTransactions(
  { service, whole, violation }: VerifyOptions,
  chargePointId: string,
  { starts, stops, registers, sent }: Expected,
): Promise<void> {
  const missing = new Set([...starts.keys(), ...stops.keys(), ...registers.keys()])
  const byTransaction = new Map<number, SessionView>()
  const keys = new Set<string>()
  const path = `/api/v1/sessions?charge_point_id=${chargePointId}`
  const { rows, complete } = await readList<SessionView>(service, path, 'sessions', 200, (session) => {
    missing.delete(session.transaction_id)
    return whole || missing.size > 0
  })
  for (const session of rows) {
    const key = startKey(startOf(session))
    if (byTransaction.has(session.transaction_id))
      violation(`${chargePointId}: two sessions have the transaction id ${session.transaction_id}`)
    if (keys.has(key)) violation(`${chargePointId}: two sessions for one start, ${key}`)
    if (whole && !sent.has(key) && !goesByArrival(session))
      violation(`${chargePointId}: a session that was never started, ${key}`)
    if (session.status === 'estimated')
      violation(`${chargePointId}: session ${session.session_id} was closed by estimate`)
    byTransaction.set(session.transaction_id, session)
    keys.add(key)
  }
  if (whole && !complete) violation(`${chargePointId}: the list of sessions and its total differ`)
  for (const [transactionId, start] of starts) {
    const session = byTransaction.get(transactionId)
    if (session === undefined) violation(`${chargePointId}: the answered transaction ${transactionId} is lost`)
    else if (!isOf(session, start))
      violation(`${chargePointId}: transaction ${transactionId} is not what was started: ${JSON.stringify(session)}`)
  }
  for (const [transactionId, meterStop] of stops) {
    const session = byTransaction.get(transactionId)
    if (session?.status !== 'completed' || session.meter_stop !== meterStop)
      violation(
        `${chargePointId}: the stop of ${transactionId} at ${meterStop} Wh was answered: ${JSON.stringify(session)}`,
      )
  }
  for (const [transactionId, registerWh] of registers) {
    const session = byTransaction.get(transactionId)
    if (session === undefined || session.meter_start + Math.round(session.energy_kwh * 1_000) < registerWh)
      violation(`${chargePointId}: ${registerWh} Wh of ${transactionId} were acknowledged: ${JSON.stringify(session)}`)
  }
}

/** A time that cannot be is replaced by that of arrival, and the session says so. */
function goesByArrival(session: SessionView): boolean {
  return session.flags.includes('clock_suspect')
}

function isOf(session: SessionView, start: TransactionStart): boolean {
  const found = startOf(session)
  const timestamp = goesByArrival(session) ? start.timestamp : found.timestamp
  return startKey({ ...found, timestamp }) === startKey(start)
}

function startOf(session: SessionView): TransactionStart {
  return {
    chargePointId: session.charge_point_id,
    connectorId: session.connector_id,
    idTag: session.id_tag,
    timestamp: session.started_at,
    meterStart: session.meter_start,
  }
}

async function verifyCommands(
  { service, whole, violation }: VerifyOptions,
  chargePointId: string,
  wanted: readonly Of<'command'>[],
): Promise<void> {
  const missing = new Set(wanted.map((entry) => entry.commandId))
  const found = new Map<string, string[]>()
  const path = `/api/v1/cpo/commands/${chargePointId}/history`
  const { complete } = await readList<{ command_id: string; status: string }>(
    service,
    path,
    'commands',
    100,
    ({ command_id, status }) => {
      missing.delete(command_id)
      found.set(command_id, [...(found.get(command_id) ?? []), status])
      return whole || missing.size > 0
    },
  )
  if (whole && !complete) violation(`${chargePointId}: the history of commands and its total differ`)
  for (const { commandId, status } of wanted) {
    const statuses = found.get(commandId) ?? []
    if (statuses.length !== 1 || statuses[0] !== status)
      violation(`${chargePointId}: command ${commandId} was answered ${status}, the history has [${statuses}]`)
  }
}

async function verifyChargePoint(
  { service, violation }: VerifyOptions,
  { chargePointId, name }: Of<'charge-point'>,
): Promise<void> {
  const answer = await service.request('GET', `/api/v1/chargepoints/${chargePointId}`)
  if (answer.status !== 200 || answer.body.name !== name)
    violation(`the registration of ${chargePointId} was answered, now: ${short(answer)}`)
}

async function verifyIdTag({ service, violation }: VerifyOptions, { idTag, label }: Of<'id-tag'>): Promise<void> {
  const answer = await service.request('GET', `/api/v1/id-tags/${idTag}`)
  if (answer.status !== 200 || answer.body.label !== label)
    violation(`the id tag ${idTag} was answered, now: ${short(answer)}`)
}

async function verifyKeys(
  { service, violation, whole }: VerifyOptions,
  made: readonly Of<'api-key'>[],
  revoked: readonly Of<'revoked-api-key'>[],
): Promise<void> {
  if (made.length === 0 && revoked.length === 0) return
  const path = '/api/v1/org/api-keys?'
  const { rows, complete } = await readList<{ id: string; name: string }>(service, path, 'data', 200, () => true)
  if (whole && !complete) violation('the list of keys and its total differ')
  const names = groupBy(rows, (row) => row.name)
  const ids = new Set(rows.map((row) => row.id))
  const gone = new Set(revoked.map((entry) => entry.keyId))
  for (const { keyId, name } of made) {
    const same = names.get(name) ?? []
    if (same.length > 1) violation(`the key ${name} was made ${same.length} times`)
    // A revocation whose answer was lost may have happened.
    if (whole && !gone.has(keyId) && same.length === 1 && same[0]?.id !== keyId)
      violation(`the key ${name} is not the one that was answered`)
  }
  for (const keyId of gone) if (ids.has(keyId)) violation(`the key ${keyId} was revoked and is there`)
}

/** Pages of a list, until its end or until `take` has had enough. `complete`: as many rows as its total says. */
async function readList<Row>(
  service: Service,
  path: string,
  field: string,
  perPage: number,
  take: (row: Row) => boolean,
): Promise<{ rows: Row[]; complete: boolean }> {
  const rows: Row[] = []
  for (let page = 1; ; page++) {
    const answer = await service.request(
      'GET',
      `${path}${path.includes('?') ? '&' : '?'}page=${page}&per_page=${perPage}`,
    )
    if (answer.status !== 200) throw new Error(`GET ${path} was answered ${short(answer)}`)
    const found = answer.body[field] as Row[]
    let more = true
    for (const row of found) {
      rows.push(row)
      more = take(row)
    }
    if (found.length < perPage) return { rows, complete: rows.length === answer.body.total }
    if (!more) return { rows, complete: false }
  }
}

function groupBy<Row>(rows: readonly Row[], nameOf: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const group = groups.get(nameOf(row))
    if (group === undefined) groups.set(nameOf(row), [row])
    else group.push(row)
  }
  return groups
}

/** A few at a time. */
async function inTurns<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  let next = 0
  const worker = async (): Promise<void> => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item)
  }
  await Promise.all(Array.from({ length: 8 }, worker))
}

function short({ status, body }: Answer): string {
  return `${status} ${JSON.stringify(body).slice(0, 200)}`
}
