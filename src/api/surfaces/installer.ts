// The surfaces of installers: one where an access token says who calls, and one, open to anyone, for what leads to a token.

import { defineSurface } from '../pipeline/surface.js'
import { installerToken } from './installer-token.js'
import { numberedPages } from './numbered-pages.js'
import { problem } from './problem.js'

const root = '/api/v1/installer/'
const shedFrom = { list: 2, command: 3, never: Number.POSITIVE_INFINITY } as const

/** Enough to follow 200 charge points through their commissioning; of what changes something, a year of entries in the audit log is kept. */
const quotaPerHour = 20_000

const guide = `## Installers

Field installers have accounts of their own and belong to no organization. \`POST /api/v1/installer/login\` returns an access token that is
valid for an hour; send it with each request, as \`Authorization: Bearer <access token>\`. The operations of installers take no API key, and all
others take no access token. Access tokens have no scopes. An installer has a quota of ${quotaPerHour.toLocaleString('en')} requests an hour, and the rate of a key.`

export const installer = defineSurface({
  root,
  guide,
  callers: {
    credential: installerToken,
    nameOf: ({ installer }) => `installer:${installer.installer_id}`,
    idOf: ({ installer }) => installer.installer_id,
    grants: () => false,
    requestsPerHour: () => quotaPerHour,
    audited: ({ installer, operatorId }) => ({
      otherwise: operatorId,
      ownerId: installer.installer_id,
      actor: { installer_id: installer.installer_id },
    }),
    repeats: { sealing: (presented) => presented },
  },
  shedFrom,
  envelope: problem,
  pages: numberedPages,
})

/** Where installers come from: nobody is asked who they are yet. */
export const installerEntrance = defineSurface({ root, shedFrom, envelope: problem, pages: numberedPages })
