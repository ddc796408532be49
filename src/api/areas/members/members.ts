// How a member is shown.

import { Type } from 'typebox'
import { type Member, roles } from '../../../records/member.js'
import { timestamp } from '../../pipeline/schemas.js'

export const memberFields = {
  user_id: Type.String(),
  email: Type.String(),
  name: Type.String(),
  role: Type.Enum([...roles]),
  joined_at: timestamp(),
}

export function memberView({ user_id, email, name, role, joined_at }: Member) {
  return { user_id, email, name, role, joined_at }
}
