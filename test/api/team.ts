// Who joins an organization in tests of the API: invited, and accepted with the token of the mail.

import { mailsTable } from '../../src/records/mail.js'
import type { Role } from '../../src/records/member.js'
import type { Answered, TestApi } from './fixture.js'

export const acceptPath = '/api/v1/organizations/invitations/accept'

export function teamPaths(organizationId: string) {
  const path = `/api/v1/organizations/${organizationId}`
  return { members: `${path}/members`, invitations: `${path}/invitations` }
}

/** What the newest mail tells its reader. */
export function mailedToken(api: TestApi): string {
  const content = api.store.view().list(mailsTable, []).at(-1)?.content
  if (content === undefined || !('token' in content)) throw new Error('there is no invitation among the mails')
  return content.token
}

export async function invite(
  api: TestApi,
  email: string,
  role: Role = 'viewer',
): Promise<{ answer: Answered; token: string }> {
  const answer = await api.call('POST', teamPaths(api.operator.organizationId).invitations, { email, role })
  return { answer, token: answer.status === 201 ? mailedToken(api) : '' }
}

export async function join(api: TestApi, email: string, role: Role): Promise<string> {
  const { token } = await invite(api, email, role)
  const { status, body } = await api.call('POST', acceptPath, { token })
  if (status !== 200) throw new Error(`nobody joined: ${status}`)
  return body.user_id
}
