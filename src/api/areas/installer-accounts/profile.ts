// An installer's own account.

import { Type } from 'typebox'
import { type Installer, installersTable } from '../../../records/installer.js'
import { conflict } from '../../../runtime/errors.js'
import { filledLine } from '../../../runtime/fault-words.js'
import type { Draft, Fields } from '../../pipeline/draft.js'
import { timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import type { InstallerPrincipal } from '../../surfaces/installer-token.js'
import { area } from './area.js'
import { installerSchema, installerView } from './installers.js'

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

export const profileRoutes = [getProfile, acceptTerms]
