// The way of a charge point to a higher security profile, in the words of the field: its steps, and what to do where it has failed.

import type { Schema } from '../../client/api.js'
import { hasFeature } from '../../client/session.js'
import type { State } from './here.js'

export type Standing = Schema<'ChargePointSecurityProfile'>
export type UpgradeStep = Standing['steps'][number]

const titles: Readonly<Record<UpgradeStep['name'], (profile: number) => string>> = {
  authorization_key: () => 'It is sent a password',
  authority_certificate: () => 'It is sent the certificate of the authority of the service',
  client_certificate: () => 'It requests a certificate, and installs it',
  security_profile: (profile) => `It is told to use profile ${profile}`,
  reconnection: (profile) => `It comes back with profile ${profile}`,
}

export const titleOfStep = ({ name, security_profile }: UpgradeStep): string => titles[name](security_profile)

const remedies: Readonly<Record<NonNullable<Standing['reason']>, string>> = {
  refused:
    'The charger has refused this step. See in its messages what it has answered, ask its maker whether it can do it, and begin again.',
  no_answer: 'It has answered none of three times. Test its connection, and begin again.',
  no_certificate:
    'No good request for a certificate has come from it. The alerts say why one was refused. Put that right, and begin again.',
  certificates_revoked:
    'All its certificates were revoked before it came with one. Begin again when it may have a new one.',
  too_many_keys: 'Too many passwords wait for it to connect with one of them. Make a new one, and begin again.',
  deadline:
    'It has not come in the new way in time. What it was given stays good, so that it may still come. See how it is set up at the charger itself, and begin again.',
}

/** Of an upgrade that has failed. */
export function remedyOf({ reason, step }: Standing): string {
  if (reason === 'refused' && step === 'authority_certificate')
    return 'Some refuse a certificate that they have already. If it trusts the service, begin again without sending it.'
  return reason === null ? '' : remedies[reason]
}

/** The profiles that it can be taken to: a service with TLS has 2 and 3, one without has 1 alone. Why there is none, otherwise. */
export function higherProfiles({ over_tls, security_profile }: State): readonly number[] | string {
  const now = security_profile ?? 0
  if (now === 3) return 'It is at the highest profile.'
  const served = over_tls === true ? (hasFeature('certificates') ? [2, 3] : [2]) : [1]
  const higher = served.filter((profile) => profile > now)
  if (higher.length > 0) return higher
  return over_tls === true
    ? 'Profile 3 needs certificates, which this installation does not issue.'
    : 'Profiles 2 and 3 need TLS, which the service does not see here: it has none of its own.'
}
