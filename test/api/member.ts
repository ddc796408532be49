// A member of an organization, put into the store of a test.

import { type Member, membersTable, type Role } from '../../src/records/member.js'
import type { TestApi } from './fixture.js'

export async function addMember(
  service: TestApi,
  role: Role,
  organizationId = service.operator.organizationId,
): Promise<Member> {
  const member: Member = {
    organization_id: organizationId,
    user_id: service.newId('usr'),
    version: 1,
    email: 'someone@example.com',
    name: 'Someone',
    role,
    joined_at: new Date(service.now()).toISOString(),
  }
  await service.put(membersTable, member)
  return member
}
