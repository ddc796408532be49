// send_local_list: SendLocalList, full or differential (OCPP 1.6, 5.15).

import { type Static, Type } from 'typebox'
import {
  callOf,
  type IdTagInfo,
  sendLocalList as message,
  readTimestamp,
  writeTimestamp,
} from '../../../ocpp16/index.js'
import { defineCommand } from '../define-command.js'
import { dateTime, idTag } from '../parameters.js'

const idTagInfo = Type.Object({
  status: Type.Enum(['Accepted', 'Blocked', 'Expired', 'Invalid', 'ConcurrentTx']),
  expiry_date: Type.Optional(dateTime()),
  parent_id_tag: Type.Optional(idTag()),
})

const entry = Type.Object({ id_tag: idTag(), id_tag_info: Type.Optional(idTagInfo) })

const ocppIdTagInfo = Type.Object({
  status: idTagInfo.properties.status,
  expiryDate: Type.Optional(dateTime()),
  parentIdTag: Type.Optional(idTag()),
})

const ocppEntry = Type.Object(
  { idTag: idTag(), idTagInfo: Type.Optional(ocppIdTagInfo) },
  // An entry in both spellings is read in ours, so it has to fit that.
  { description: "The same in the standard's own spelling.", not: { required: ['id_tag'] } },
)

const anyEntry = Type.Union([entry, ocppEntry], {
  description: 'In a Differential list, an entry without id_tag_info removes the tag.',
})

interface PlainEntry {
  readonly idTag: string
  readonly info: Static<typeof idTagInfo> | undefined
}

function plain(given: Static<typeof anyEntry>): PlainEntry {
  if ('id_tag' in given) return { idTag: given.id_tag, info: given.id_tag_info }
  const { idTag, idTagInfo: info } = given
  if (info === undefined) return { idTag, info }
  const { status, expiryDate: expiry_date, parentIdTag: parent_id_tag } = info
  return {
    idTag,
    info: {
      status,
      ...(expiry_date === undefined ? {} : { expiry_date }),
      ...(parent_id_tag === undefined ? {} : { parent_id_tag }),
    },
  }
}

export const sendLocalList = defineCommand({
  name: 'send_local_list',
  summary: 'Replace or change the local authorization list',
  parameters: Type.Object({
    list_version: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
    update_type: Type.Optional(Type.Enum(['Full', 'Differential'], { default: 'Full' })),
    local_authorization_list: Type.Array(anyEntry, { maxItems: 10_000 }),
  }),
  call: ({ list_version, update_type = 'Full', local_authorization_list }) =>
    callOf(message, {
      listVersion: list_version,
      updateType: update_type,
      localAuthorizationList: local_authorization_list.map(plain).map(({ idTag, info: given }) => {
        // In a full list the standard wants the information of every entry.
        const info = given ?? (update_type === 'Full' ? { status: 'Accepted' as const } : undefined)
        return { idTag, ...(info === undefined ? {} : { idTagInfo: wireInfo(info) }) }
      }),
    }),
})

function wireInfo({ status, expiry_date, parent_id_tag }: Static<typeof idTagInfo>): IdTagInfo {
  const expiresAt = expiry_date === undefined ? undefined : readTimestamp(expiry_date)
  return {
    status,
    ...(expiresAt === undefined ? {} : { expiryDate: writeTimestamp(expiresAt) }),
    ...(parent_id_tag === undefined ? {} : { parentIdTag: parent_id_tag }),
  }
}
