// What the partner offers (OCPI 2.2.1): its versions, the tokens of its drivers, and the receivers of what the operator tells it. Each object that is
// taken is remembered; one that is not what the standard says is refused with 2001.

import { isSameParty, type Party } from '../../src/ocpi/headers.js'
import type { Cdr } from '../../src/ocpi/schemas/cdr.js'
import type { Evse } from '../../src/ocpi/schemas/location.js'
import type { Session } from '../../src/ocpi/schemas/session.js'
import type { LocationReferences } from '../../src/ocpi/schemas/token.js'
import { faultsIn, type Kind } from './check-object.js'
import type { Commands } from './commands.js'
import type { Drivers } from './drivers.js'
import type { Handshake } from './handshake.js'
import type { AnySeenObject, Journal } from './journal.js'
import { type Memory, pushed, type Told, type Unknown } from './memory.js'
import { type Incoming, invalid, notFound, type Reply, wrongMethod } from './server.js'
import { instantOf } from './times.js'

export interface ReceiversOptions {
  readonly address: () => string
  readonly journal: Journal
  readonly memory: Memory
  readonly drivers: Drivers
  readonly handshake: () => Handshake
  readonly commands: () => Commands
  /** A CDR that has not come before. */
  readonly billed: (cdr: Cdr) => void
}

const version = '2.2.1'
const modulesPath = `/ocpi/emsp/${version}`
export const versionsPath = '/ocpi/versions'
const ownModules = [
  ['credentials', 'SENDER'],
  ['tokens', 'SENDER'],
  ['commands', 'SENDER'],
  ['cdrs', 'RECEIVER'],
  ['locations', 'RECEIVER'],
  ['sessions', 'RECEIVER'],
  ['tariffs', 'RECEIVER'],
] as const

/** How many tokens a page has at most. */
const mostOfPage = 100

type Method = 'PUT' | 'PATCH' | 'POST' | 'DELETE'

export function createReceivers(options: ReceiversOptions): (incoming: Incoming) => Promise<Reply> {
  const { address, journal, memory, drivers, handshake, commands, billed } = options

  function versions(path: readonly string[]): Reply {
    if (path.length === 0) return { data: [{ version, url: `${address()}${versionsPath}/${version}` }] }
    if (path.length > 1 || path[0] !== version)
      return { httpStatus: 404, statusCode: 3002, message: 'only 2.2.1 is offered' }
    const endpoints = ownModules.map(([identifier, role]) => ({
      identifier,
      role,
      url: `${address()}${modulesPath}/${identifier}`,
    }))
    return { data: { version, endpoints } }
  }

  function tokens({ method, path, query, json }: Incoming): Reply {
    const [uid, authorize] = path
    if (uid !== undefined && authorize === 'authorize' && path.length === 2)
      return method === 'POST' ? authorized(uid, query.get('type') ?? 'RFID', json) : wrongMethod('authorize is a POST')
    if (path.length > 0) return notFound('there is no such address in tokens')
    return method === 'GET' ? listTokens(query) : wrongMethod('tokens are read')
  }

  function listTokens(query: URLSearchParams): Reply {
    const number = (name: string, usual: number): number => Number(query.get(name) ?? usual)
    const time = (name: string, usual: number): number => instantOf(query.get(name) ?? '') ?? usual
    const [offset, limit] = [number('offset', 0), Math.min(number('limit', mostOfPage), mostOfPage)]
    if (!Number.isInteger(offset) || offset < 0 || !Number.isInteger(limit) || limit < 1)
      return invalid('offset and limit are whole numbers')
    const [from, to] = [time('date_from', 0), time('date_to', Number.POSITIVE_INFINITY)]
    const all = drivers.list().filter(({ token }) => {
      const changed = instantOf(token.last_updated) ?? 0
      return changed >= from && changed < to
    })
    const page = all.slice(offset, offset + limit)
    const next = new URLSearchParams(query)
    next.set('offset', String(offset + limit))
    next.set('limit', String(limit))
    const isLast = offset + limit >= all.length
    journal.note({ type: 'tokens-read', count: page.length, isLast })
    return {
      data: page.map(({ token }) => token),
      headers: {
        'X-Total-Count': String(all.length),
        'X-Limit': String(mostOfPage),
        ...(!isLast && { Link: `<${address()}${modulesPath}/tokens?${next}>; rel="next"` }),
      },
    }
  }

  function authorized(uid: string, type: string, json: unknown): Reply {
    const about = `authorize of ${uid}`
    const faults = json === undefined ? [] : faultsIn('references', json)
    for (const words of faults) journal.fault(about, words)
    if (faults.length > 0) return invalid(faults.join('; '))
    const location = json as LocationReferences | undefined
    if (
      location !== undefined &&
      memory.all('locations').length > 0 &&
      memory.get('locations', location.location_id) === undefined
    )
      journal.fault(about, `it is at the location ${location.location_id}, of which the partner knows nothing`)
    const driver = drivers.get(uid, type)
    const seen = { type: 'authorized', uid, locationId: location?.location_id } as const
    if (driver === undefined) {
      journal.note({ ...seen, allowed: 'unknown' })
      return { httpStatus: 404, statusCode: 2004, message: 'the token is not known' }
    }
    journal.note({ ...seen, allowed: driver.allowed })
    return { data: drivers.authorize(driver, location) }
  }

  function checkDriver({ id, cdr_token, authorization_reference: reference }: Session | Cdr, kind: Kind): void {
    const driver = drivers.get(cdr_token.uid, cdr_token.type)
    if (driver === undefined)
      journal.fault(`${kind} ${id}`, `the partner has no token ${cdr_token.type} ${cdr_token.uid}`)
    else if (driver.token.contract_id !== cdr_token.contract_id)
      journal.fault(`${kind} ${id}`, `its contract_id is ${cdr_token.contract_id}, and not ${driver.token.contract_id}`)
    if (reference !== undefined && !drivers.gave(reference))
      journal.fault(`${kind} ${id}`, `its authorization_reference ${reference} was never given`)
  }

  /** Of what was told: what is answered, and noted. */
  function taken<Of extends Kind>(
    kind: Of,
    by: Method,
    told: Told<Of> | Unknown | undefined,
    more: {
      readonly evseUid?: string | undefined
      readonly isNew?: boolean
      readonly headers?: Record<string, string>
    } = {},
  ): Reply {
    if (told === 'unknown') return notFound('it is not known here')
    if (told === undefined) return invalid('it is not what OCPI 2.2.1 says')
    const { object, isRepeated } = told
    const { evseUid, isNew = false, headers } = more
    if (kind === 'sessions' || kind === 'cdrs') checkDriver(object as Session | Cdr, kind)
    const seen = {
      type: 'object',
      kind,
      by,
      id: object.id,
      object,
      isRepeated,
      ...(evseUid !== undefined && { evseUid }),
    }
    journal.note(seen as unknown as AnySeenObject)
    if (kind === 'cdrs' && !isRepeated) billed(object as Cdr)
    return { httpStatus: isNew ? 201 : 200, ...(headers !== undefined && { headers }) }
  }

  /** What the path names and what the body says are one. */
  function differs(json: unknown, names: Readonly<Record<string, string>>): string | undefined {
    if (typeof json !== 'object' || json === null) return undefined
    const body = json as Readonly<Record<string, unknown>>
    const wrong = Object.entries(names).find(
      ([name, value]) => body[name] !== undefined && String(body[name]).toUpperCase() !== value.toUpperCase(),
    )
    return wrong && `${wrong[0]} is ${String(body[wrong[0]])}, and in the address ${wrong[1]}`
  }

  function locations({ method, json }: Incoming, party: Party, ids: readonly string[]): Reply {
    const [locationId = '', evseUid, connectorId] = ids
    const place = { locationId, evseUid, connectorId }
    const known = memory.get('locations', locationId)
    const evse = known?.evses?.find(({ uid }: Evse) => uid.toUpperCase() === evseUid?.toUpperCase())
    if (method === 'GET')
      return known === undefined ? notFound('it is not known here') : { data: evseUid === undefined ? known : evse }
    const isNew = evseUid === undefined ? known === undefined : evse === undefined
    const names: Record<string, string> =
      connectorId !== undefined
        ? { id: connectorId }
        : evseUid !== undefined
          ? { uid: evseUid }
          : { id: locationId, ...party }
    const wrong = differs(json, names)
    if (wrong !== undefined) {
      journal.fault(`locations ${locationId}`, wrong)
      return invalid(wrong)
    }
    if (method === 'PATCH') return taken('locations', method, memory.patchLocation(place, json), { evseUid })
    if (method !== 'PUT') return wrongMethod(`locations know no ${method}`)
    if (evseUid === undefined) return taken('locations', method, memory.tellWhole('locations', json, pushed), { isNew })
    const told =
      connectorId === undefined ? memory.tellEvse(locationId, json) : memory.tellConnector(locationId, evseUid, json)
    return taken('locations', method, told, { evseUid, isNew })
  }

  function sessions({ method, json }: Incoming, party: Party, [id = '']: readonly string[]): Reply {
    const known = memory.get('sessions', id)
    if (method === 'GET') return known === undefined ? notFound('it is not known here') : { data: known }
    const wrong = differs(json, { id, ...party })
    if (wrong !== undefined) {
      journal.fault(`sessions ${id}`, wrong)
      return invalid(wrong)
    }
    if (method === 'PATCH') return taken('sessions', method, memory.patchSession(id, json))
    if (method !== 'PUT') return wrongMethod(`sessions know no ${method}`)
    return taken('sessions', method, memory.tellWhole('sessions', json, pushed), { isNew: known === undefined })
  }

  function tariffs({ method, json }: Incoming, party: Party, [id = '']: readonly string[]): Reply {
    const known = memory.get('tariffs', id)
    if (method === 'GET') return known === undefined ? notFound('it is not known here') : { data: known }
    if (method === 'DELETE') {
      const removed = memory.removeTariff(id)
      return taken('tariffs', method, removed === undefined ? 'unknown' : { object: removed, isRepeated: false })
    }
    if (method !== 'PUT') return wrongMethod(`tariffs know no ${method}`)
    const wrong = differs(json, { id, ...party })
    if (wrong !== undefined) {
      journal.fault(`tariffs ${id}`, wrong)
      return invalid(wrong)
    }
    return taken('tariffs', method, memory.tellWhole('tariffs', json, pushed), { isNew: known === undefined })
  }

  function cdrs({ method, json }: Incoming, [id]: readonly string[]): Reply {
    if (method === 'GET' && id !== undefined) {
      const known = memory.get('cdrs', id)
      return known === undefined ? notFound('it is not known here') : { data: known }
    }
    if (method !== 'POST' || id !== undefined) return wrongMethod('a CDR is sent with POST, and never changed')
    const told = memory.tellWhole('cdrs', json, pushed)
    const at = told && `${address()}${modulesPath}/cdrs/${encodeURIComponent(told.object.id)}`
    return taken('cdrs', method, told, at === undefined ? {} : { isNew: !told?.isRepeated, headers: { Location: at } })
  }

  const byParty = { locations, sessions, tariffs } as const
  const depths: Readonly<Record<keyof typeof byParty, number>> = { locations: 3, sessions: 1, tariffs: 1 }

  function receiver(module: keyof typeof byParty, incoming: Incoming): Reply {
    const [country_code = '', party_id = '', ...ids] = incoming.path
    const { operator } = handshake()
    if (operator === undefined || !isSameParty({ country_code, party_id }, operator.party)) {
      journal.fault(`${incoming.method} ${module}`, `${country_code}/${party_id} in the address is not the operator`)
      return notFound(`${country_code}/${party_id} is none of your roles`)
    }
    if (ids.length < 1 || ids.length > depths[module]) return notFound('there is no such address')
    return byParty[module](incoming, { country_code, party_id }, ids)
  }

  return async (incoming) => {
    const [root, ...path] = incoming.path
    if (root === 'versions') return incoming.method === 'GET' ? versions(path) : wrongMethod('versions are read')
    const [ofVersion, module, ...rest] = path
    if (root !== 'emsp' || ofVersion !== version) return notFound('there is no such address')
    const inside = { ...incoming, path: rest }
    switch (module) {
      case 'credentials':
        return handshake().receive(inside)
      case 'tokens':
        return tokens(inside)
      case 'cdrs':
        return cdrs(inside, rest)
      case 'commands':
        return commands().receive(inside)
      case 'locations':
      case 'sessions':
      case 'tariffs':
        return receiver(module, inside)
      default:
        return notFound(`there is no module ${module}`)
    }
  }
}
