// Signing up: an account at once, or one that begins when its address is confirmed. The first says that an address is taken (409), as it must; the
// second answers alike for every address, and only its owner reads in a mail that there is an account.

import { type Static, Type } from 'typebox'
import { rateLimited } from '../../../actors/command-router/errors.js'
import {
  addressOf,
  confirmationMs,
  type Installer,
  installerAddressesTable,
  installerPasswordsTable,
  installersTable,
  pendingInstallersTable,
} from '../../../records/installer.js'
import { isYoungerThan } from '../../../records/lifetime.js'
import { conflict, notFound, overloaded } from '../../../runtime/errors.js'
import { timeOfId } from '../../../runtime/ids.js'
import type { Draft } from '../../pipeline/draft.js'
import { sha256Hex } from '../../pipeline/make-key.js'
import { emailAddress, timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { entrance } from './area.js'
import { emailTaken, weakPassword } from './errors.js'
import { installerView, personName } from './installers.js'
import { limits } from './limits.js'
import { addMail } from './mails.js'
import { hashOf, newPassword, requireStrong } from './passwords.js'
import { opensAtOnce, opensConfirmed } from './signup-modes.js'
import { attemptEntry, attemptMail, attemptSignup } from './throttles.js'
import { mailedToken, newToken, tokenNotGood } from './tokens.js'

const person = Type.Object({
  email: emailAddress(),
  password: newPassword(),
  first_name: personName(),
  last_name: personName(),
  company: personName(),
})

const examples = {
  installer: {
    email: 'ines@example.com',
    password: 'Ladestation 2026',
    first_name: 'Ines',
    last_name: 'Example',
    company: 'Example Installations',
  },
}

const full = () => conflict('this installation takes no more installers: ask its operator')
const tooManyPending = () =>
  overloaded('too many have signed up and not confirmed their address yet: try again later', {
    retryAfterSeconds: 3_600,
  })
const taken = () => emailTaken('there is an account with this email address: log in, or reset its password')

type Person = Omit<Static<typeof person>, 'password'>

/** Stores an account. Throws `email_taken`, now or at the commit. */
function open(
  draft: Draft,
  installer_id: string,
  { email, first_name, last_name, company }: Person,
  hash: string,
  services: Services,
): Installer {
  const now = formatTimestamp(services.clock.now())
  const address = addressOf(email)
  draft.requireRoom(installersTable, { index: 'all', group: [] }, limits.installers, full())
  draft.putPlain(installerAddressesTable, { address, installer_id }, taken())
  draft.put(installerPasswordsTable, { installer_id, hash })
  return draft.put(installersTable, {
    installer_id,
    email,
    first_name,
    last_name,
    company,
    token_generation: 0,
    created_at: now,
    updated_at: now,
  })
}

const signUp = entrance.post('/signup', {
  operationId: 'signUpInstaller',
  summary: 'Sign up as an installer',
  requires: [opensAtOnce],
  description:
    'The account is there at once, and nobody has confirmed its address. An address that has an account is refused with 409 `email_taken`; use ' +
    '`signup-with-confirmation` where nobody should learn who has an account.',
  body: person,
  answer: Type.Object({
    installer_id: Type.String(),
    email: Type.String(),
    first_name: Type.String(),
    last_name: Type.String(),
    company: Type.String(),
    status: Type.Enum(['active']),
    created_at: timestamp(),
  }),
  status: 201,
  errors: [emailTaken, weakPassword, rateLimited, conflict, overloaded],
  examples,
  async change({ body, remoteAddress }, draft, services) {
    requireStrong(body.password, '/password')
    attemptSignup(services, remoteAddress)
    if (draft.view.get(installerAddressesTable, [addressOf(body.email)]) !== undefined) throw taken()
    const hash = await hashOf(body.password, remoteAddress, services)
    const row = open(draft, services.newId('ins'), body, hash, services)
    const { installer_id, email, first_name, last_name, company, status, created_at } = installerView(row)
    return { installer_id, email, first_name, last_name, company, status, created_at }
  },
})

const signUpWithConfirmation = entrance.post('/signup-with-confirmation', {
  operationId: 'signUpInstallerWithConfirmation',
  summary: 'Sign up as an installer, and confirm your email address',
  requires: [opensConfirmed],
  description:
    'Sends a mail with a token that can be used once, within 24 hours, with `POST /api/v1/installer/confirm`. Until then, logging in is refused with ' +
    '403 `account_pending`. Sign up again if the mail does not arrive. The answer is the same for an address that has an account: only its owner ' +
    'reads that, in the mail.',
  body: person,
  answer: Type.Object({
    installer_id: Type.String(),
    email: Type.String(),
    status: Type.Enum(['pending_verification']),
    message: Type.String(),
  }),
  status: 201,
  errors: [weakPassword, rateLimited, conflict, overloaded],
  examples,
  async change({ body: { password, ...body }, remoteAddress }, draft, services) {
    requireStrong(password, '/password')
    attemptSignup(services, remoteAddress)
    const address = addressOf(body.email)
    attemptMail(services, address)
    const password_hash = await hashOf(password, remoteAddress, services)
    const installer_id = services.newId('ins')
    const { token, token_hash } = newToken(services)
    draft.requireRoom(pendingInstallersTable, { index: 'all', group: [] }, limits.pendingInstallers, tooManyPending())
    const made_at = services.clock.now()
    draft.putPlain(pendingInstallersTable, { ...body, installer_id, made_at, password_hash, token_hash })
    const signedUpAt = formatTimestamp(services.clock.now())
    const expiresAt = formatTimestamp(made_at + confirmationMs)
    const hasAccount = draft.view.get(installerAddressesTable, [address]) !== undefined
    if (hasAccount) addMail(draft, body.email, { type: 'installer-address-taken' }, services)
    else addMail(draft, body.email, { type: 'installer-confirmation', token, signedUpAt, expiresAt }, services)
    return {
      installer_id,
      email: body.email,
      status: 'pending_verification' as const,
      message: 'A mail has been sent to this address: confirm it before you log in.',
    }
  },
})

const confirm = entrance.post('/confirm', {
  operationId: 'confirmInstaller',
  summary: 'Confirm the email address of a new account',
  requires: [opensConfirmed],
  description:
    'With the token from the mail. A token that is unknown, used or expired is answered with 404 `not_found`, and an address that has got an ' +
    'account in the meantime with 409 `email_taken`.',
  body: Type.Object({ token: mailedToken() }),
  answer: Type.Object({ installer_id: Type.String(), email: Type.String(), status: Type.Enum(['active']) }),
  errors: [notFound, emailTaken, rateLimited, conflict],
  examples: { token: { token: 'q0Zc1v3XnJ0aJ2f0o5y1mF2m0s8yC9tq3zO4i6bN7uE' } },
  change({ body: { token }, remoteAddress }, draft, services) {
    attemptEntry(services, remoteAddress)
    const [pending] = draft.view.listBy(pendingInstallersTable, 'byToken', [sha256Hex(token)], { limit: 1 })
    if (pending === undefined) throw tokenNotGood()
    const { installer_id, made_at = timeOfId(installer_id), password_hash, ...body } = pending
    // Pruning comes later, perhaps much later.
    if (!isYoungerThan(confirmationMs, { made_at }, services.clock.now())) throw tokenNotGood()
    draft.remove(pendingInstallersTable, [installer_id])
    const { email } = open(draft, installer_id, body, password_hash, services)
    return { installer_id, email, status: 'active' as const }
  },
})

export const signupRoutes = [signUp, signUpWithConfirmation, confirm]
