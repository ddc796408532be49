// The commands of "Improved security for OCPP 1.6-J": certificates, logs, signed firmware and extended triggers.

import { createHash, X509Certificate } from 'node:crypto'
import type { Payload } from './call-channel.js'
import { type CommandContext, type CommandHandler, integer, text, trigger } from './commands.js'

interface CertificateHash {
  readonly hashAlgorithm: 'SHA256'
  readonly issuerNameHash: string
  readonly issuerKeyHash: string
  readonly serialNumber: string
}

const sha256 = (value: string | Buffer): string => createHash('sha256').update(value).digest('hex')

function certificateHash(pem: string): CertificateHash {
  const certificate = new X509Certificate(pem)
  return {
    hashAlgorithm: 'SHA256',
    issuerNameHash: sha256(certificate.issuer),
    issuerKeyHash: sha256(certificate.publicKey.export({ type: 'spki', format: 'der' })),
    serialNumber: certificate.serialNumber.slice(0, 40),
  }
}

export function createSecurityCommands(context: CommandContext): Readonly<Record<string, CommandHandler>> {
  const installed: { readonly type: string; readonly hash: CertificateHash }[] = []

  function isCertificate(pem: string): boolean {
    try {
      certificateHash(pem)
      return true
    } catch {
      return false
    }
  }

  /** By its own clock. */
  function isValid(pem: string): boolean {
    if (!isCertificate(pem)) return false
    const { validFrom, validTo } = new X509Certificate(pem)
    return Date.parse(validFrom) <= context.now() && context.now() <= Date.parse(validTo)
  }

  return {
    InstallCertificate(payload) {
      const pem = text(payload, 'certificate')
      if (!isCertificate(pem)) return { status: 'Rejected' }
      installed.push({ type: text(payload, 'certificateType'), hash: certificateHash(pem) })
      return { status: 'Accepted' }
    },
    GetInstalledCertificateIds(payload) {
      const type = text(payload, 'certificateType')
      const found = installed.filter((entry) => entry.type === type).map((entry) => entry.hash)
      return found.length > 0 ? { status: 'Accepted', certificateHashData: found } : { status: 'NotFound' }
    },
    DeleteCertificate(payload) {
      const wanted = payload.certificateHashData as Partial<CertificateHash> | undefined
      const at = installed.findIndex((entry) => entry.hash.serialNumber === wanted?.serialNumber)
      if (at === -1) return { status: 'NotFound' }
      installed.splice(at, 1)
      return { status: 'Accepted' }
    },
    CertificateSigned: (payload) => ({
      status: isValid(text(payload, 'certificateChain')) ? 'Accepted' : 'Rejected',
    }),
    GetLog(payload) {
      const requestId = integer(payload, 'requestId')
      const logType = text(payload, 'logType')
      context.later(() => context.uploadDiagnostics(requestId))
      return { status: 'Accepted', filename: `${logType}-${requestId}.log` }
    },
    SignedUpdateFirmware(payload) {
      const firmware = (payload.firmware ?? {}) as Payload
      const requestId = integer(payload, 'requestId')
      const location = text(firmware, 'location')
      const retrieveAt = Date.parse(text(firmware, 'retrieveDateTime'))
      if (!isCertificate(text(firmware, 'signingCertificate'))) return { status: 'InvalidCertificate' }
      context.later(() => context.updateFirmware(location, retrieveAt, requestId))
      return { status: 'Accepted' }
    },
    ExtendedTriggerMessage(payload) {
      const requested = text(payload, 'requestedMessage')
      if (requested === 'SignChargePointCertificate') {
        context.later(context.signCertificate)
        return { status: 'Accepted' }
      }
      if (requested === 'LogStatusNotification') {
        const message = { action: 'LogStatusNotification', payload: () => ({ status: 'Idle' }) }
        context.later(() => context.outbox.urgent(message))
        return { status: 'Accepted' }
      }
      if (requested === 'FirmwareStatusNotification') {
        const payloadOf = () => ({ status: context.firmwareStatus() })
        const message = { action: 'SignedFirmwareStatusNotification', payload: payloadOf }
        context.later(() => context.outbox.urgent(message))
        return { status: 'Accepted' }
      }
      return { status: trigger(context, payload) }
    },
  }
}
