// The list of an authority's certificates that are revoked (RFC 5280, 5), for whoever else verifies them, such as a proxy.

import { AsnConvert } from '@peculiar/asn1-schema'
import {
  AuthorityKeyIdentifier,
  CertificateList,
  CRLNumber,
  id_ce_authorityKeyIdentifier,
  id_ce_cRLNumber,
  id_ce_keyUsage,
  KeyUsage,
  KeyUsageFlags,
  RevokedCertificate,
  type TBSCertificate,
  TBSCertList,
  Time,
  Version,
} from '@peculiar/asn1-x509'
import type { RevokedEntry } from './certificate-jobs.js'
import type { ClientAuthority } from './client-authority.js'
import { authorityName, issuerOf, keyIdentifierOf } from './issuer.js'
import { limits } from './limits.js'
import { algorithmOf, asArrayBuffer, extension, signatureOf } from './signature.js'

const dayMs = 24 * 3_600_000
/** The clock of whoever reads it may be behind: a list of the future is refused, and every certificate with it. */
const backdatedMs = 3_600_000

/** Whether its certificate lets it sign lists. */
export function maySignLists(authority: ClientAuthority): boolean {
  const usage = usageOf(issuerOf(authority))
  return usage === undefined || (usage.toNumber() & KeyUsageFlags.cRLSign) !== 0
}

function usageOf({ extensions }: TBSCertificate): KeyUsage | undefined {
  const found = [...(extensions ?? [])].find(({ extnID }) => extnID === id_ce_keyUsage)
  return found === undefined ? undefined : AsnConvert.parse(found.extnValue.buffer, KeyUsage)
}

/** DER. `entries`: also those of other authorities, which are left out. */
export function revocationList(authority: ClientAuthority, entries: readonly RevokedEntry[], now: number): Buffer {
  const issuer = issuerOf(authority)
  const name = authorityName(authority)
  const signature = algorithmOf(authority.kind)
  const revoked = entries
    .filter((entry) => entry.authority === name)
    .map(
      ({ serialNumber, revokedAt }) =>
        new RevokedCertificate({
          userCertificate: asArrayBuffer(Buffer.from(serialNumber, 'hex')),
          revocationDate: new Time(new Date(revokedAt)),
        }),
    )
  const tbsCertList = new TBSCertList({
    version: Version.v2,
    signature,
    issuer: issuer.subject,
    thisUpdate: new Time(new Date(now - backdatedMs)),
    nextUpdate: new Time(new Date(now + limits.listDays * dayMs)),
    ...(revoked.length > 0 && { revokedCertificates: revoked }),
    crlExtensions: [
      extension(id_ce_authorityKeyIdentifier, new AuthorityKeyIdentifier({ keyIdentifier: keyIdentifierOf(issuer) })),
      // Lists that different fronts sign in one second say the same.
      extension(id_ce_cRLNumber, new CRLNumber(Math.floor(now / 1_000))),
    ],
  })
  const signed = new CertificateList({
    tbsCertList,
    signatureAlgorithm: signature,
    signature: signatureOf(tbsCertList, authority.kind, authority.key),
  })
  return Buffer.from(AsnConvert.serialize(signed))
}
