// Invitations of site owners: sent, listed and revoked by the organization, accepted with the key that is to act for the site owner.

import { Type } from 'typebox'
import { organizationsTable } from '../../../records/organization.js'
import { type SiteOwner, siteOwnerKeysTable, siteOwnersTable } from '../../../records/site-owner.js'
import { conflict, fail } from '../../../runtime/errors.js'
import { filledLine } from '../../../runtime/fault-words.js'
import type { Draft } from '../../pipeline/draft.js'
import { forbidden } from '../../pipeline/errors.js'
import { nullable } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { invitationRoutes, invitationToken } from '../invitations/invitation-routes.js'
import { acceptInvitation, type InvitationOf } from '../invitations/invitations.js'
import { area } from './area.js'
import { limits } from './limits.js'
import { onboardingFields, onboardingView } from './site-owners.js'

const routes = invitationRoutes(area, {
  kind: 'site-owner',
  path: '/site-owner/invitations',
  schemaName: 'SiteOwnerInvitation',
  fields: { name: Type.String(), project_id: nullable(Type.String()), project_name: nullable(Type.String()) },
  show: ({ name, project }) => ({
    name,
    project_id: project?.project_id ?? null,
    project_name: project?.name ?? null,
  }),
})

const name = () => Type.String({ minLength: 1, maxLength: 200, ...filledLine })

const inviteSiteOwner = routes.invite({
  operationId: 'inviteSiteOwner',
  summary: 'Invite the owner of a site',
  description:
    'Sends a mail with a token that can be used once, within seven days. `project_id` names the site: charge points with this `site_id` are ' +
    'counted as part of the project; `project_name` is the name of the project. If the address already belongs to a site owner, the project and ' +
    'the key are added to that site owner.',
  fields: {
    name: name(),
    project_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64, ...filledLine })),
    project_name: Type.Optional(name()),
  },
  examples: {
    site: {
      email: 'anna@example.com',
      name: 'Anna Example',
      project_id: 'site_1',
      project_name: 'Station Street car park',
    },
  },
  purpose({ name, project_id, project_name }) {
    if (project_id !== undefined)
      return { type: 'site-owner', name, project: { project_id, name: project_name ?? project_id } }
    if (project_name !== undefined)
      throw invalid([{ path: '/project_name', message: 'requires project_id, the site that it names' }])
    return { type: 'site-owner', name }
  },
})

const listSiteOwnerInvitations = routes.list({
  operationId: 'listSiteOwnerInvitations',
  summary: 'List invitations of site owners that nobody has accepted yet, newest first',
})

const revokeSiteOwnerInvitation = routes.revoke({
  operationId: 'revokeSiteOwnerInvitation',
  summary: 'Revoke an invitation of a site owner',
})

type Join = Pick<SiteOwner, 'key_id' | 'projects' | 'updated_at'>

/** Stores who they are from now on: a new site owner, or the known one with one project more. Throws `conflict`. */
function join(
  draft: Draft,
  keyId: string,
  { organization_id, email, purpose }: InvitationOf<'site-owner'>,
  services: Services,
): SiteOwner {
  const now = formatTimestamp(services.clock.now())
  const [known] = draft.view.listBy(siteOwnersTable, 'byEmail', [organization_id, email.toLowerCase()], { limit: 1 })
  const before = known && draft.get(siteOwnersTable, [known.site_owner_id])
  const projects = withProject(before?.projects ?? [], purpose.project)
  const joined: Join = { key_id: keyId, projects, updated_at: now }
  if (before !== undefined) {
    if (before.key_id !== keyId) draft.clear(siteOwnerKeysTable, [before.key_id])
    return draft.put(siteOwnersTable, { ...before, ...joined })
  }
  const tooMany = conflict(
    `an organization has at most ${limits.siteOwners} site owners, so no other one can accept an invitation`,
  )
  draft.requireRoom(siteOwnersTable, { index: 'byOrganization', group: [organization_id] }, limits.siteOwners, tooMany)
  return draft.put(siteOwnersTable, {
    site_owner_id: services.newId('own'),
    organization_id,
    email,
    invited_name: purpose.name,
    documents: [],
    created_at: now,
    ...joined,
  })
}

/** Under its new name, if it was there. */
function withProject(known: SiteOwner['projects'], added: SiteOwner['projects'][number] | undefined) {
  if (added === undefined) return known
  const projects = [...known.filter(({ project_id }) => project_id !== added.project_id), added]
  if (projects.length > limits.projectsPerSiteOwner)
    throw conflict(
      `a site owner has at most ${limits.projectsPerSiteOwner} projects: use one of the projects that are there`,
    )
  return projects
}

const acceptSiteOwnerInvitation = area.post('/site-owner/accept-invitation/{token}', {
  operationId: 'acceptSiteOwnerInvitation',
  summary: 'Accept an invitation as a site owner',
  description:
    'From then on the calling key acts for the site owner, and no other key does. It may be a key of any organization. A key can act for one ' +
    'site owner only: otherwise the answer is 409 `conflict`. The answer is 404 `not_found` for a token that is unknown, used, revoked or expired.',
  params: { token: invitationToken() },
  answer: Type.Object({
    site_owner_id: Type.String(),
    organization_id: Type.String(),
    organization_name: Type.String(),
    email: Type.String(),
    name: Type.String(),
    ...onboardingFields,
  }),
  errors: [conflict, forbidden],
  change({ principal, params }, draft, services) {
    const { key_id } =
      principal.key ?? fail(forbidden, 'only an API key can act for a site owner: accept the invitation with one')
    const invitation = acceptInvitation(draft, 'site-owner', params.token, services.clock.now())
    const row = join(draft, key_id, invitation, services)
    const { site_owner_id, organization_id, email, profile, invited_name } = row
    // A binding ends only with a change of its site owner, whose row is held.
    const bound = draft.view.get(siteOwnerKeysTable, [key_id])
    if (bound === undefined) draft.putPlain(siteOwnerKeysTable, { key_id, site_owner_id })
    else if (bound.site_owner_id !== site_owner_id)
      throw conflict('this key already acts for another site owner: use a key that acts for nobody')
    return {
      site_owner_id,
      organization_id,
      organization_name: draft.view.get(organizationsTable, [organization_id])?.name ?? '',
      email,
      name: profile?.name ?? invited_name,
      ...onboardingView(row),
    }
  },
})

export const siteOwnerInvitationRoutes = [
  inviteSiteOwner,
  listSiteOwnerInvitations,
  revokeSiteOwnerInvitation,
  acceptSiteOwnerInvitation,
]
