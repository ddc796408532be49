// Installers as they see themselves.

import { Type } from 'typebox'
import { type Installer, verificationStatusOf } from '../../../records/installer.js'
import { filledLine } from '../../../runtime/fault-words.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'

export const personName = () => Type.String({ minLength: 1, maxLength: 200, ...filledLine })

export const installerFields = {
  installer_id: Type.String(),
  email: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  company: Type.String(),
  phone: nullable(Type.String({ description: 'In the form of E.164, such as +31201234567.' })),
  status: Type.Enum(['active', 'pending_verification']),
  identity_verified: Type.Boolean(),
  terms_accepted_at: nullable(timestamp()),
  created_at: timestamp(),
}

export const installerSchema = named('Installer', installerFields)

export function installerView(row: Installer) {
  const { installer_id, email, first_name, last_name, company, phone, terms, created_at } = row
  return {
    installer_id,
    email,
    first_name,
    last_name,
    company,
    phone: phone ?? null,
    status: 'active' as const,
    identity_verified: verificationStatusOf(row) === 'approved',
    terms_accepted_at: terms?.accepted_at ?? null,
    created_at,
  }
}
