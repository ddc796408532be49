// Id tags as callers see them, and how what they send is stored.

import { Type } from 'typebox'
import { type IdTag, idTagStatuses } from '../../../records/id-tag.js'
import { idTagText, named, nullable, timestamp } from '../../pipeline/schemas.js'
import { formatTimestamp, parseTimestamp } from '../../pipeline/timestamp.js'

export const fields = {
  status: Type.Enum([...idTagStatuses], { default: 'Accepted' }),
  parent_id_tag: nullable(idTagText()),
  expiry_date: nullable(timestamp()),
  label: nullable(Type.String({ maxLength: 200 })),
}

export const idTagSchema = named('IdTag', {
  id_tag: Type.String(),
  status: Type.Enum([...idTagStatuses]),
  parent_id_tag: nullable(Type.String()),
  expiry_date: nullable(timestamp()),
  label: nullable(Type.String()),
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
