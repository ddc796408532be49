// What the service asks a partner during a handshake: its versions, the modules of 2.2.1, and its credentials (OCPI 2.2.1, 6 and 7).

import { type OcpiCall, type OcpiOutcome, ocpiCallJob } from '../../../ocpi/call.js'
import type { CallToken } from '../../../ocpi/call-token.js'
import { type ReceivedCredentials, receivedCredentialsSchema } from '../../../ocpi/schemas/credentials.js'
import {
  ocpiVersion,
  type ReceivedVersionDetails,
  receivedVersionDetailsSchema,
  receivedVersionsSchema,
  type Version,
} from '../../../ocpi/schemas/version.js'
import { withoutNulls } from '../../../ocpi/validators.js'
import type { OcpiEndpoint, OcpiTokenEncoding } from '../../../records/ocpi-partner.js'
import { overloaded } from '../../../runtime/errors.js'
import type { Services } from '../../pipeline/services.js'
import { bodyCheck } from '../../pipeline/validator.js'
import { noCommonVersion, noMatchingEndpoints, partnerUnusable } from '../../surfaces/ocpi-errors.js'

/** Of each call: three of them are made while the partner waits for one answer. */
const callTimeoutMs = 8_000

export interface PartnerAccess {
  readonly partner_id: string
  readonly token: CallToken
  readonly encoding: OcpiTokenEncoding
}

export interface Discovered {
  readonly endpoints: readonly OcpiEndpoint[]
  /** The encoding of the token that the partner took. */
  readonly encoding: OcpiTokenEncoding
}

type Runs = Pick<Services, 'runJob'>

async function call(
  { runJob }: Runs,
  { partner_id: owner, token, encoding: tokenEncoding }: PartnerAccess,
  request: Pick<OcpiCall, 'method' | 'url' | 'body'>,
): Promise<OcpiOutcome> {
  const made = await runJob(ocpiCallJob, {
    owner,
    token,
    tokenEncoding,
    wants: 'data',
    timeoutMs: callTimeoutMs,
    ...request,
  } satisfies OcpiCall)
  if (!made.ok) throw overloaded('the partner could not be called now; try again')
  return made.value as OcpiOutcome
}

/** The data of an answer, if it has the shape; throws `partnerUnusable`. */
function dataOf<Data>(outcome: OcpiOutcome, url: string, check: ReturnType<typeof bodyCheck>): Data {
  if (outcome.type !== 'delivered') throw partnerUnusable(`${url}: ${outcome.message}`)
  const data = withoutNulls(outcome.data)
  const [fault] = check(data) ?? []
  if (fault !== undefined) throw partnerUnusable(`${url}: data${fault.path} ${fault.message}`)
  return data as Data
}

const checkVersions = bodyCheck(receivedVersionsSchema)
const checkDetails = bodyCheck(receivedVersionDetailsSchema)
const checkCredentials = bodyCheck(receivedCredentialsSchema)

const otherEncoding = { base64: 'plain', plain: 'base64' } as const

/** A partner from an earlier version knows the token as it is: where the standard's encoding is refused, the other is tried once. */
async function readVersions(services: Runs, access: PartnerAccess, url: string) {
  const outcome = await call(services, access, { method: 'GET', url })
  if (outcome.type !== 'refused' || outcome.httpStatus !== 401)
    return { versions: dataOf<readonly Version[]>(outcome, url, checkVersions), encoding: access.encoding }
  const encoding = otherEncoding[access.encoding]
  const again = await call(services, { ...access, encoding }, { method: 'GET', url })
  const decisive = again.type === 'delivered' ? again : outcome
  return { versions: dataOf<readonly Version[]>(decisive, url, checkVersions), encoding }
}

/** The modules of the partner. Throws `partnerUnusable`, `noCommonVersion` or `noMatchingEndpoints`. */
export async function discover(services: Runs, access: PartnerAccess, versionsUrl: string): Promise<Discovered> {
  const { versions, encoding } = await readVersions(services, access, versionsUrl)
  const offered = versions.find(({ version }) => version === ocpiVersion)
  if (offered === undefined)
    throw noCommonVersion(
      `${versionsUrl} offers ${versions.map(({ version }) => version).join(', ') || 'no version'}: ${ocpiVersion} is needed`,
    )
  const outcome = await call(services, { ...access, encoding }, { method: 'GET', url: offered.url })
  const { endpoints } = dataOf<ReceivedVersionDetails>(outcome, offered.url, checkDetails)
  if (!endpoints.some(({ identifier }) => identifier === 'credentials'))
    throw noMatchingEndpoints(`${offered.url} has no endpoint for credentials`)
  // The role says nothing for credentials (7.1), and some leave it out.
  const stored = endpoints.map(({ role = 'SENDER', ...endpoint }) => ({
    ...endpoint,
    role: role as OcpiEndpoint['role'],
  }))
  return { endpoints: stored, encoding }
}

/** Sends ours, and resolves with the partner's. */
export async function exchangeCredentials(
  services: Runs,
  access: PartnerAccess,
  { method, url, body }: { readonly method: 'POST' | 'PUT'; readonly url: string; readonly body: object },
): Promise<ReceivedCredentials> {
  return dataOf(await call(services, access, { method, url, body }), url, checkCredentials)
}

/** That the connection is over; what comes of it changes nothing. */
export async function endAt(services: Runs, access: PartnerAccess, url: string): Promise<OcpiOutcome> {
  return call(services, access, { method: 'DELETE', url })
}
