// A certificate as the thread for certificates hands it over, for tests of what becomes of it.

import type { IssuedCertificate } from '../../src/records/client-certificate.js'

export function issuedCertificate(fields: Partial<IssuedCertificate> = {}): IssuedCertificate {
  return {
    certificatePem: 'a certificate\n',
    authorityChain: 'an authority\n',
    authority: '0a',
    serialNumber: '61',
    validFrom: Date.UTC(2026, 0, 1),
    expiresAt: Date.UTC(2027, 0, 2),
    isCut: false,
    ...fields,
  }
}
