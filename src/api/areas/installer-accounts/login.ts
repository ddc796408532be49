// Logging in: a password for an access token. Of an address without an account and of a wrong password, nobody learns which it was, neither
// by the answer nor by its time.

import { Type } from 'typebox'
import { rateLimited } from '../../../actors/command-router/errors.js'
import { networkOf } from '../../../edge/address-network.js'
import {
  addressOf,
  type Installer,
  installerPasswordsTable,
  pendingInstallersTable,
  tokenLifetimeMs,
  tokenSecretsTable,
} from '../../../records/installer.js'
import { overloaded } from '../../../runtime/errors.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { commitDraft } from '../../pipeline/commit-draft.js'
import { emailAddress } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { makeToken, newTokenSecret, tokenSecretFrom, tokenSecretOf } from '../../surfaces/installer-token.js'
import { accountOf } from './accounts.js'
import { entrance } from './area.js'
import { accountPending, invalidCredentials } from './errors.js'
import { isFamiliar, noteNetwork } from './familiar-networks.js'
import { isPassword, password } from './passwords.js'
import { renewHash } from './renew-hash.js'
import { attemptLogin } from './throttles.js'

interface Hashes {
  readonly own: string | undefined
  readonly pending: string | undefined
}

/**
 * What the password is compared with, one after the other: that of the account, and that of who has signed up last with the address. Whoever has
 * signed up is told to confirm the address whether or not it has an account: a stranger learns nothing by signing up with it.
 */
function hashesFor(view: ReadView, account: Installer | undefined, address: string): Hashes {
  const own = account && view.get(installerPasswordsTable, [account.installer_id])?.hash
  const [pending] = view.listBy(pendingInstallersTable, 'byAddress', [address], { reverse: true, limit: 1 })
  return { own, pending: pending?.password_hash }
}

/** Of the installation, made by the first login. */
async function tokenSecret(services: Services): Promise<Buffer> {
  const known = tokenSecretOf(services.view())
  if (known !== undefined) return known
  return commitDraft(
    {
      attempts: 3,
      decide(draft) {
        const other = tokenSecretOf(draft.view)
        if (other !== undefined) return other
        return tokenSecretFrom(draft.putPlain(tokenSecretsTable, newTokenSecret(services)))
      },
      otherwise: () => overloaded('others log in at the same time: try again', { retryAfterSeconds: 1 }),
    },
    services,
  )
}

const logIn = entrance.route({
  method: 'POST',
  path: '/login',
  operationId: 'logInInstaller',
  summary: 'Log in as an installer',
  description:
    'Returns an access token that is valid for an hour. Whether the address has no account or the password is wrong, the answer is the same: 401 ' +
    '`invalid_credentials`. Attempts that fail are limited for each account and each address of a client: beyond that, 429 `rate_limited`.',
  body: Type.Object({ email: emailAddress(), password: password() }),
  responses: {
    200: Type.Object({
      access_token: Type.String(),
      token_type: Type.Literal('Bearer'),
      expires_in: Type.Integer({ description: 'seconds' }),
      installer_id: Type.String(),
    }),
  },
  errors: [invalidCredentials, accountPending, rateLimited, overloaded],
  secret: true,
  examples: { installer: { email: 'ines@example.com', password: 'Ladestation 2026' } },
  async handle({ body, remoteAddress }, services) {
    const address = addressOf(body.email)
    const network = networkOf(remoteAddress)
    const view = services.view()
    const account = accountOf(view, address)
    const succeeded = attemptLogin(services, { address, network, isFamiliar: isFamiliar(view, account, network) })
    const { own, pending } = hashesFor(view, account, address)
    const isOwner = await isPassword(body.password, own, remoteAddress, services)
    if (!isOwner && !(await isPassword(body.password, pending, remoteAddress, services)))
      throw invalidCredentials('the email address or the password is wrong')
    succeeded()
    if (account === undefined || !isOwner)
      throw accountPending('confirm your email address first; sign up again if the mail has not arrived')
    if (own !== undefined)
      await renewHash(
        { installer_id: account.installer_id, password: body.password, hash: own, remoteAddress },
        services,
      )
    const now = services.clock.now()
    const noted = noteNetwork(services.view(), account, network, now)
    // One that the store cannot take is noted by the next login.
    if (noted.length > 0) services.commit(noted).catch(() => undefined)
    const secret = await tokenSecret(services)
    const access_token = await makeToken(account, { tokenId: services.newId('tok'), secret, now })
    const { installer_id } = account
    return {
      status: 200,
      body: { access_token, token_type: 'Bearer', expires_in: tokenLifetimeMs / 1000, installer_id },
    }
  },
})

export const loginRoutes = [logIn]
