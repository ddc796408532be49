// A roaming partner to try an operator with: a strict eMSP of OCPI 2.2.1. It registers, reads, takes what it is told, has drivers and sends commands;
// it holds everything to the standard, and recomputes every bill. `ampshard emsp` is this partner with a command line, and tests use it as it is.

import type { Party } from '../../src/ocpi/headers.js'
import type { Cdr } from '../../src/ocpi/schemas/cdr.js'
import type { CommandType } from '../../src/ocpi/schemas/command.js'
import { checkPrice } from './cdr-rules.js'
import { type Kind, kinds, type ObjectOf } from './check-object.js'
import { createClient, NoAnswer, Refused } from './client.js'
import { type Commands, createCommands, type SentCommand } from './commands.js'
import { createDrivers, type Driver, type DriverFields, type Drivers } from './drivers.js'
import { createHandshake, endpointOf, type Handshake, type Operator } from './handshake.js'
import { type AnySeenObject, createJournal, type Journal, type Seen, type SeenRequest } from './journal.js'
import { createKeys } from './keys.js'
import { createMemory } from './memory.js'
import type { Misbehaviour } from './misbehaviour.js'
import { pullList } from './pull.js'
import { createReceivers, versionsPath } from './receivers.js'
import { startServer } from './server.js'

export interface EmspOptions {
  readonly party?: Party
  readonly name?: string
  readonly host?: string
  /** 0 chooses a free one. */
  readonly port?: number
  /** The address that the operator is told, where it is not the one that is listened on. */
  readonly publicUrl?: string
  /** With which the operator may register here. */
  readonly registrationToken?: string
  /** How long the operator may take for an answer. */
  readonly timeoutMs?: number
  /** Called with each thing as it is seen. */
  readonly heard?: (seen: Seen) => void
}

/** `GET` of its list: those that changed at `date_from` or later. */
export interface PullQuery {
  readonly date_from?: string
  readonly date_to?: string
  readonly limit?: string
}

export interface Emsp extends Pick<Journal, 'seen' | 'faults' | 'once' | 'next'> {
  readonly party: Party
  /** Where an operator registers, and with which token. */
  readonly versionsUrl: string
  readonly registrationToken: string
  /** Throws where there is none. */
  readonly operator: Operator
  readonly drivers: Drivers
  register(versionsUrl: string, token: string): Promise<Operator>
  replaceCredentials(): Promise<Operator>
  leave(): Promise<void>
  /** All objects of a kind, as they come on its pages. */
  pull<Of extends Kind>(kind: Of, query?: PullQuery): Promise<readonly ObjectOf<Of>[]>
  pullAll(): Promise<void>
  /** What it knows now. */
  known<Of extends Kind>(kind: Of): readonly ObjectOf<Of>[]
  /** Adds or changes a driver, and tells the operator. */
  tellDriver(uid: string, fields?: DriverFields): Promise<Driver>
  command(type: CommandType, fields: object): Promise<SentCommand>
  /** From now on, for requests that `concerns` picks out; until it is told otherwise. */
  misbehave(how: Misbehaviour | undefined, concerns?: (request: SeenRequest) => boolean): void
  close(): Promise<void>
}

const usualTimeoutMs = 30_000

function isWithin({ last_updated }: { readonly last_updated: string }, { date_from, date_to }: PullQuery): boolean {
  const at = Date.parse(last_updated)
  return (date_from === undefined || at >= Date.parse(date_from)) && (date_to === undefined || at < Date.parse(date_to))
}

export async function startEmsp(options: EmspOptions = {}): Promise<Emsp> {
  const { party: own = { country_code: 'NL', party_id: 'EMP' }, name = 'Example Mobility' } = options
  const { host = '127.0.0.1', port = 0, publicUrl, timeoutMs = usualTimeoutMs, heard = () => {} } = options
  const journal = createJournal(heard)
  const keys = createKeys(options.registrationToken)
  const client = createClient(journal, own, timeoutMs)
  const memory = createMemory(own, journal.fault)
  const drivers = createDrivers(own, name)
  let mood: ((request: SeenRequest) => Misbehaviour | undefined) | undefined
  let address = publicUrl ?? ''

  const handshake: Handshake = createHandshake({
    client,
    journal,
    keys,
    own,
    name,
    versionsUrl: () => `${address}${versionsPath}`,
  })
  function operator(): Operator {
    if (handshake.operator === undefined) throw new Error('the partner is registered with no operator')
    return handshake.operator
  }
  const commands: Commands = createCommands({
    client,
    journal,
    operator,
    url: () => `${address}/ocpi/emsp/2.2.1/commands`,
  })

  /** The time zone by which its tariffs hold; undefined where the operator does not show the location. */
  async function timeZoneOf({ cdr_location: { id } }: Cdr): Promise<string | undefined> {
    const location = memory.get('locations', id)
    if (location !== undefined) return location.time_zone
    const { token, party: to, ...rest } = operator()
    const endpoint = endpointOf(rest, 'locations', 'SENDER')
    if (endpoint === undefined) return undefined
    try {
      const url = `${endpoint}/${encodeURIComponent(id)}`
      const { data } = await client.call({ method: 'GET', url, token, to })
      return memory.tellWhole('locations', data, { since: memory.moment })?.object.time_zone
    } catch (error) {
      if (error instanceof Refused || error instanceof NoAnswer) return undefined
      throw error
    }
  }

  async function price(cdr: Cdr): Promise<void> {
    const timeZone = await timeZoneOf(cdr)
    const { computed, faults } = checkPrice(cdr, timeZone)
    for (const words of faults) journal.fault(`cdrs ${cdr.id}`, words)
    journal.note({ type: 'priced', id: cdr.id, charged: cdr.total_cost, computed })
  }
  const billed = (cdr: Cdr): void =>
    void price(cdr).catch((error: Error) => journal.fault(`cdrs ${cdr.id}`, `it could not be priced: ${error.message}`))

  const server = await startServer({
    host,
    port,
    journal,
    keys,
    own,
    operator: () => handshake.operator?.party,
    mood: (request) => mood?.(request),
    handle: createReceivers({
      address: () => address,
      journal,
      memory,
      drivers,
      handshake: () => handshake,
      commands: () => commands,
      billed,
    }),
  })
  address = publicUrl ?? server.address

  async function pull<Of extends Kind>(kind: Of, query: PullQuery = {}): Promise<readonly ObjectOf<Of>[]> {
    const { token, party: to, endpoints } = operator()
    const url = endpointOf({ endpoints }, kind, 'SENDER')
    if (url === undefined) throw new Error(`the operator offers no ${kind}`)
    const since = memory.moment
    const asked = { ...(kind === 'sessions' && { date_from: '2020-01-01T00:00:00Z' }), ...query }
    const { rows, pages } = await pullList(client, journal, { url, token, to, query: asked })
    const objects: ObjectOf<Of>[] = []
    const ids = new Set<string>()
    for (const row of rows) {
      const told = memory.tellWhole(kind, row, { since })
      if (told === undefined) continue
      const { object, isRepeated } = told
      if (ids.has(object.id.toUpperCase())) journal.fault(`GET ${url}`, `${object.id} is in the list twice`)
      ids.add(object.id.toUpperCase())
      objects.push(row as ObjectOf<Of>)
      // CDRs may also be filtered by the end of their sessions.
      if (kind !== 'cdrs' && !isWithin(object, asked))
        journal.fault(`GET ${url}`, `${object.id} has last changed at ${object.last_updated}, which was not asked for`)
      journal.note({ type: 'object', kind, by: 'GET', id: object.id, object, isRepeated } as unknown as AnySeenObject)
      if (kind === 'cdrs' && !isRepeated) billed(object as Cdr)
    }
    journal.note({ type: 'list', kind, count: objects.length, pages })
    return objects
  }

  /** A driver is shown the price of a connector: the tariff that it names has to be there. */
  function checkTariffIds(): void {
    const offered = new Set(memory.all('tariffs').map(({ id }) => id.toUpperCase()))
    for (const { id, evses = [] } of memory.all('locations'))
      for (const { uid, connectors } of evses)
        for (const tariff of connectors.flatMap(({ tariff_ids = [] }) => tariff_ids))
          if (!offered.has(tariff.toUpperCase()))
            journal.fault(
              `locations ${id}`,
              `EVSE ${uid} names the tariff ${tariff}, which is not in the list of tariffs`,
            )
  }

  return {
    seen: journal.seen,
    faults: journal.faults,
    once: journal.once,
    next: journal.next,
    party: own,
    versionsUrl: `${address}${versionsPath}`,
    registrationToken: keys.registrationToken,
    get operator() {
      return operator()
    },
    drivers,
    register: (versionsUrl, token) => handshake.register(versionsUrl, token),
    replaceCredentials: () => handshake.replace(),
    leave: () => handshake.leave(),
    pull,
    async pullAll() {
      for (const kind of kinds) await pull(kind)
      checkTariffIds()
    },
    known: (kind) => memory.all(kind),
    async tellDriver(uid, fields) {
      const driver = drivers.set(uid, fields)
      const { token, party: to, endpoints } = operator()
      const endpoint = endpointOf({ endpoints }, 'tokens', 'RECEIVER')
      if (endpoint === undefined) throw new Error('the operator takes no tokens')
      const { country_code, party_id, type } = driver.token
      const url = `${endpoint}/${country_code}/${party_id}/${encodeURIComponent(uid)}?type=${type}`
      await client.call({ method: 'PUT', url, token, to, body: driver.token })
      journal.note({ type: 'token-sent', uid })
      return driver
    },
    command: (type, fields) => commands.send(type, fields),
    misbehave(how, concerns = () => true) {
      mood = how === undefined ? undefined : (request) => (concerns(request) ? how : undefined)
    },
    async close() {
      commands.close()
      journal.close()
      await server.close()
    },
  }
}
