// `ampshard emsp`: a roaming partner to try an operator with. It registers, reads everything, sends tokens and starts a charge if it is asked to, and
// prints a line for each thing that it sees until it ends; a fault makes its exit code 1.

import { setTimeout as delay } from 'node:timers/promises'
import { keyOfParty } from '../../src/ocpi/headers.js'
import { oneLine } from '../../src/runtime/one-line.js'
import { kinds } from './check-object.js'
import { Refused } from './client.js'
import { type Emsp, startEmsp } from './emsp.js'
import type { Seen } from './journal.js'
import { counted, countOf, lineOf } from './lines.js'
import { type Options, readOptions, type Start } from './options.js'

/** What stands for a driver where no card was named. */
const usualCard = 'SANDBOX-1'
/** How long a driver may take to plug in, and an operator for its bill. */
const patienceMs = 180_000
const newLocationMs = 10_000
/** Of a long list, so many objects are printed. */
const mostRead = 10

function print(line: string): void {
  process.stdout.write(`${new Date().toISOString().slice(11, 19)}  ${line}\n`)
}

/** Prints what is seen; of long lists, the first objects. */
function printer(): (seen: Seen) => void {
  let read = 0
  return (seen) => {
    if (seen.type === 'list') read = 0
    if (seen.type === 'object' && seen.by === 'GET' && ++read > mostRead) return
    const line = lineOf(seen)
    if (line !== undefined) print(line)
  }
}

const registeredBy = (by: 'operator' | 'partner') => (seen: Seen) => seen.type === 'registered' && seen.by === by

async function join(emsp: Emsp, { token, versionsUrl }: Options): Promise<void> {
  if (token !== undefined) {
    await emsp.register(versionsUrl, token)
    return
  }
  print(`waiting  for the operator, who registers with ${emsp.versionsUrl} and the token ${emsp.registrationToken}`)
  await emsp.once(registeredBy('operator'), Number.POSITIVE_INFINITY)
  await untilTaken(emsp)
}

/** The operator takes its new partner's calls once it has written down the answer to its own. */
async function untilTaken(emsp: Emsp): Promise<void> {
  for (let left = 20; ; left--) {
    try {
      await emsp.pull('tariffs', { limit: '1' })
      return
    } catch (error) {
      if (!(error instanceof Refused) || error.httpStatus !== 401 || left === 0) throw error
      await delay(250)
    }
  }
}

/** An operator tells of a location that is new to it a moment later. */
async function requirePlace(emsp: Emsp, { locationId, evseUid }: Start): Promise<void> {
  const isNamed = ({ id }: { readonly id: string }): boolean => id.toUpperCase() === locationId.toUpperCase()
  await emsp
    .once((seen) => seen.type === 'object' && seen.kind === 'locations' && isNamed(seen), newLocationMs)
    .catch(() => {})
  const locations = emsp.known('locations')
  const location = locations.find(isNamed)
  const some = (names: readonly string[]): string =>
    names.length === 0 ? 'none' : `${names.slice(0, 5).join(', ')}${names.length > 5 ? ' and others' : ''}`
  if (location === undefined)
    throw new Error(`--start: there is no location ${locationId}; there is ${some(locations.map(({ id }) => id))}`)
  const uids = (location.evses ?? []).map(({ uid }) => uid)
  if (evseUid !== undefined && !uids.some((uid) => uid.toUpperCase() === evseUid.toUpperCase()))
    throw new Error(`--start: ${locationId} has no EVSE ${evseUid}; it has ${some(uids)}`)
}

/** From the command to the bill. */
async function charge(emsp: Emsp, start: Start, { authorize, stopAfterSeconds }: Options): Promise<void> {
  await requirePlace(emsp, start)
  const uid = authorize[0] ?? usualCard
  const { token } = emsp.drivers.get(uid) ?? emsp.drivers.set(uid, { type: 'APP_USER' })
  const { locationId: location_id, evseUid: evse_uid, connectorId: connector_id } = start
  const authorization_reference = emsp.drivers.reference()
  const place = { location_id, ...(evse_uid && { evse_uid }), ...(connector_id && { connector_id }) }
  const { result } = await emsp.command('START_SESSION', { token, ...place, authorization_reference })
  const { result: word } = await result
  if (word !== 'ACCEPTED') throw new Error(`the charge was not started: ${word}`)
  const { id: session_id } = await emsp.once(
    (seen) =>
      seen.type === 'object' &&
      seen.kind === 'sessions' &&
      seen.object.authorization_reference === authorization_reference &&
      seen.object,
    patienceMs,
  )
  if (stopAfterSeconds !== undefined) {
    await delay(stopAfterSeconds * 1_000)
    const stopped = await emsp.command('STOP_SESSION', { session_id })
    await stopped.result
  }
  const cdr = await emsp.once(
    (seen) => seen.type === 'object' && seen.kind === 'cdrs' && seen.object.session_id === session_id && seen.object,
    stopAfterSeconds === undefined ? Number.POSITIVE_INFINITY : patienceMs,
  )
  await emsp.once((seen) => seen.type === 'priced' && seen.id === cdr.id)
}

async function act(emsp: Emsp, options: Options, ended: Promise<unknown>): Promise<void> {
  await join(emsp, options)
  await emsp.pullAll()
  for (const uid of options.authorize) await emsp.tellDriver(uid)
  if (options.start !== undefined) await charge(emsp, options.start, options)
  else if (!options.once) await ended
}

function hasOperator(emsp: Emsp): boolean {
  try {
    return emsp.operator !== undefined
  } catch {
    return false
  }
}

function summary(emsp: Emsp): string {
  const known = kinds.map((kind) => countOf(kind, emsp.known(kind).length)).join(', ')
  const faults = counted(emsp.faults.length, ['fault', 'faults'])
  return `${known}; ${emsp.faults.length === 0 ? 'no faults' : faults}`
}

/** An operator that could not call the partner has reasons that are often the same. */
const unreachable = 3001

function complain(error: unknown): void {
  const isUnreachable = error instanceof Refused && error.statusCode === unreachable
  const hint = isUnreachable ? ' (has the service been started with --allow-insecure-webhooks true?)' : ''
  process.stderr.write(`emsp: ${oneLine(error instanceof Error ? error.message : String(error))}${hint}\n`)
}

export async function emsp(argv: readonly string[]): Promise<void> {
  const options = readOptions(argv, process.env)
  const { host, port, publicUrl, party, name } = options
  let partner: Emsp
  try {
    partner = await startEmsp({
      host,
      port,
      party,
      name,
      heard: printer(),
      ...(publicUrl !== undefined && { publicUrl }),
    })
  } catch (error) {
    complain(error)
    process.exit(1)
  }
  print(`ready    ${keyOfParty(party)}, at ${partner.versionsUrl}`)
  const interrupted = new Promise<void>((resolve) => {
    let isEnding = false
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.on(signal, () => {
        if (isEnding) process.exit(130)
        isEnding = true
        resolve()
      })
  })
  const left = partner.next((seen) => seen.type === 'ended' && seen.by === 'operator', Number.POSITIVE_INFINITY)
  left.catch(() => {})
  const ended = Promise.race([interrupted, left])
  let hasFailed = false
  await Promise.race([act(partner, options, ended), ended]).catch((error: unknown) => {
    hasFailed = true
    complain(error)
  })
  if (hasOperator(partner))
    await partner.leave().catch((error: unknown) => {
      hasFailed = true
      complain(error)
    })
  print(`seen     ${summary(partner)}`)
  await partner.close()
  process.exit(hasFailed || partner.faults.length > 0 ? 1 : 0)
}
