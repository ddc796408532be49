// How the partner and an operator come to know each other, and part (OCPI 2.2.1, 6 and 7), whichever of them begins.

import { keyOfParty, type Party } from '../../src/ocpi/headers.js'
import type { CredentialsRole } from '../../src/ocpi/schemas/credentials.js'
import type { ModuleId, Version, VersionDetails } from '../../src/ocpi/schemas/version.js'
import { faultsIn, type SchemaName } from './check-object.js'
import { type Client, NoAnswer, Refused } from './client.js'
import type { Journal } from './journal.js'
import type { Keys } from './keys.js'
import { type Incoming, invalid, type Reply, wrongMethod } from './server.js'

const version = '2.2.1'

export interface Operator {
  readonly party: Party
  readonly name: string
  readonly versionsUrl: string
  /** With which the partner calls it. */
  readonly token: string
  readonly endpoints: VersionDetails['endpoints']
}

export interface HandshakeOptions {
  readonly client: Client
  readonly journal: Journal
  readonly keys: Keys
  readonly own: Party
  readonly name: string
  /** Where the partner's versions are. */
  readonly versionsUrl: () => string
}

export interface Handshake {
  readonly operator: Operator | undefined
  /** With the operator's registration token (token A). */
  register(versionsUrl: string, token: string): Promise<Operator>
  /** New tokens for both sides. */
  replace(): Promise<Operator>
  leave(): Promise<void>
  /** A request for the module credentials. */
  receive(incoming: Incoming): Promise<Reply>
}

interface Access {
  readonly versionsUrl: string
  readonly token: string
}

interface Credentials {
  readonly token: string
  readonly url: string
  readonly roles: readonly CredentialsRole[]
}

export function endpointOf(
  { endpoints }: Pick<Operator, 'endpoints'>,
  module: ModuleId,
  role?: 'SENDER' | 'RECEIVER',
): string | undefined {
  const found = endpoints.find((one) => one.identifier === module && (role === undefined || one.role === role))
  return found?.url.replace(/\/+$/, '')
}

export function createHandshake({ client, journal, keys, own, name, versionsUrl }: HandshakeOptions): Handshake {
  let operator: Operator | undefined

  function ownCredentials(token: string): Credentials {
    const role = { role: 'EMSP' as const, business_details: { name }, ...own }
    return { token, url: versionsUrl(), roles: [role] }
  }

  /** Throws where it is not what the standard says. */
  function check(about: string, schema: SchemaName, data: unknown): void {
    const faults = faultsIn(schema, data)
    for (const words of faults) journal.fault(about, words)
    if (faults.length > 0) throw new Refused(`${about}: ${faults.join('; ')}`, 200, undefined)
  }

  async function discover({ versionsUrl: url, token }: Access): Promise<Operator['endpoints']> {
    const versions = await client.call({ method: 'GET', url, token })
    check(`GET ${url}`, 'versions', versions.data)
    const offered = (versions.data as readonly Version[]).find((one) => one.version === version)
    if (offered === undefined) throw new Refused(`${url} does not offer version ${version}`, 200, 3002)
    const details = await client.call({ method: 'GET', url: offered.url, token })
    check(`GET ${offered.url}`, 'details', details.data)
    const { endpoints } = details.data as VersionDetails
    if (endpointOf({ endpoints }, 'credentials') === undefined)
      throw new Refused(`${offered.url} has no endpoint for credentials`, 200, 3003)
    return endpoints
  }

  function know(about: string, data: unknown, endpoints: Operator['endpoints']): Operator {
    check(about, 'credentials', data)
    const { token, url, roles } = data as Credentials
    const role = roles.find((one) => one.role === 'CPO')
    if (role === undefined) throw new Refused(`${about}: none of the roles is a CPO`, 200, undefined)
    const { country_code, party_id, business_details } = role
    operator = { party: { country_code, party_id }, name: business_details.name, versionsUrl: url, token, endpoints }
    return operator
  }

  async function exchange(method: 'POST' | 'PUT', access: Access): Promise<Operator> {
    const endpoints = await discover(access)
    const url = endpointOf({ endpoints }, 'credentials') as string
    const { data } = await client.call({ method, url, token: access.token, body: ownCredentials(keys.issue()) })
    return know(`the answer to ${method} ${url}`, data, endpoints)
  }

  function required(): Operator {
    if (operator === undefined) throw new Error('the partner is registered with no operator')
    return operator
  }

  async function take({ method, json }: Incoming): Promise<Reply> {
    const about = `${method} credentials`
    const faults = faultsIn('credentials', json)
    for (const words of faults) journal.fault(about, words)
    if (faults.length > 0) return invalid(faults.join('; '))
    const { token, url } = json as Credentials
    let endpoints: Operator['endpoints']
    try {
      endpoints = await discover({ versionsUrl: url, token })
    } catch (error) {
      if (!(error instanceof Refused || error instanceof NoAnswer)) throw error
      const isOwn = error instanceof Refused && (error.statusCode === 3002 || error.statusCode === 3003)
      return { statusCode: isOwn ? error.statusCode : 3001, message: error.message }
    }
    const { party } = know(about, json, endpoints)
    const type = method === 'POST' ? 'registered' : 'renewed'
    journal.note({ type, by: 'operator', operator: keyOfParty(party) })
    return { data: ownCredentials(keys.issue()) }
  }

  return {
    get operator() {
      return operator
    },
    async register(url, token) {
      const { party } = await exchange('POST', { versionsUrl: url, token })
      journal.note({ type: 'registered', by: 'partner', operator: keyOfParty(party) })
      return required()
    },
    async replace() {
      const { party } = await exchange('PUT', required())
      journal.note({ type: 'renewed', by: 'partner', operator: keyOfParty(party) })
      return required()
    },
    async leave() {
      const { token, endpoints } = required()
      await client.call({ method: 'DELETE', url: endpointOf({ endpoints }, 'credentials') as string, token })
      operator = undefined
      keys.end()
      journal.note({ type: 'ended', by: 'partner' })
    },
    async receive(incoming) {
      const { method, stage, token } = incoming
      switch (method) {
        case 'GET':
          return { data: ownCredentials(token) }
        case 'POST':
          return stage === 'registration' ? take(incoming) : wrongMethod('you have registered already')
        case 'PUT':
          return stage === 'partner' ? take(incoming) : wrongMethod('you have not registered yet')
        case 'DELETE': {
          if (stage !== 'partner') return wrongMethod('you have not registered yet')
          operator = undefined
          keys.end()
          journal.note({ type: 'ended', by: 'operator' })
          return {}
        }
        default:
          return wrongMethod(`credentials know no ${method}`)
      }
    },
  }
}
