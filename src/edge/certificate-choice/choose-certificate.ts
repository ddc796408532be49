// Which of two server certificates a client gets, by what its ClientHello offers: one with an RSA key, or one with an elliptic key.
// The four cipher suites that OCPP's security profiles demand need both (Improved security for OCPP 1.6-J, A00.FR.317).

import type { ClientHello } from './client-hello.js'

export type KeyKind = 'rsa' | 'ec'

/** Suites before TLS 1.3 whose certificate has an elliptic key: TLS_ECDHE_ECDSA_*. */
const ecSuites = new Set([0xc009, 0xc00a, 0xc023, 0xc024, 0xc02b, 0xc02c, 0xcca9, 0xc0ac, 0xc0ad, 0xc0ae, 0xc0af])
/** TLS_RSA_* and TLS_ECDHE_RSA_*, those that the listener can speak. */
const rsaSuites = new Set([
  0x002f, 0x0035, 0x003c, 0x003d, 0x009c, 0x009d, 0xc013, 0xc014, 0xc027, 0xc028, 0xc02f, 0xc030, 0xcca8,
])

function kindOfSuite(suite: number): KeyKind | undefined {
  return ecSuites.has(suite) ? 'ec' : rsaSuites.has(suite) ? 'rsa' : undefined
}

/** Schemes of TLS 1.3 (RFC 8446, 4.2.3): ecdsa_secp*_sha*, rsa_pss_rsae_*. */
function kindOfScheme(scheme: number): KeyKind | undefined {
  if (scheme === 0x0403 || scheme === 0x0503 || scheme === 0x0603) return 'ec'
  return scheme >= 0x0804 && scheme <= 0x0806 ? 'rsa' : undefined
}

/** The kind that the client prefers among those that it takes; `otherwise` when it takes neither, or says nothing. */
export function chooseCertificate(hello: ClientHello, otherwise: KeyKind): KeyKind {
  const kinds = hello.tls13 ? hello.signatureSchemes.map(kindOfScheme) : hello.cipherSuites.map(kindOfSuite)
  return kinds.find((kind) => kind !== undefined) ?? otherwise
}
