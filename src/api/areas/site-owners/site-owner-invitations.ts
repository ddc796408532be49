// Invitations of site owners: made, listed and revoked by the organization, accepted with the key that is to act for the site owner.

import { Type } from 'typebox'
import { rateLimited } from '../../../actors/command-router/errors.js'
import { organizationsTable } from '../../../records/organization.js'
import { type SiteOwner, siteOwnerKeysTable, siteOwnersTable } from '../../../records/site-owner.js'
import { conflict, notFound } from '../../../runtime/errors.js'
import { notBlank } from '../../../runtime/fault-words.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { putRow, removeRow, unchanged } from '../../pipeline/changes.js'
import { defineList } from '../../pipeline/list-route.js'
import { defineRoute } from '../../pipeline/route.js'
import { emailAddress, named, nullable } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { operator } from '../../surfaces/operator.js'
import type { Principal } from '../../surfaces/principal.js'
import {
  closeInvitation,
  type InvitationOf,
  invitationByToken,
  invitationFields,
  invitationToken,
  invitationView,
  makeInvitation,
  openInvitations,
  ownInvitation,
} from '../members/invitations.js'
import { changeTeam } from '../members/team.js'
import { limits } from './limits.js'
import { onboardingFields, onboardingView } from './site-owners.js'

const tags = ['Site owners']

const invitationSchema = named('SiteOwnerInvitation', {
  ...invitationFields,
  name: Type.String(),
  project_id: nullable(Type.String()),
  project_name: nullable(Type.String()),
})

function siteOwnerInvitationView(view: ReadView, row: InvitationOf<'site-owner'>, now: number) {
  const { name, project } = row.purpose
  return {
    ...invitationView(view, row, now),
    name,
    project_id: project?.project_id ?? null,
    project_name: project?.name ?? null,
  }
}

const name = () => Type.String({ minLength: 1, maxLength: 200, ...notBlank })

const inviteSiteOwner = defineRoute({
  method: 'POST',
  path: '/api/v1/site-owner/invitations',
  operationId: 'inviteSiteOwner',
  summary: 'Invite the owner of a site',
  description:
    'They get a mail with a token that is good once, for seven days. `project_id` is the site that it is about: charge points ' +
    'with this `site_id` are counted to it; `project_name` is what it is called, and needs it. Who is a site owner already gets the project, and the key, that a new invitation brings.',
  tags,
  surface: operator,
  scopes: ['write:organisations'],
  body: Type.Object({
    email: emailAddress(),
    name: name(),
    project_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    project_name: Type.Optional(name()),
  }),
  responses: { 201: invitationSchema },
  errors: [conflict, rateLimited],
  sheddable: 'never',
  examples: {
    site: {
      email: 'anna@example.com',
      name: 'Anna Example',
      project_id: 'site_1',
      project_name: 'Station Street car park',
    },
  },
  handle({ principal, body }, services) {
    const { organization } = principal
    const view = services.view()
    const change = changeTeam(view, organization.organization_id)
    const { project_id, project_name } = body
    if (project_id === undefined && project_name !== undefined)
      throw invalid([{ path: '/project_name', message: 'needs project_id, the site that it is the name of' }])
    const project = project_id === undefined ? undefined : { project_id, name: project_name ?? project_id }
    const purpose = { type: 'site-owner', name: body.name, ...(project !== undefined && { project }) } as const
    const { row, changes, tell } = makeInvitation(view, organization, body.email, purpose, services)
    const shown = siteOwnerInvitationView(view, { ...row, purpose }, services.clock.now())
    return { status: 201, body: { ...shown, mail: 'waiting' }, tell, ...change(changes) }
  },
})

const listSiteOwnerInvitations = defineList({
  surface: operator,
  path: '/api/v1/site-owner/invitations',
  operationId: 'listSiteOwnerInvitations',
  summary: 'List invitations of site owners that nobody has accepted yet, newest first',
  tags,
  scopes: ['read:organisations'],
  row: invitationSchema,
  perPage: 50,
  maximum: 200,
  read({ principal, query }, services) {
    const view = services.view()
    const now = services.clock.now()
    const { rows, total } = openInvitations(view, principal.organization.organization_id, 'site-owner', query)
    const data = rows.map((row) => siteOwnerInvitationView(view, row, now))
    return { rows: data, total }
  },
})

const revokeSiteOwnerInvitation = defineRoute({
  method: 'DELETE',
  path: '/api/v1/site-owner/invitations/{invitation_id}',
  operationId: 'revokeSiteOwnerInvitation',
  summary: 'Revoke an invitation of a site owner',
  tags,
  surface: operator,
  scopes: ['write:organisations'],
  params: Type.Object({ invitation_id: Type.String({ maxLength: 64 }) }),
  responses: { 204: null },
  errors: [notFound, conflict],
  sheddable: 'never',
  handle({ principal, params }, services) {
    const { organization_id } = principal.organization
    const view = services.view()
    const change = changeTeam(view, organization_id)
    const row = ownInvitation(view, organization_id, 'site-owner', params.invitation_id)
    const { changes, tell } = closeInvitation(row, 'revoked')
    return { status: 204, tell, ...change(changes) }
  },
})

/** Who they are from now on: a new site owner, or the known one with one project more. Throws `conflict`. */
function joined(
  view: ReadView,
  { key }: Principal,
  { organization_id, email, purpose }: InvitationOf<'site-owner'>,
  services: Services,
): { readonly before: SiteOwner | undefined; readonly row: SiteOwner } {
  const now = formatTimestamp(services.clock.now())
  const [before] = view.listBy(siteOwnersTable, 'byEmail', [organization_id, email.toLowerCase()], { limit: 1 })
  if (before === undefined && view.total(siteOwnersTable, 'byOrganization', [organization_id]) >= limits.siteOwners)
    throw conflict(`an organization has at most ${limits.siteOwners} site owners`)
  const known = before?.projects ?? []
  const added = purpose.project
  const others = known.filter(({ project_id }) => project_id !== added?.project_id)
  const projects = added === undefined ? known : [...others, added]
  if (projects.length > limits.projectsPerSiteOwner)
    throw conflict(`a site owner has at most ${limits.projectsPerSiteOwner} projects`)
  const row: SiteOwner = {
    ...(before ?? {
      site_owner_id: services.newId('own'),
      organization_id,
      email,
      invited_name: purpose.name,
      documents: [],
      created_at: now,
    }),
    version: (before?.version ?? 0) + 1,
    key_id: key.key_id,
    projects,
    updated_at: now,
  }
  return { before, row }
}

const acceptSiteOwnerInvitation = defineRoute({
  method: 'POST',
  path: '/api/v1/site-owner/accept-invitation/{token}',
  operationId: 'acceptSiteOwnerInvitation',
  summary: 'Accept an invitation as a site owner',
  description:
    'The calling key acts for the site owner from then on, and no other key does. It may be a key of any organization, and acts ' +
    'for one site owner at most: 409 `conflict`. A token that is unknown, used, revoked or expired is 404 `not_found`.',
  tags,
  surface: operator,
  scopes: ['write:organisations'],
  params: Type.Object({ token: invitationToken() }),
  responses: {
    200: Type.Object({
      site_owner_id: Type.String(),
      organization_id: Type.String(),
      organization_name: Type.String(),
      email: Type.String(),
      name: Type.String(),
      ...onboardingFields,
    }),
  },
  errors: [notFound, conflict],
  sheddable: 'never',
  handle({ principal, params }, services) {
    const view = services.view()
    const invitation = invitationByToken(view, 'site-owner', params.token, services.clock.now())
    const change = changeTeam(view, invitation.organization_id)
    const { before, row } = joined(view, principal, invitation, services)
    const { key_id, site_owner_id } = row
    const bound = view.get(siteOwnerKeysTable, [key_id])
    if (bound !== undefined && bound.site_owner_id !== site_owner_id)
      throw conflict('this key acts for another site owner: use a key of its own')
    const { changes, tell } = closeInvitation(invitation, 'accepted')
    const rebound = before !== undefined && before.key_id !== key_id
    const { changes: all, conditions } = change([
      ...changes,
      putRow(siteOwnersTable, row),
      ...(rebound ? [removeRow(siteOwnerKeysTable, [before.key_id])] : []),
      putRow(siteOwnerKeysTable, { key_id, site_owner_id }),
    ])
    const binding = {
      table: siteOwnerKeysTable.name,
      key: [key_id],
      is: bound === undefined ? 'absent' : 'present',
    } as const
    return {
      status: 200,
      body: {
        site_owner_id,
        organization_id: row.organization_id,
        organization_name: view.get(organizationsTable, [row.organization_id])?.name ?? '',
        email: row.email,
        name: row.profile?.name ?? row.invited_name,
        ...onboardingView(row),
      },
      tell,
      concerns: { organizationId: row.organization_id },
      changes: all,
      conditions: [
        ...conditions,
        { condition: binding },
        { condition: unchanged(siteOwnersTable, [site_owner_id], before) },
      ],
    }
  },
})

export const siteOwnerInvitationRoutes = [
  inviteSiteOwner,
  listSiteOwnerInvitations,
  revokeSiteOwnerInvitation,
  acceptSiteOwnerInvitation,
]
