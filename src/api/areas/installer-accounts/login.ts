// Logging in: a password for an access token. Of an address without an account and of a wrong password, nobody learns which it was, neither
// by the answer nor by its time.

import { Type } from 'typebox'
import { rateLimited } from '../../../actors/command-router/errors.js'
import {
  addressOf,
  type Installer,
  installerAddressesTable,
  installerPasswordsTable,
  installersTable,
  tokenLifetimeMs,
  tokenSecretsTable,
} from '../../../records/installer.js'
import { overloaded } from '../../../runtime/errors.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { commitDraft } from '../../pipeline/commit-draft.js'
import { emailAddress } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { makeToken, tokenSecretBytes, tokenSecretOf } from '../../surfaces/installer-token.js'
import { entrance } from './area.js'
import { invalidCredentials } from './errors.js'
import { isPassword, password } from './passwords.js'
import { attemptLogin } from './throttles.js'

function accountOf(view: ReadView, address: string): Installer | undefined {
  const found = view.get(installerAddressesTable, [address])
  return found && view.get(installersTable, [found.installer_id])
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
        const made = services.randomBytes(tokenSecretBytes)
        const created_at = formatTimestamp(services.clock.now())
        draft.putPlain(tokenSecretsTable, { id: 'installers', secret: made.toString('base64url'), created_at })
        return made
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
  errors: [invalidCredentials, rateLimited, overloaded],
  secret: true,
  examples: { installer: { email: 'ines@example.com', password: 'Ladestation 2026' } },
  async handle({ body, remoteAddress }, services) {
    const address = addressOf(body.email)
    const attempt = attemptLogin(services, { address, remoteAddress })
    const view = services.view()
    const account = accountOf(view, address)
    const hash = account && view.get(installerPasswordsTable, [account.installer_id])?.hash
    const isRight = await isPassword(body.password, hash, remoteAddress, services)
    if (!isRight || account === undefined) throw invalidCredentials('the email address or the password is wrong')
    attempt.forget()
    const now = services.clock.now()
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
