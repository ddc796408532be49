// Id tags as callers see them, and how what they send is stored.

import { Type } from 'typebox'
import { type IdTag, idTagStatuses } from '../../../records/id-tag.js'
import { line } from '../../../runtime/fault-words.js'
import { idTagText, named, nullable, timestamp } from '../../pipeline/schemas.js'
import { formatTimestamp, parseTimestamp } from '../../pipeline/timestamp.js'

const words = {
  status: 'The answer that charge points get when the tag is presented: only `Accepted` may charge (OCPP 1.6, 7.2).',
  parent:
    "The group of the tag: tags with the same parent may stop each other's sessions and use each other's reservations. null means that the tag is in no group.",
  expiry: 'The time from which an `Accepted` tag is answered as `Expired`. null means never.',
  label: 'Your own name for the tag. Charge points do not get it.',
}

export const fields = {
  status: Type.Enum([...idTagStatuses], { default: 'Accepted', description: words.status }),
  /** Of a tag that is there: it keeps its own unless another is sent. */
  changedStatus: Type.Enum([...idTagStatuses], { description: words.status }),
  parent_id_tag: nullable(idTagText(words.parent)),
  expiry_date: nullable(timestamp(words.expiry)),
  label: nullable(Type.String({ maxLength: 200, ...line, description: words.label })),
}

export const idTagSchema = named('IdTag', {
  id_tag: Type.String(),
  status: Type.Enum([...idTagStatuses], { description: words.status }),
  parent_id_tag: nullable(Type.String({ description: words.parent })),
  expiry_date: nullable(timestamp(words.expiry)),
  label: nullable(Type.String({ description: words.label })),
  created_at: timestamp(),
  updated_at: timestamp(),
})

export function idTagView(row: IdTag) {
  return {
    id_tag: row.id_tag,
    status: row.status,
    parent_id_tag: row.parent_id_tag ?? null,
    expiry_date: row.expiry_date ?? null,
    label: row.label ?? null,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

export const storedTime = (time: string | null | undefined): string | null | undefined =>
  time ? formatTimestamp(parseTimestamp(time) ?? 0) : time
