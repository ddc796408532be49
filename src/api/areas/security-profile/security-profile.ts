// The security profile of a charge point: which it has, and its way to a higher one (security whitepaper, A05).

import { Type } from 'typebox'
import { chargePointAddress } from '../../../actors/charge-point/messages.js'
import type { BeginUpgradeMessage, BeginUpgradeReply } from '../../../actors/charge-point/security-upgrade-messages.js'
import { chargePointOffline } from '../../../actors/command-router/errors.js'
import { installedCertificateCharacters } from '../../../ocpp16/index.js'
import type { HigherProfile } from '../../../records/security-upgrade.js'
import { notFound, overloaded } from '../../../runtime/errors.js'
import { askActor } from '../../pipeline/ask-actor.js'
import type { Services } from '../../pipeline/services.js'
import { principalName } from '../../surfaces/principal.js'
import { noAuthority } from '../certificates/errors.js'
import { area, chargePoints } from '../charge-points/area.js'
import {
  securityProfileDowngrade,
  securityProfileNotServed,
  securityProfileReached,
  securityUpgradeRunning,
} from './errors.js'
import { securityProfileSchema, securityProfileView, upgradeView } from './upgrade-view.js'

const path = '/chargepoints/{charge_point_id}/security-profile'

const getSecurityProfile = area.get(path, {
  operationId: 'getChargePointSecurityProfile',
  summary: 'Get the security profile of a charge point, and how far it is on its way to a higher one',
  description: 'Asks the charge point nothing.',
  of: chargePoints,
  answer: securityProfileSchema,
  read: ({ row }, services) => securityProfileView(services, row),
})

const raiseSecurityProfile = area.route({
  method: 'POST',
  path,
  operationId: 'raiseChargePointSecurityProfile',
  summary: 'Take a charge point to a higher security profile',
  description:
    'Sends the charge point, one after the other, a password (for 1 and 2), the certificate of the authority of the service (for 2 and 3), the question for a ' +
    'certificate request (for 3), and the SecurityProfile key, and waits until it has come back with the profile. A charge point that does not come back by itself within a minute is ' +
    'restarted, when no session runs. From 0 to 3, it comes by 2. The way goes on after restarts of the charge point and of the service. Until the charge point has come in the ' +
    'new way it can connect as before; from then on it can not. If it has refused a step, or has not come within 24 hours, the upgrade has failed, and the charge point can connect as before.',
  of: chargePoints,
  body: Type.Object({
    security_profile: Type.Integer({ minimum: 1, maximum: 3 }),
    install_authority: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          'Whether the charge point is sent the certificate of the authority of the service. Some refuse one that they have already.',
      }),
    ),
  }),
  responses: { 202: securityProfileSchema },
  errors: [
    securityProfileDowngrade,
    securityProfileReached,
    securityProfileNotServed,
    securityUpgradeRunning,
    noAuthority,
    chargePointOffline,
    overloaded,
  ],
  sheddable: 'command',
  examples: { certificate: { security_profile: 3 }, password: { security_profile: 1 } },
  async handle({ row, principal, body }, services) {
    const { charge_point_id: chargePointId, organization_id } = row
    const extras = { chargePointId }
    const to = body.security_profile as HigherProfile
    requireServed(to, services, extras)
    const message: BeginUpgradeMessage = {
      type: 'begin-security-upgrade',
      upgradeId: services.newId('sup'),
      organizationId: organization_id,
      to,
      begunBy: principalName(principal),
      authority: body.install_authority === false ? { none: 'It was left out as requested.' } : authorityOf(services),
    }
    const reply = (await askActor(services, chargePointAddress(chargePointId), message)) as BeginUpgradeReply
    switch (reply.type) {
      case 'begun':
        return { status: 202, body: upgradeView(services, row, reply.upgrade) }
      case 'running':
        throw securityUpgradeRunning('the charge point is on its way to a higher security profile', extras)
      case 'reached':
        if (reply.securityProfile > to)
          throw securityProfileDowngrade(
            `the charge point connects with security profile ${reply.securityProfile}; it is not lowered over OCPP`,
            extras,
          )
        throw securityProfileReached(`the charge point connects with security profile ${to} already`, extras)
      case 'offline':
        throw chargePointOffline('the charge point is not connected', extras)
      case 'unknown':
        throw notFound('there is no such charge point', extras)
    }
  },
})

/** Throws `security_profile_not_served` and `no_authority`. */
function requireServed(to: HigherProfile, { config }: Services, extras: { readonly chargePointId: string }): void {
  const { tls, issuesCertificates } = config.security
  if (to === 1 && tls)
    throw securityProfileNotServed(
      'the service has TLS: a charge point with security profile 1 could not connect',
      extras,
    )
  if (to > 1 && !tls)
    throw securityProfileNotServed(
      'the service has no TLS of its own (--tls-key-file, --tls-certificate-file): it cannot see more than security profile 1',
      extras,
    )
  if (to === 3 && !issuesCertificates)
    throw noAuthority('the service cannot issue certificates: set --client-ca-key-file', extras)
}

function authorityOf({ config, log }: Services): BeginUpgradeMessage['authority'] {
  try {
    const pem = config.security.authority()
    if (pem === undefined) return { none: 'The service has no certificate of its authority: see --tls-authority-file.' }
    const isTooLong = pem.length > installedCertificateCharacters
    return isTooLong ? { none: 'The certificate of the authority is too long for OCPP.' } : { pem }
  } catch (error) {
    log.error({ error }, 'the certificate of the authority of the listener could not be read')
    return { none: 'The certificate of the authority could not be read: see the log of the service.' }
  }
}

export const securityProfileRoutes = [getSecurityProfile, raiseSecurityProfile]
