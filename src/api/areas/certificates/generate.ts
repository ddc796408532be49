// Issues a certificate for a key that the service makes. The key is in the one answer, and nowhere else.

import { type Static, Type } from 'typebox'
import {
  type Generated,
  type GenerateInput,
  generateCertificateJob,
  keyTypes,
} from '../../../jobs/pki/certificate-jobs.js'
import { limits as pkiLimits } from '../../../jobs/pki/limits.js'
import {
  certificateRow,
  certificatesTable,
  newestValidFrom,
  replacedCertificates,
  tooManyGood,
} from '../../../records/certificate.js'
import type { ChargePoint } from '../../../records/charge-point.js'
import { registrationMark } from '../../../records/client-certificate.js'
import { conflict, overloaded } from '../../../runtime/errors.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { openDraft } from '../../pipeline/draft.js'
import type { Reader } from '../../pipeline/owned.js'
import type { Answer } from '../../pipeline/route.js'
import { timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { certificateId } from './certificate-views.js'
import { noAuthority, tooManyCertificates } from './errors.js'
import { limits } from './limits.js'

const defaultValidityDays = 365

export const generateBody = Type.Object({
  validity_days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: pkiLimits.longestValidityDays,
      default: defaultValidityDays,
      description: 'The certificate ends earlier where that of the authority does; then `shortened` is true.',
    }),
  ),
  key_type: Type.Optional(Type.Enum([...keyTypes], { default: 'rsa-2048' })),
})

export const generatedCertificate = Type.Object({
  certificate_id: certificateId,
  charge_point_id: Type.String(),
  certificate_pem: Type.String(),
  private_key_pem: Type.String({ description: 'Shown once, in this answer, and not stored.' }),
  ca_certificate_pem: Type.String({
    description: 'The certificate of the authority, and those that it was issued under.',
  }),
  serial_number: Type.String({ description: 'In hexadecimal notation.' }),
  issued_at: timestamp(),
  expires_at: timestamp(),
  shortened: Type.Boolean({
    description: 'Whether it ends earlier than was asked for, with the certificate of the authority.',
  }),
})

export const generateDescription =
  'Makes a key and a client certificate with the id of the charge point as its common name. It is good from a day ago, so that a clock that is ' +
  'behind does no harm, and for the present registration alone. Certificates that the charge point has stay good until it has connected with a newer one.'

export const generateErrors = [conflict, noAuthority, tooManyCertificates]

export interface GenerateOptions {
  readonly body: Static<typeof generateBody>
  /** As commands name who has sent them. */
  readonly issuedBy: string
  /** The charge point as it is stored then. Throws `not_found`. */
  readonly read: (reader: Reader<ChargePoint>) => ChargePoint
  /** What is said where the service cannot issue any. */
  readonly refusal?: (reason: string) => string
}

/** Throws `no_authority`, `too_many_certificates`, `overloaded`, `conflict`, and what `read` throws. */
export async function generateFor(
  { body, issuedBy, read, refusal = (reason) => reason }: GenerateOptions,
  services: Services,
): Promise<Answer> {
  const found = read(services.view())
  const { charge_point_id, organization_id, mark } = facts(found)
  replacedBy(services.view(), found, services.clock.now())
  const { validity_days = defaultValidityDays, key_type: keyType = 'rsa-2048' } = body
  const generated = await generate(
    {
      organization_id,
      commonName: charge_point_id,
      registration: mark,
      validityDays: validity_days,
      keyType,
      laterThan: newestValidFrom(services.view(), found),
    },
    services,
  )
  if (!generated.made) throw noAuthority(refusal(generated.reason), { chargePointId: charge_point_id })
  const { certificate, privateKeyPem } = generated
  const draft = openDraft(services.view(), services.clock.now())
  const chargePoint = read(draft)
  if (registrationMark(chargePoint) !== mark)
    throw conflict('the certificates of the charge point were revoked while this one was made; try again', {
      chargePointId: charge_point_id,
    })
  const now = services.clock.now()
  const about = { certificate_id: services.newId('cert'), source: 'key', issued_by: issuedBy } as const
  const row = draft.put(certificatesTable, certificateRow(certificate, chargePoint, about, now))
  for (const replaced of replacedBy(draft.view, chargePoint, now)) draft.clear(certificatesTable, [replaced])
  return {
    status: 201,
    body: {
      certificate_id: row.certificate_id,
      charge_point_id,
      certificate_pem: certificate.certificatePem,
      private_key_pem: privateKeyPem,
      ca_certificate_pem: certificate.authorityChain,
      serial_number: row.serial_number,
      issued_at: formatTimestamp(now),
      expires_at: row.expires_at,
      shortened: certificate.isCut,
    },
    ...draft.close(),
  }
}

/** Throws `too_many_certificates`. */
function replacedBy(view: ReadView, chargePoint: ChargePoint, now: number): readonly string[] {
  const replaced = replacedCertificates(view, chargePoint, now)
  if (replaced === undefined) throw tooManyCertificates(tooManyGood, { chargePointId: chargePoint.charge_point_id })
  return replaced
}

function facts(chargePoint: ChargePoint) {
  const { charge_point_id, organization_id } = chargePoint
  return { charge_point_id, organization_id, mark: registrationMark(chargePoint) }
}

async function generate(input: GenerateInput, services: Pick<Services, 'runJob' | 'log'>): Promise<Generated> {
  const outcome = await services.runJob(generateCertificateJob, input)
  if (outcome.ok) return outcome.value as Generated
  const { retryAfterSeconds } = limits
  if (outcome.isRefused === true)
    throw overloaded('too many certificates wait to be made, or one has taken too long; try again later', {
      retryAfterSeconds,
    })
  services.log.error({ reason: outcome.message }, 'a certificate could not be issued')
  throw overloaded('the certificate could not be issued: see the log of the service', { retryAfterSeconds })
}
