// Installers listed, read, reviewed and removed.

import { Type } from 'typebox'
import {
  addressOf,
  documentTypes,
  familiarNetworksTable,
  type Installer,
  identityDocumentsTable,
  installerAddressesTable,
  installerPasswordsTable,
  installersTable,
  tokenSecretsTable,
  type Verification,
  verificationStatuses,
} from '../../../records/installer.js'
import { conflict, notFound } from '../../../runtime/errors.js'
import { filledLines } from '../../../runtime/fault-words.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { putRow } from '../../pipeline/changes.js'
import type { BeginRead } from '../../pipeline/long-reads.js'
import { type Page, type PageQuery, pageOf, readLongPage } from '../../pipeline/paging.js'
import { emailAddress, named, nullable, timestamp } from '../../pipeline/schemas.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { formatTimestamp, parseTimestamp } from '../../pipeline/timestamp.js'
import { newTokenSecret } from '../../surfaces/installer-token.js'
import { accountOf } from '../installer-accounts/accounts.js'
import { verificationFields, verificationView } from '../installer-accounts/identity.js'
import { installerFields, installerView } from '../installer-accounts/installers.js'
import { addMail } from '../installer-accounts/mails.js'
import { area, installerBy, installerParams } from './area.js'

const reviewedSchema = named('ReviewedInstaller', { ...installerFields, ...verificationFields })

function reviewedView(row: Installer) {
  return { ...installerView(row), ...verificationView(row) }
}

interface Filters {
  readonly email?: string | undefined
  readonly verification_status?: string | undefined
}

function pageOfInstallers(
  view: ReadView,
  begin: BeginRead,
  { email, verification_status: status, ...query }: Filters & PageQuery,
): Page<Installer> | Promise<Page<Installer>> {
  if (email !== undefined) {
    const account = accountOf(view, addressOf(email))
    const all = account === undefined ? [] : [account]
    const kept = all.filter((row) => status === undefined || verificationView(row).verification_status === status)
    return { rows: [...pageOf(kept, query)], total: kept.length }
  }
  const list = status === undefined ? { index: 'all', group: [] } : { index: 'byVerification', group: [status] }
  return readLongPage({ view, begin, table: installersTable, list, query })
}

const listInstallers = area.list('', {
  operationId: 'listInstallers',
  summary: 'List installers, oldest first',
  filters: {
    email: Type.Optional(emailAddress('Returns only the account with this address.')),
    verification_status: Type.Optional(
      Type.Enum([...verificationStatuses], { description: 'Returns only installers with this status.' }),
    ),
  },
  row: reviewedSchema,
  perPage: 50,
  maximum: 200,
  async read({ principal, query }, services) {
    const begin = services.longReads.of(principal.organization.organization_id)
    const { rows, total } = await pageOfInstallers(services.view(), begin, query)
    return { rows: rows.map(reviewedView), total }
  },
})

const getInstaller = area.get('/{installer_id}', {
  operationId: 'getInstaller',
  summary: 'Get an installer',
  params: installerParams,
  answer: reviewedSchema,
  read: ({ params }, services) => reviewedView(installerBy(services.view(), params.installer_id)),
})

const getIdentity = area.get('/{installer_id}/identity', {
  operationId: 'getInstallerIdentity',
  summary: 'Get the documents that an installer has submitted',
  description:
    'Open the URLs yourself: the service does not know what is behind them. The answer is 404 `not_found` where nothing has been submitted.',
  params: installerParams,
  scopes: ['write:organisations'],
  answer: Type.Object({
    installer_id: Type.String(),
    first_name: Type.String(),
    last_name: Type.String(),
    document_type: Type.Enum([...documentTypes]),
    document_number: Type.String(),
    document_expiry: Type.String(),
    selfie_url: Type.String(),
    document_front_url: Type.String(),
    document_back_url: nullable(Type.String()),
    submitted_at: timestamp(),
  }),
  read({ params }, services) {
    const view = services.view()
    const { first_name, last_name } = installerBy(view, params.installer_id)
    const found = view.get(identityDocumentsTable, [params.installer_id])
    if (found === undefined) throw notFound('this installer has not submitted any documents')
    const { version: _, document_back_url, ...documents } = found
    return { ...documents, first_name, last_name, document_back_url: document_back_url ?? null }
  },
})

function decided(
  { submitted_at }: Verification,
  { approved, reason }: { readonly approved: boolean; readonly reason?: string | undefined },
  decided_at: string,
): Verification {
  if (approved) return { status: 'approved', submitted_at, decided_at }
  if (reason === undefined) throw invalid([{ path: '/reason', message: 'is required when the identity is rejected' }])
  return { status: 'rejected', submitted_at, decided_at, reason }
}

const decideVerification = area.post('/{installer_id}/verification', {
  operationId: 'decideInstallerVerification',
  summary: 'Approve or reject the identity of an installer',
  description:
    '`submitted_at` is the time of the submission that was reviewed: if the installer has submitted something else since, the answer is 409 ' +
    '`conflict`. The installer is sent a mail. An approval can be taken back by rejecting the same submission.',
  params: installerParams,
  body: Type.Object({
    approved: Type.Boolean(),
    submitted_at: timestamp(),
    reason: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_000,
        ...filledLines,
        description: 'Why it is rejected: the installer reads it in the mail and in the verification status.',
      }),
    ),
  }),
  answer: reviewedSchema,
  errors: [conflict],
  examples: {
    approve: { approved: true, submitted_at: '2026-11-20T10:00:00.000Z' },
    reject: { approved: false, submitted_at: '2026-11-20T10:00:00.000Z', reason: 'The passport has expired.' },
  },
  change({ params, body }, draft, services) {
    const before = installerBy(draft, params.installer_id)
    const { verification } = before
    if (verification === undefined || Date.parse(verification.submitted_at) !== parseTimestamp(body.submitted_at))
      throw conflict('the installer has not submitted this, or has submitted something else since: read it again')
    const now = formatTimestamp(services.clock.now())
    const after = decided(verification, body, now)
    const row = draft.put(installersTable, { ...before, verification: after, updated_at: now })
    const { email, first_name: name } = row
    const { reason } = after
    if (reason === undefined) addMail(draft, email, { type: 'installer-identity-approved', name }, services)
    else addMail(draft, email, { type: 'installer-identity-rejected', name, reason }, services)
    return reviewedView(row)
  },
})

const deleteInstaller = area.delete('/{installer_id}', {
  operationId: 'deleteInstaller',
  summary: 'Delete the account of an installer',
  description:
    'Its access tokens end at once, and its documents are removed. The installer is sent a mail. Charge points that it has registered and that no ' +
    'organization has claimed are removed within the hour, with the issues that it has reported of them; those that are connected stay until they are ' +
    'offline, and can be claimed until then.',
  params: installerParams,
  answer: null,
  errors: [conflict],
  change({ params: { installer_id } }, draft, services) {
    const { email, first_name: name } = installerBy(draft, installer_id)
    draft.remove(installersTable, [installer_id])
    draft.clear(installerAddressesTable, [addressOf(email)])
    draft.clear(installerPasswordsTable, [installer_id])
    draft.clear(identityDocumentsTable, [installer_id])
    for (const row of draft.view.list(familiarNetworksTable, [installer_id]))
      draft.clear(familiarNetworksTable, familiarNetworksTable.key(row))
    addMail(draft, email, { type: 'installer-removed', name }, services)
    return undefined
  },
})

const endTokens = area.delete('/access-tokens', {
  operationId: 'endInstallerAccessTokens',
  summary: 'End the access tokens of all installers',
  description:
    'Replaces the secret that access tokens are signed with: installers have to log in again. Do this if somebody may have read the data directory or a backup.',
  answer: null,
  change(_request, draft, services) {
    // Whichever is stored last counts.
    draft.add({ changes: [putRow(tokenSecretsTable, newTokenSecret(services))] })
    return undefined
  },
})

export const installerRoutes = [
  listInstallers,
  getInstaller,
  getIdentity,
  decideVerification,
  endTokens,
  deleteInstaller,
]
