// What everybody may read of the authorities for client certificates: their certificate, and which certificates are revoked. Each front keeps
// what was signed until a certificate is revoked, another authority signs, or an hour is over.

import {
  type PublishedAuthority,
  type PublishInput,
  publishAuthorityJob,
  type RevokedEntry,
} from '../../../jobs/pki/certificate-jobs.js'
import { certificatesTable, revocationsTable } from '../../../records/certificate.js'
import { notFound, overloaded } from '../../../runtime/errors.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { defineArea } from '../../pipeline/area.js'
import { beginAtOnce } from '../../pipeline/long-reads.js'
import { walkList } from '../../pipeline/paging.js'
import type { Services } from '../../pipeline/services.js'
import { anyone } from '../../surfaces/anyone.js'
import { limits } from './limits.js'

const area = defineArea(anyone, {
  tag: 'Certificate authority',
  about:
    'The certificate of the authority for client certificates, and its list of revoked ones, for whatever else verifies them.',
  path: '/pki',
})

const pemChain = 'application/pem-certificate-chain'
const pemLists = 'application/x-pem-file'
const derList = 'application/pkix-crl'
/** A proxy in front may keep them so long. */
const cached = { 'Cache-Control': 'public, max-age=60' }

interface Kept {
  /** What it was made of. */
  readonly of: string
  /** Monotonic ms. */
  readonly at: number
  readonly published: Promise<PublishedAuthority>
}

type Needed = Pick<Services, 'view' | 'clock' | 'runJob' | 'log'>

const kept = new WeakMap<Needed['view'], Kept>()

/** Throws `overloaded`. Of requests at the same time, one has it made. */
async function publishedNow(services: Needed): Promise<PublishedAuthority> {
  const { view, clock } = services
  const of = madeOf(view())
  const now = clock.monotonic()
  const before = kept.get(view)
  if (before?.of === of && now - before.at < limits.publishedMs) {
    const published = await before.published
    if (published.certificates !== undefined || now - before.at < limits.absentMs) return published
  }
  const published = publish(services)
  kept.set(view, { of, at: now, published })
  published.catch(() => kept.delete(view))
  return published
}

/** Changes with every revocation, and with the authority that signs. */
function madeOf(view: ReadView): string {
  const revocations = view.get(revocationsTable, ['revocations'])?.version ?? 0
  const [newest] = view.list(certificatesTable, [], { reverse: true, limit: 1 })
  return `${revocations} ${newest?.authority ?? ''}`
}

async function publish({ view, clock, runJob, log }: Needed): Promise<PublishedAuthority> {
  const revoked: RevokedEntry[] = []
  const list = { index: 'revoked', group: [] }
  const living = { from: [clock.now()] }
  // Nobody can make it longer by asking: it is read once for each revocation.
  const options = { view: view(), begin: beginAtOnce(''), table: certificatesTable, list, between: living }
  for await (const rows of walkList(options))
    for (const { authority, serial_number, revoked_at = '' } of rows)
      revoked.push({ authority, serialNumber: serial_number, revokedAt: Date.parse(revoked_at) })
  const outcome = await runJob(publishAuthorityJob, { revoked } satisfies PublishInput)
  if (outcome.ok) return outcome.value as PublishedAuthority
  log.error({ reason: outcome.message }, 'the list of revoked certificates could not be signed')
  throw overloaded('the list could not be signed; try again', { retryAfterSeconds: limits.retryAfterSeconds })
}

const none = () => notFound('there is no authority for client certificates yet: the first certificate makes one')

/** Why there is no list. */
function noList({ certificates }: PublishedAuthority): Error {
  if (certificates === undefined) return none()
  return notFound('the authority signs no lists: its key is not here, or its certificate does not allow it (cRLSign)')
}

const getAuthority = area.route({
  method: 'GET',
  path: '/authority.pem',
  operationId: 'getCertificateAuthority',
  summary: 'Get the certificate of the authority that signs client certificates',
  responses: { 200: pemChain },
  errors: [notFound],
  async handle(_request, services) {
    const { certificates } = await publishedNow(services)
    if (certificates === undefined) throw none()
    return { status: 200, body: certificates, contentType: pemChain, headers: cached }
  },
})

const getRevocationList = area.route({
  method: 'GET',
  path: '/revoked.crl',
  operationId: 'getRevocationList',
  summary: 'Get the list of revoked client certificates of the authority that signs',
  description: 'In DER (RFC 5280). It is good for a week, and a new one is signed when a certificate has been revoked.',
  responses: { 200: derList },
  errors: [notFound],
  async handle(_request, services) {
    const published = await publishedNow(services)
    if (published.list === undefined) throw noList(published)
    return { status: 200, body: Buffer.from(published.list), contentType: derList, headers: cached }
  },
})

const getRevocationLists = area.route({
  method: 'GET',
  path: '/revoked.pem',
  operationId: 'getRevocationLists',
  summary: 'Get the lists of revoked client certificates of all authorities that are trusted',
  description:
    'In PEM, one after the other: while one authority replaces another, each has its own list. Proxies such as nginx and HAProxy take such a file.',
  responses: { 200: pemLists },
  errors: [notFound],
  async handle(_request, services) {
    const published = await publishedNow(services)
    const { lists } = published
    if (lists.length === 0) throw noList(published)
    return { status: 200, body: lists.map(pemOf).join(''), contentType: pemLists, headers: cached }
  },
})

function pemOf(list: Uint8Array): string {
  const lines =
    Buffer.from(list)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return ['-----BEGIN X509 CRL-----', ...lines, '-----END X509 CRL-----', ''].join('\n')
}

export const authorityRoutes = [getAuthority, getRevocationList, getRevocationLists]
