// Codes by mail: one is asked for, mailed, and exchanged for a session. Whether an address belongs to a member is said by neither the answer nor its
// time: the same is stored for every address. Each attempt is counted on disk before the code is looked at, so that many at once are as many.

import { timingSafeEqual } from 'node:crypto'
import { Type } from 'typebox'
import { rateLimited } from '../../../actors/command-router/errors.js'
import { networkOf } from '../../../edge/address-network.js'
import { noOrganization } from '../../../records/audit-entry.js'
import { consoleSessionsTable } from '../../../records/console-session.js'
import { isYoungerThan } from '../../../records/lifetime.js'
import type { MailContent } from '../../../records/mail.js'
import { type Member, membersTable } from '../../../records/member.js'
import { organizationsTable } from '../../../records/organization.js'
import { codeLifetimeMs, type SignInCode, signInCodesTable } from '../../../records/sign-in-code.js'
import { overloaded } from '../../../runtime/errors.js'
import { patternOf } from '../../../runtime/fault-words.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { commitDraft } from '../../pipeline/commit-draft.js'
import type { Draft, RowReader } from '../../pipeline/draft.js'
import { forbidden } from '../../pipeline/errors.js'
import { mailChanges } from '../../pipeline/mail.js'
import { sha256Hex } from '../../pipeline/make-key.js'
import { emailAddress, secret, timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { operatorOf } from '../organizations/operator.js'
import { entrance } from './area.js'
import { limits } from './limits.js'
import { askForCode, mayMailCode } from './throttles.js'

const challengeBytes = 32
const challengeForm = /^([0-9A-HJKMNP-TV-Z]{26})_[A-Za-z0-9_-]{43}$/

/** The members that have an address, the oldest first. */
export function membersWith(view: ReadView, address: string): readonly Member[] {
  const found = view.listBy(membersTable, 'byAddress', [address.toLowerCase()], {
    limit: limits.organizationsOfAddress,
  })
  return [...found].sort((one, other) => (one.user_id < other.user_id ? -1 : 1))
}

/** Whether one of their last sessions was begun from this network. It takes as long for an address that is no member's. */
function haveComeFrom(view: ReadView, members: readonly Member[], remoteAddress: string): boolean {
  const network = networkOf(remoteAddress)
  const callers =
    members.length === 0 ? [[noOrganization, '']] : members.map((one) => [one.organization_id, one.user_id])
  const newest = { reverse: true, limit: limits.sessionsOfCaller }
  return callers.some((caller) =>
    view
      .listBy(consoleSessionsTable, 'byCaller', caller, newest)
      .some((one) => networkOf(one.remote_address) === network),
  )
}

/** Six digits. So many bits are divided among a million codes that none is likelier than another by more than one part in 281 million. */
function newCode({ randomBytes }: Pick<Services, 'randomBytes'>): string {
  return String(randomBytes(6).readUIntBE(0, 6) % 1_000_000).padStart(6, '0')
}

const hashOf = (challenge: string, code: string): string => sha256Hex(`${challenge} ${code}`)

const sendCode = entrance.post('/codes', {
  operationId: 'sendSignInCode',
  summary: 'Have a code mailed with which to sign in',
  description:
    'The answer is the same whether or not the address belongs to a member. The code in the mail has six digits; it can be used once, within 10 minutes, ' +
    'together with the `code_id` of this answer, and five wrong ones end it. Whoever asks has five such mails sent to an address at once, and then one every ten ' +
    'minutes, and all who ask together three times as many, beside whom a member is sent them who has signed in from the same network lately; no more is sent, and the ' +
    'answer does not say so.',
  body: Type.Object({ email: emailAddress() }),
  answer: Type.Object({ code_id: Type.String(), expires_at: timestamp() }),
  status: 201,
  errors: [rateLimited, forbidden],
  secret: true,
  examples: { member: { email: 'anna@example.com' } },
  change({ body: { email }, remoteAddress }, draft, services) {
    askForCode(services, remoteAddress)
    const address = email.toLowerCase()
    const made_at = services.clock.now()
    const expires_at = formatTimestamp(made_at + codeLifetimeMs)
    const id = services.newId('cod')
    const challenge = `${id.slice('cod_'.length)}_${services.randomBytes(challengeBytes).toString('base64url')}`
    const members = membersWith(draft.view, address)
    const [member, ...others] = members
    const isKnown = haveComeFrom(draft.view, members, remoteAddress)
    if (mayMailCode(services, address, { remoteAddress, isKnown })) {
      const organization = member && draft.view.get(organizationsTable, [member.organization_id])
      const code = newCode(services)
      draft.put(signInCodesTable, { code_id: id, made_at, address, code_sha256: hashOf(challenge, code), tries: 0 })
      // Of several organizations, it is not known yet which one is wanted.
      const named = others.length === 0 ? organization : undefined
      const organizationName = (named ?? operatorOf(draft.view))?.name ?? 'the operator'
      const content: MailContent = { type: 'console-sign-in-code', organizationName, code, expiresAt: expires_at }
      const wish = {
        organizationId: noOrganization,
        to: member?.email ?? email,
        content,
        isForNobody: member === undefined,
      }
      draft.add(mailChanges(wish, services))
    }
    return { code_id: challenge, expires_at }
  },
})

export const codeFields = {
  code_id: Type.Optional(
    Type.String({
      ...secret,
      maxLength: 100,
      ...patternOf('^[0-9A-Za-z_-]+$', 'letters, digits, _ and -'),
      description: 'What the answer to `POST /console/codes` has.',
    }),
  ),
  code: Type.Optional(
    Type.String({
      ...secret,
      ...patternOf('^ ?[0-9]{3} ?[0-9]{3} ?$', 'six digits'),
      description: 'The six digits from the mail.',
    }),
  ),
}

export interface PresentedCode {
  readonly code_id: string
  readonly code: string
}

function rowOf(challenge: string, rows: RowReader, now: number): SignInCode | undefined {
  const [, ulid] = challengeForm.exec(challenge) ?? []
  if (ulid === undefined) return undefined
  const row = rows.get(signInCodesTable, [`cod_${ulid}`])
  return row !== undefined && isYoungerThan(codeLifetimeMs, row, now) ? row : undefined
}

/** Whose the code would be, for the throttle. */
export function accountOfCode({ code_id }: PresentedCode, { view, clock }: Pick<Services, 'view' | 'clock'>): string {
  return rowOf(code_id, view(), clock.now())?.address ?? sha256Hex(code_id)
}

/** The address that the code was mailed to; undefined for a code that is not good. It has taken one of its tries by then, on disk. */
export async function addressOfCode({ code_id, code }: PresentedCode, services: Services): Promise<string | undefined> {
  const row = await commitDraft(
    {
      attempts: 2 * limits.triesOfCode,
      decide(draft) {
        const found = rowOf(code_id, draft, services.clock.now())
        if (found === undefined || found.tries >= limits.triesOfCode) return undefined
        return draft.put(signInCodesTable, { ...found, tries: found.tries + 1 })
      },
      otherwise: () => overloaded('others try this code at the same time: try again', { retryAfterSeconds: 1 }),
    },
    services,
  )
  if (row === undefined) return undefined
  const given = Buffer.from(hashOf(code_id, code.replaceAll(' ', '')), 'hex')
  return timingSafeEqual(given, Buffer.from(row.code_sha256, 'hex')) ? row.address : undefined
}

/** With the session that it is exchanged for: of two exchanges at once, one goes through. */
export function useUpCode({ code_id }: PresentedCode, draft: Draft, now: number): boolean {
  const row = rowOf(code_id, draft, now)
  if (row !== undefined) draft.remove(signInCodesTable, [row.code_id])
  return row !== undefined
}

export const codeRoutes = [sendCode]
