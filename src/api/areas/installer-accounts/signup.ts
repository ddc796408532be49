// Signing up: a new account, at once.

import { Type } from 'typebox'
import { rateLimited } from '../../../actors/command-router/errors.js'
import {
  addressOf,
  installerAddressesTable,
  installerPasswordsTable,
  installersTable,
} from '../../../records/installer.js'
import { conflict, overloaded } from '../../../runtime/errors.js'
import { filledLine } from '../../../runtime/fault-words.js'
import { emailAddress } from '../../pipeline/schemas.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { entrance } from './area.js'
import { emailTaken, weakPassword } from './errors.js'
import { installerView } from './installers.js'
import { limits } from './limits.js'
import { hashOf, newPassword, requireStrong } from './passwords.js'
import { attemptSignup } from './throttles.js'

const name = () => Type.String({ minLength: 1, maxLength: 200, ...filledLine })

const signUp = entrance.post('/signup', {
  operationId: 'signUpInstaller',
  summary: 'Sign up as an installer',
  body: Type.Object({
    email: emailAddress(),
    password: newPassword(),
    first_name: name(),
    last_name: name(),
    company: name(),
  }),
  answer: Type.Object({
    installer_id: Type.String(),
    email: Type.String(),
    first_name: Type.String(),
    last_name: Type.String(),
    company: Type.String(),
    status: Type.Enum(['active']),
    created_at: Type.String({ format: 'date-time' }),
  }),
  status: 201,
  errors: [emailTaken, weakPassword, rateLimited, conflict, overloaded],
  examples: {
    installer: {
      email: 'ines@example.com',
      password: 'Ladestation 2026',
      first_name: 'Ines',
      last_name: 'Example',
      company: 'Example Installations',
    },
  },
  async change({ body, remoteAddress }, draft, services) {
    const { email, password, first_name, last_name, company } = body
    requireStrong(password, '/password')
    attemptSignup(services, remoteAddress)
    const address = addressOf(email)
    const taken = emailTaken('there is an account with this email address: log in, or reset its password')
    if (draft.view.get(installerAddressesTable, [address]) !== undefined) throw taken
    const hash = await hashOf(password, remoteAddress, services)
    const installer_id = services.newId('ins')
    const now = formatTimestamp(services.clock.now())
    const full = conflict('this installation takes no more installers: ask its operator')
    draft.requireRoom(installersTable, { index: 'all', group: [] }, limits.installers, full)
    draft.putPlain(installerAddressesTable, { address, installer_id }, taken)
    draft.put(installerPasswordsTable, { installer_id, hash })
    const row = draft.put(installersTable, {
      installer_id,
      email,
      first_name,
      last_name,
      company,
      token_generation: 0,
      created_at: now,
      updated_at: now,
    })
    const { status, created_at } = installerView(row)
    return { installer_id, email, first_name, last_name, company, status, created_at }
  },
})

export const signupRoutes = [signUp]
