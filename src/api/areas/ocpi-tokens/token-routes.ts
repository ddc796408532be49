// Tokens as partners push them (OCPI 2.2.1, 12.2.1). They cannot be deleted: a driver who is gone has a token that is not valid.

import { type Static, type TSchema, Type } from 'typebox'
import { tokenTypes } from '../../../ocpi/schemas/common.js'
import {
  authorizationInfoSchema,
  type LocationReferences,
  locationReferencesSchema,
  receivedTokenSchema,
  tokenPatchSchema,
  tokenSchema,
} from '../../../ocpi/schemas/token.js'
import { isOlder, misnamedField, replacedToken, tokenOf } from '../../../ocpi/token-row.js'
import { readObject, withoutNulls } from '../../../ocpi/validators.js'
import {
  type OcpiToken,
  type OcpiTokenName,
  type OcpiTokenType,
  ocpiTokenKey,
  ocpiTokensTable,
} from '../../../records/ocpi-token.js'
import { conflict, notFound } from '../../../runtime/errors.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { type Draft, openDraft, type RowReader } from '../../pipeline/draft.js'
import type { Answer } from '../../pipeline/route.js'
import { nullable } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { noData } from '../../surfaces/ocpi-envelope.js'
import { notEnoughInformation, unknownToken } from '../../surfaces/ocpi-errors.js'
import { callsFor, emspsOf, senderHeaders } from '../../surfaces/ocpi-sender.js'
import type { OcpiPrincipal } from '../../surfaces/ocpi-token.js'
import { area } from './area.js'
import { limits } from './limits.js'

const params = {
  country_code: Type.String({ minLength: 2, maxLength: 2 }),
  party_id: Type.String({ minLength: 1, maxLength: 3 }),
  token_uid: Type.String({ minLength: 1, maxLength: 36 }),
}

const query = Type.Object({
  type: Type.Enum([...tokenTypes], {
    default: 'RFID',
    description: 'The type of the token, which is part of its name.',
  }),
})

const sender = Type.Object(senderHeaders)

/** Of a PATCH: null removes an optional field. */
function withNulls<Schema extends { readonly properties: Readonly<Record<string, TSchema>> }>({ properties }: Schema) {
  const fields = Object.entries(properties).map(([name, field]) => [
    name,
    Type.IsOptional(field) ? Type.Optional(nullable(field)) : field,
  ])
  return Type.Object(Object.fromEntries(fields) as Record<string, TSchema>)
}

const patchBody = withNulls(tokenPatchSchema)

interface Named extends Static<typeof query> {
  readonly country_code: string
  readonly party_id: string
  readonly token_uid: string
}

/** Throws `not_found` where the path names a party for which the caller does not speak. */
function nameOf(principal: OcpiPrincipal, { country_code, party_id, token_uid: uid, type }: Named): OcpiTokenName {
  if (!callsFor(principal, { country_code, party_id }, 'EMSP'))
    throw notFound(
      `${country_code}*${party_id} is not an EMSP of your credentials, or not the party for which you call`,
    )
  return { partner_id: principal.partner.partner_id, country_code, party_id, uid, type: type as OcpiTokenType }
}

/** The object without what does not belong to it; throws `validation_error`. */
function readBody<Schema extends TSchema>(schema: Schema, body: unknown, name: OcpiTokenName): Static<Schema> {
  const read = readObject(schema, body)
  if (!read.ok) throw invalid(read.faults)
  const misnamed = misnamedField(name, read.value as Partial<OcpiTokenName>)
  if (misnamed !== undefined) throw invalid([{ path: `/${misnamed}`, message: 'is not that of the address' }])
  return read.value
}

function findToken(view: RowReader, name: OcpiTokenName): OcpiToken {
  return view.get(ocpiTokensTable, ocpiTokenKey(name)) ?? noToken()
}

function noToken(): never {
  throw unknownToken('the token is not known')
}

const getToken = area.get('/{country_code}/{party_id}/{token_uid}', {
  operationId: 'ocpiGetToken',
  summary: 'Get a token that you have sent',
  params,
  query,
  errors: [unknownToken],
  answer: tokenSchema,
  read: ({ principal, params, query }, services) =>
    tokenOf(findToken(services.view(), nameOf(principal, { ...params, ...query }))),
})

const putToken = area.route({
  method: 'PUT',
  path: '/{country_code}/{party_id}/{token_uid}',
  operationId: 'ocpiPutToken',
  summary: 'Send a new token, or replace one',
  description:
    'HTTP 201 for a new token, and 200 for one that was known. Optional fields that are left out are removed. A token whose `last_updated` is older than that of the stored one changes nothing; the answer is 200 then, too.',
  params,
  query,
  body: receivedTokenSchema,
  responses: { 200: noData, 201: noData },
  errors: [conflict],
  examples: {
    card: {
      country_code: 'NL',
      party_id: 'EMP',
      uid: '04A2B3C4D5E680',
      type: 'RFID',
      contract_id: 'NL-EMP-C00012345-7',
      issuer: 'Example Mobility',
      valid: true,
      whitelist: 'ALLOWED',
      last_updated: '2026-01-20T10:00:00Z',
    },
  },
  handle({ principal, params, query, body }, services) {
    const { partner } = principal
    const name = nameOf(principal, { ...params, ...query })
    const sent = readBody(receivedTokenSchema, body, name)
    return withDraft(services, (draft) => {
      const before = draft.get(ocpiTokensTable, ocpiTokenKey(name))
      const now = services.clock.now()
      const row = replacedToken(partner, name, sent, before, now)
      if (before === undefined) {
        const full = conflict(`a partner has at most ${limits.ocpiTokens} tokens`)
        draft.requireRoom(ocpiTokensTable, { index: 'byPartner', group: [partner.partner_id] }, limits.ocpiTokens, full)
      }
      if (row !== undefined) draft.put(ocpiTokensTable, row)
      return before === undefined ? 201 : 200
    })
  },
})

function withDraft(services: Services, change: (draft: Draft) => number): Answer {
  const draft = openDraft(services.view(), services.clock.now())
  const status = change(draft)
  return { status, body: null, ...draft.close() }
}

const patchToken = area.patch('/{country_code}/{party_id}/{token_uid}', {
  operationId: 'ocpiPatchToken',
  summary: 'Change fields of a token',
  description:
    '`last_updated` is required. A change that is older than what is stored changes nothing; the answer is the same. null removes an optional field.',
  params,
  query,
  body: patchBody,
  errors: [unknownToken],
  answer: noData,
  examples: { invalidate: { valid: false, last_updated: '2026-01-20T10:00:00Z' } },
  change({ principal, params, query, body }, draft, services) {
    const name = nameOf(principal, { ...params, ...query })
    const patch = readBody(tokenPatchSchema, body, name)
    const before = findToken(draft, name)
    if (isOlder(patch.last_updated, before)) return null
    const merged = withoutNulls({ ...tokenOf(before), ...(body as object), ...patch })
    const row = replacedToken(before, name, readBody(receivedTokenSchema, merged, name), before, services.clock.now())
    if (row !== undefined) draft.put(ocpiTokensTable, row)
    return null
  },
})

function echoed({ location_id, evse_uids }: Partial<LocationReferences>) {
  if (location_id === undefined) return {}
  const evses = evse_uids === undefined ? {} : { evse_uids, evses: evse_uids.map((uid) => ({ uid })) }
  return { location: { location_id, id: location_id, ...evses } }
}

const authorizeToken = area.route({
  method: 'POST',
  path: '/{token_uid}/authorize',
  operationId: 'ocpiAuthorizeToken',
  summary: 'Ask whether a token of yours may charge',
  description:
    'By what you have sent: ALLOWED where the token is valid, otherwise BLOCKED. The `location` of the answer is that of the request.',
  params: { token_uid: params.token_uid },
  query,
  headers: sender,
  body: Type.Partial(locationReferencesSchema),
  bodyOptional: true,
  changesNothing: true,
  responses: { 200: authorizationInfoSchema },
  errors: [unknownToken, notEnoughInformation],
  examples: { location: { location_id: 'LOC1', evse_uids: ['CP-1_1'] } },
  handle(request: AuthorizeRequest, services) {
    const token = ownToken(services.view(), request)
    const location: Partial<LocationReferences> = request.body ?? {}
    if (location.location_id === undefined && location.evse_uids !== undefined)
      throw notEnoughInformation('EVSEs are named without their location: send the location_id')
    return {
      status: 200,
      body: { allowed: token.valid ? 'ALLOWED' : 'BLOCKED', token: tokenOf(token), ...echoed(location) },
    }
  },
})

interface AuthorizeRequest {
  readonly principal: OcpiPrincipal
  readonly params: { readonly token_uid: string }
  readonly query: Static<typeof query>
  readonly body: unknown
}

/** Of any of the caller's parties. */
function ownToken(view: ReadView, { principal, params, query }: AuthorizeRequest): OcpiToken {
  const { partner_id } = principal.partner
  const type = query.type as OcpiTokenType
  const found = emspsOf(principal).map(({ country_code, party_id }) =>
    view.get(ocpiTokensTable, ocpiTokenKey({ partner_id, country_code, party_id, uid: params.token_uid, type })),
  )
  return found.find((token) => token !== undefined) ?? noToken()
}

export const tokenRoutes = [getToken, putToken, patchToken, authorizeToken]
