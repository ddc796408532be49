// Which ways in this installation has: the page that signs people in offers no other ones.

import { Type } from 'typebox'
import { membersTable } from '../../../records/member.js'
import { passkeysTable } from '../../../records/passkey.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { forbidden } from '../../pipeline/errors.js'
import { named, nullable } from '../../pipeline/schemas.js'
import type { ApiConfiguration } from '../../pipeline/services.js'
import { operatorOf } from '../organizations/operator.js'
import { entrance } from './area.js'

export const ways = ['api_key', 'passkey', 'single_sign_on', 'code'] as const

/** The first start has nobody yet: then the key that it has printed is the only way. */
const has: Readonly<Record<(typeof ways)[number], (view: ReadView, config: ApiConfiguration) => boolean>> = {
  api_key: () => true,
  passkey: (view) => view.list(passkeysTable, [], { limit: 1 }).length > 0,
  single_sign_on: (_view, { singleSignOn }) => singleSignOn !== undefined,
  code: (view, { sendsMail }) => sendsMail === true && view.list(membersTable, [], { limit: 1 }).length > 0,
}

const getWays = entrance.get('/ways-in', {
  operationId: 'getWaysIn',
  summary: 'Get the ways to sign in that this installation has',
  answer: named('WaysIn', {
    name: Type.String({ description: 'The name of the organization that operates the installation.' }),
    provider: nullable(Type.String({ description: 'The name of the identity provider for `single_sign_on`.' })),
    ways: Type.Array(Type.Enum([...ways]), {
      description:
        '`passkey` if anybody has one, and `code` if there are members and a mail server that mails them codes.',
    }),
  }),
  errors: [forbidden],
  read: (_request, { view, config }) => ({
    name: operatorOf(view())?.name ?? '',
    provider: config.singleSignOn?.name ?? null,
    ways: ways.filter((way) => has[way](view(), config)),
  }),
})

export const wayRoutes = [getWays]
