// An installer's own account.

import { Type } from 'typebox'
import {
  endedTokensTable,
  type Installer,
  identityDocumentsTable,
  installersTable,
} from '../../../records/installer.js'
import { conflict } from '../../../runtime/errors.js'
import { filledLine, patternOf } from '../../../runtime/fault-words.js'
import type { Draft, Fields } from '../../pipeline/draft.js'
import { timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import type { InstallerPrincipal } from '../../surfaces/installer-token.js'
import { area } from './area.js'
import { installerSchema, installerView, personName } from './installers.js'

const getProfile = area.get('/profile', {
  operationId: 'getInstallerProfile',
  summary: 'Get your account',
  answer: installerSchema,
  read: ({ principal }) => installerView(principal.installer),
})

/** The next version of the caller's own account. */
export function changeOwn(
  draft: Draft,
  { installer }: InstallerPrincipal,
  part: Partial<Fields<Installer>>,
  services: Services,
): Installer {
  draft.requireUnchanged(installersTable, installer)
  const updated_at = formatTimestamp(services.clock.now())
  return draft.put(installersTable, { ...installer, ...part, updated_at })
}

const logOut = area.post('/logout', {
  operationId: 'logOutInstaller',
  summary: 'Log out',
  description: 'The access token of this request is refused from then on. Other access tokens of yours stay valid.',
  answer: null,
  errors: [conflict],
  change({ principal: { installer, tokenId } }, draft) {
    draft.putPlain(endedTokensTable, { token_id: tokenId, installer_id: installer.installer_id })
    return undefined
  },
})

const replaceProfile = area.put('/profile', {
  operationId: 'changeInstallerProfile',
  summary: 'Change your account',
  description:
    'What you leave out stays as it is. If your identity is under review or has been approved, a change of your name ends that: submit your ' +
    'documents again.',
  body: Type.Object({
    first_name: Type.Optional(personName()),
    last_name: Type.Optional(personName()),
    company: Type.Optional(personName()),
    phone: Type.Optional(
      Type.String({ ...patternOf('^\\+[1-9][0-9]{6,14}$', 'a number in the form of E.164, such as +31201234567') }),
    ),
  }),
  answer: installerSchema,
  errors: [conflict],
  examples: { phone: { phone: '+31201234567' } },
  change({ principal, body }, draft, services) {
    const { first_name, last_name, verification } = principal.installer
    const wanted = { first_name, last_name, ...body }
    const isRenamed = wanted.first_name !== first_name || wanted.last_name !== last_name
    if (isRenamed) draft.clear(identityDocumentsTable, [principal.installer.installer_id])
    const row = changeOwn(draft, principal, { ...wanted, verification: isRenamed ? undefined : verification }, services)
    return installerView(row)
  },
})

const acceptTerms = area.post('/accept-terms', {
  operationId: 'acceptInstallerTerms',
  summary: 'Accept the terms',
  description:
    'Before that, you cannot register charge points (403 `terms_required`). The version is stored as you send it; accepting another version replaces it.',
  body: Type.Object({ terms_version: Type.String({ minLength: 1, maxLength: 100, ...filledLine }) }),
  answer: Type.Object({ message: Type.String(), terms_version: Type.String(), accepted_at: timestamp() }),
  errors: [conflict],
  examples: { terms: { terms_version: '2026-11' } },
  change({ principal, body: { terms_version } }, draft, services) {
    const accepted_at = formatTimestamp(services.clock.now())
    changeOwn(draft, principal, { terms: { version: terms_version, accepted_at } }, services)
    return { message: 'The terms have been accepted.', terms_version, accepted_at }
  },
})

export const profileRoutes = [getProfile, replaceProfile, acceptTerms, logOut]
