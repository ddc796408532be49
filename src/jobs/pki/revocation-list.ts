// The list of an authority's certificates that are revoked (RFC 5280, 5), for whoever else verifies them, such as a proxy.

import { AsnConvert } from '@peculiar/asn1-schema'
import {
  AuthorityKeyIdentifier,
  CRLNumber,
  Extensions,
  id_ce_authorityKeyIdentifier,
  id_ce_cRLNumber,
  id_ce_keyUsage,
  KeyUsage,
  KeyUsageFlags,
  type TBSCertificate,
  Version,
} from '@peculiar/asn1-x509'
import type { RevokedEntry } from './certificate-jobs.js'
import type { ClientAuthority } from './client-authority.js'
import { der, derInteger, derTime, tags } from './der.js'
import { authorityName, issuerOf, keyIdentifierOf } from './issuer.js'
import { limits } from './limits.js'
import { algorithmOf, extension, signatureOf } from './signature.js'

const dayMs = 24 * 3_600_000
/** The clock of whoever reads it may be behind: a list of the future is refused, and every certificate with it. */
const backdatedMs = 3_600_000
/** `[0] EXPLICIT`, of the extensions of a list. */
const extensionsTag = 0xa0

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
  const signature = encoded(algorithmOf(authority.kind))
  const revoked = entries.filter((entry) => entry.authority === name).map(encodedEntry)
  const extensions = new Extensions([
    extension(id_ce_authorityKeyIdentifier, new AuthorityKeyIdentifier({ keyIdentifier: keyIdentifierOf(issuer) })),
    // Readers keep the list with the higher number. Two of one second may differ.
    extension(id_ce_cRLNumber, new CRLNumber(now)),
  ])
  // TBSCertList (RFC 5280, 5.1). Without entries, there is no list of them.
  const signed = der(
    tags.sequence,
    derInteger(Buffer.of(Version.v2)),
    signature,
    encoded(issuer.subject),
    derTime(now - backdatedMs),
    derTime(now + limits.listDays * dayMs),
    ...(revoked.length === 0 ? [] : [der(tags.sequence, ...revoked)]),
    der(extensionsTag, encoded(extensions)),
  )
  const proof = signatureOf(signed, authority.kind, authority.key)
  return der(tags.sequence, signed, signature, der(tags.bitString, Buffer.of(0), Buffer.from(proof)))
}

function encodedEntry({ serialNumber, revokedAt }: RevokedEntry): Buffer {
  return der(tags.sequence, derInteger(Buffer.from(serialNumber, 'hex')), derTime(revokedAt))
}

function encoded(value: object): Buffer {
  return Buffer.from(AsnConvert.serialize(value))
}
