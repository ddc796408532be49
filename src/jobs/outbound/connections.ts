// The connections of the outbound client: where each may go, and how many there are. Knows nothing of answers.

import { isIP, type Socket } from 'node:net'
import { buildConnector } from 'undici'
import { isPublicAddress } from './addresses.js'
import { callFailure } from './failure.js'
import { limits } from './limits.js'
import { createOpenSockets } from './open-sockets.js'
import { type AddressRule, safeLookup } from './resolver.js'

const connectTimeoutMs = 10_000
/** For one address of several. The usual quarter of a second gives up on hosts that are merely far away. */
const oneAddressMs = 1_000

/** What undici connects with. Every connection passes here, so here is the last look at where it goes. */
export function createConnector(rule: AddressRule): buildConnector.connector {
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    lookup: safeLookup(rule),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: oneAddressMs,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
  } as buildConnector.BuildOptions)
  const open = createOpenSockets()

  function refusal(hostname: string): Error | undefined {
    // A host that is an address is not looked up.
    if (isIP(hostname) !== 0 && !rule.allowInsecure && !isPublicAddress(hostname))
      return callFailure('unsafe_address', `the address ${hostname} is not public`)
    if (open.count >= limits.outboundConnections)
      return Object.assign(new Error('too many outbound connections'), { code: 'EMFILE' })
    return undefined
  }

  return (options, callback) => {
    const refused = refusal(options.hostname)
    if (refused !== undefined) return queueMicrotask(() => callback(refused, null))
    let connected = false
    const socket = connect(options, (...result) => {
      const [error] = result
      const inHandshake = connected && error !== null && options.protocol === 'https:'
      if (inHandshake) callback(callFailure('tls', `the TLS handshake failed: ${error.message}`), null)
      else callback(...result)
    }) as unknown as Socket
    socket.once('connect', () => {
      connected = true
    })
    open.add(socket)
  }
}
