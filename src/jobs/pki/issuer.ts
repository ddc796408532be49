// What an authority's certificate says of it, for what it signs. It stands apart from client-authority.ts, which every thread loads: the library
// that reads certificates takes 25 ms of a start.

import { AsnConvert } from '@peculiar/asn1-schema'
import {
  Certificate,
  id_ce_subjectKeyIdentifier,
  KeyIdentifier,
  SubjectKeyIdentifier,
  type TBSCertificate,
} from '@peculiar/asn1-x509'
import type { ClientAuthority } from './client-authority.js'
import { keyIdentifier } from './signature.js'

/** What its certificate says, for what it signs. */
export function issuerOf({ certificate }: Pick<ClientAuthority, 'certificate'>): TBSCertificate {
  return AsnConvert.parse(certificate.raw, Certificate).tbsCertificate
}

/** As the authority's certificate names its key, or as it would. */
export function keyIdentifierOf({ extensions, subjectPublicKeyInfo }: TBSCertificate): KeyIdentifier {
  const named = [...(extensions ?? [])].find(({ extnID }) => extnID === id_ce_subjectKeyIdentifier)
  if (named === undefined) return new KeyIdentifier(keyIdentifier(subjectPublicKeyInfo))
  return new KeyIdentifier(AsnConvert.parse(named.extnValue.buffer, SubjectKeyIdentifier).buffer)
}

/** Names an authority in records, hex: its key, so that it keeps its name when its certificate is renewed. */
export function authorityName(authority: Pick<ClientAuthority, 'certificate'>): string {
  return Buffer.from(keyIdentifierOf(issuerOf(authority)).buffer).toString('hex')
}
