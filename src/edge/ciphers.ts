// The cipher suites that the listener takes with TLS 1.2; those of TLS 1.3 are all good, and cannot be chosen.

/**
 * All of them are authenticated encryption: none of CBC and SHA-1. The last two, which exchange keys by RSA and without forward secrecy,
 * are there because OCPP's security profiles demand them (Improved security for OCPP 1.6-J, A00.FR.317). Of those that it takes, a client
 * gets the one that it prefers.
 */
const suites = [
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
  'AES128-GCM-SHA256',
  'AES256-GCM-SHA384',
] as const

/** As OpenSSL and BoringSSL read it. */
export const cipherList = suites.join(':')
