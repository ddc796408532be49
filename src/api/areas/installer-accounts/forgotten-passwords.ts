// A forgotten password: a mail with a token, and a new password with it. Whether an address has an account is said by neither the answer nor its
// time: the same is stored for every address.

import { Type } from 'typebox'
import { rateLimited } from '../../../actors/command-router/errors.js'
import { networkOf } from '../../../edge/address-network.js'
import {
  addressOf,
  type Installer,
  installerPasswordsTable,
  installersTable,
  type PasswordReset,
  passwordResetMs,
  passwordResetsTable,
} from '../../../records/installer.js'
import { isYoungerThan } from '../../../records/lifetime.js'
import { conflict, notFound, overloaded } from '../../../runtime/errors.js'
import { timeOfId } from '../../../runtime/ids.js'
import type { Draft } from '../../pipeline/draft.js'
import { sha256Hex } from '../../pipeline/make-key.js'
import { emailAddress } from '../../pipeline/schemas.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { accountOf } from './accounts.js'
import { entrance } from './area.js'
import { weakPassword } from './errors.js'
import { familiarFrom } from './familiar-networks.js'
import { addMail, addMailFor } from './mails.js'
import { hashOf, newPassword, requireStrong } from './passwords.js'
import { attemptEntry, mayMail } from './throttles.js'
import { mailedToken, newToken, tokenNotGood } from './tokens.js'

const message = Type.Object({ message: Type.String() })

const forgotPassword = entrance.post('/forgot-password', {
  operationId: 'forgetInstallerPassword',
  summary: 'Ask for a mail to reset your password',
  description:
    'The answer is the same whether or not the address has an account. The token in the mail can be used once, within an hour. An address is sent ' +
    'three such mails at once, and then one every ten minutes; no more is sent, and the answer does not say so.',
  body: Type.Object({ email: emailAddress() }),
  answer: message,
  errors: [rateLimited],
  examples: { installer: { email: 'ines@example.com' } },
  change({ body: { email }, remoteAddress }, draft, services) {
    attemptEntry(services, remoteAddress)
    const address = addressOf(email)
    if (mayMail(services, address)) {
      const { token, token_hash } = newToken(services)
      const account = accountOf(draft.view, address)
      const reset_id = services.newId('rst')
      const made_at = services.clock.now()
      const of = account && { account: generationOf(account) }
      draft.putPlain(passwordResetsTable, { reset_id, made_at, token_hash, ...of })
      const expiresAt = formatTimestamp(made_at + passwordResetMs)
      const recipient = { to: account?.email ?? address, isForNobody: account === undefined }
      addMailFor(draft, recipient, { type: 'installer-password-reset', token, expiresAt }, services)
    }
    return { message: 'If there is an account with this address, a mail has been sent to it.' }
  },
})

function generationOf({ installer_id, token_generation }: Installer): NonNullable<PasswordReset['account']> {
  return { installer_id, token_generation }
}

/** The account that a token is for, held by the draft. Throws for a token that is not good. */
function claim(draft: Draft, token: string, now: number): { readonly reset: PasswordReset; readonly row: Installer } {
  const [reset] = draft.view.listBy(passwordResetsTable, 'byToken', [sha256Hex(token)], { limit: 1 })
  if (reset?.account === undefined) throw tokenNotGood()
  const { made_at = timeOfId(reset.reset_id) } = reset
  if (!isYoungerThan(passwordResetMs, { made_at }, now)) throw tokenNotGood()
  const row = draft.get(installersTable, [reset.account.installer_id])
  // Another token has set a password since.
  if (row === undefined || row.token_generation !== reset.account.token_generation) throw tokenNotGood()
  return { reset, row }
}

const resetPassword = entrance.post('/reset-password', {
  operationId: 'resetInstallerPassword',
  summary: 'Set a new password with the token from the mail',
  description:
    'Every access token of the account ends, and every other token from such a mail. A token that is unknown, used or expired is answered with 404 ' +
    '`not_found`.',
  body: Type.Object({ token: mailedToken(), new_password: newPassword() }),
  answer: message,
  errors: [notFound, weakPassword, rateLimited, conflict, overloaded],
  examples: {
    token: { token: 'q0Zc1v3XnJ0aJ2f0o5y1mF2m0s8yC9tq3zO4i6bN7uE', new_password: 'Ladestation 2027' },
  },
  async change({ body: { token, new_password }, remoteAddress }, draft, services) {
    attemptEntry(services, remoteAddress)
    const now = services.clock.now()
    const { reset, row } = claim(draft, token, now)
    requireStrong(new_password, '/new_password')
    const { installer_id, email, first_name: name } = row
    const hash = await hashOf(new_password, remoteAddress, services)
    const at = formatTimestamp(now)
    draft.remove(passwordResetsTable, [reset.reset_id])
    draft.put(installersTable, { ...row, token_generation: row.token_generation + 1, updated_at: at })
    draft.get(installerPasswordsTable, [installer_id])
    draft.put(installerPasswordsTable, { installer_id, hash })
    // Whoever reads the mail of the account is its owner, also while strangers try to log in.
    draft.add({ changes: [familiarFrom(row, networkOf(remoteAddress), now)] })
    addMail(draft, email, { type: 'installer-password-changed', name, at }, services)
    return { message: 'The password has been changed. Log in with it.' }
  },
})

export const forgottenPasswordRoutes = [forgotPassword, resetPassword]
