// An identity provider of somebody else's making (oidc-provider), on a free port: whoever signs in there is who they say, with the address and the
// verification that the test has given them.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

export interface IdentityProvider {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** To be called once it is known where the service is. */
  serve(redirectUri: string): void
  /** By the name with which somebody signs in there. */
  readonly accounts: Map<string, { readonly email: string; readonly email_verified: boolean }>
  /** Has it say that it asked people who they are by so much earlier. */
  askedEarlierBy(seconds: number): void
}

interface Teardowns {
  teardown(handler: () => Promise<void>): void
}

export async function startIdentityProvider(t: Teardowns): Promise<IdentityProvider> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  )
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`
  const [clientId, clientSecret] = ['ampshard', 'a-secret-of-the-client']
  const accounts: IdentityProvider['accounts'] = new Map()
  let earlierBySeconds = 0
  return {
    issuer,
    clientId,
    clientSecret,
    accounts,
    askedEarlierBy(seconds) {
      earlierBySeconds = seconds
    },
    serve(redirectUri) {
      const provider = new Provider(issuer, {
        clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
        claims: { openid: ['sub'], email: ['email', 'email_verified'] },
        pkce: { required: () => true },
        cookies: { keys: ['a-key-of-the-provider'] },
        findAccount: (_context: unknown, id: string) => ({
          accountId: id,
          claims: async () => ({ sub: id, ...accounts.get(id) }),
        }),
      })
      const { prototype } = provider.Session
      const authTime = prototype.authTime
      prototype.authTime = function asked() {
        const at = authTime.call(this)
        return at === undefined ? undefined : at - earlierBySeconds
      }
      server.on('request', provider.callback())
    },
  }
}
