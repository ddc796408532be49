// Installers of a service under test: signed up and logged in, with the terms accepted.

import { randomBytes } from 'node:crypto'
import type { Answer, Service } from './service.js'

export const installerPassword = 'Ladestation 2026'

export interface TestInstaller {
  readonly id: string
  readonly email: string
  readonly token: string
  /** With the installer's token. */
  readonly request: Service['request']
}

export interface InstallerOptions {
  readonly email?: string
  /** Terms are accepted unless it says so. */
  readonly withoutTerms?: true
}

function expect(answer: Answer, status: number): Answer {
  if (answer.status !== status) throw new Error(`an installer got ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer
}

export async function logIn(service: Pick<Service, 'request'>, email: string, password = installerPassword) {
  return service.request('POST', '/api/v1/installer/login', { email, password }, { authorization: '' })
}

/** What a service is asked with an access token, which may be of an earlier run of it. */
export function requestWith(service: Pick<Service, 'request'>, token: string): Service['request'] {
  return (method, path, sent, headers) =>
    service.request(method, path, sent, { authorization: `Bearer ${token}`, ...headers })
}

/** A new one, with an address of its own. */
export async function installerOf(
  service: Pick<Service, 'request'>,
  { email = `installer-${randomBytes(6).toString('hex')}@example.com`, withoutTerms }: InstallerOptions = {},
): Promise<TestInstaller> {
  const fields = { email, first_name: 'Ines', last_name: 'Example', company: 'Example Installations' }
  const body = { ...fields, password: installerPassword }
  expect(await service.request('POST', '/api/v1/installer/signup', body, { authorization: '' }), 201)
  const { installer_id: id, access_token: token } = expect(await logIn(service, email), 200).body
  const request = requestWith(service, token)
  if (withoutTerms !== true)
    expect(await request('POST', '/api/v1/installer/accept-terms', { terms_version: '2026-11' }), 200)
  return { id, email, token, request }
}
