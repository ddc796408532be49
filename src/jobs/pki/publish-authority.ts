// What everybody may know of the authorities: the certificate of the one that signs, and signed lists of revoked certificates.

import { type AuthoritySettings, presentAuthorities } from './authority.js'
import type { PublishedAuthority, PublishInput } from './certificate-jobs.js'
import { maySignLists, revocationList } from './revocation-list.js'
import { signingCertificates } from './signing-authority.js'

export function publishAuthority(
  { revoked }: PublishInput,
  settings: AuthoritySettings,
  now: number,
): PublishedAuthority {
  const certificates = signingCertificates(settings, now)
  const signed = presentAuthorities(settings, now)
    .filter(maySignLists)
    .map((authority) => ({ chain: authority.chain, list: revocationList(authority, revoked, now) }))
  const list = signed.find(({ chain }) => chain === certificates)?.list
  return {
    lists: signed.map((one) => one.list),
    ...(certificates !== undefined && { certificates }),
    ...(list !== undefined && { list }),
  }
}
