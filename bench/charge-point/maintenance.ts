// What a charge point does in the background after UpdateFirmware, GetDiagnostics and the like: the statuses that it
// reports on the way (OCPP 1.6, 4.4 and 4.5). No file is really fetched or sent.

import type { Connectors } from './connectors.js'
import type { Outbox } from './outbox.js'
import type { Timetable, TimetableEntry } from './timetable.js'

export interface MaintenanceOptions {
  readonly outbox: Outbox
  readonly timetable: Timetable
  readonly connectors: Connectors
  /** A PKCS#10 request in PEM. */
  readonly certificateRequest: () => Promise<string>
  readonly now: () => number
  /** How long each stage takes. */
  readonly stageMs: number
  /** Firmware is in place: reboot into it. */
  readonly installed: (firmwareVersion: string) => void
  readonly currentVersion: () => string
}

export interface Maintenance {
  firmwareStatus(): string
  updateFirmware(location: string, retrieveAt: number, signedRequestId?: number): void
  uploadDiagnostics(logRequestId?: number): void
  /** Makes a key pair and asks for its certificate. */
  signCertificate(): void
  halt(): void
}

/** The version named by a firmware's location, or the next patch of the present one. */
export function nextVersion(location: string, current: string): string {
  const named = /\d+(?:\.\d+)+/.exec(location.slice(location.lastIndexOf('/') + 1))?.[0]
  if (named !== undefined) return named
  const parts = current.split('.')
  return [...parts.slice(0, -1), String(Number(parts.at(-1)) + 1)].join('.')
}

export function createMaintenance(options: MaintenanceOptions): Maintenance {
  const { outbox, timetable, stageMs } = options
  let firmware = 'Idle'
  let timer: TimetableEntry | undefined
  let upload: TimetableEntry | undefined

  function updateFirmware(location: string, retrieveAt: number, signedRequestId?: number): void {
    const report = (status: string): void => {
      firmware = status
      if (signedRequestId === undefined) {
        outbox.ordinary({ action: 'FirmwareStatusNotification', payload: () => ({ status }) })
      } else {
        const payload = () => ({ status, requestId: signedRequestId })
        outbox.ordinary({ action: 'SignedFirmwareStatusNotification', payload })
      }
    }
    const after = (delayMs: number, task: () => void): void => {
      timer = timetable.after(delayMs, task)
    }
    const install = (): void => {
      // Drivers come first: a transaction is never cut for an update.
      if (options.connectors.all.some((connector) => connector.transaction)) {
        after(stageMs, install)
        return
      }
      report('Installing')
      after(stageMs, () => {
        report('Installed')
        after(stageMs, () => {
          firmware = 'Idle'
          options.installed(nextVersion(location, options.currentVersion()))
        })
      })
    }
    timetable.cancel(timer)
    const delayMs = Number.isFinite(retrieveAt) ? Math.max(0, retrieveAt - options.now()) : 0
    after(delayMs, () => {
      report('Downloading')
      after(stageMs, () => {
        report('Downloaded')
        if (signedRequestId !== undefined) report('SignatureVerified')
        after(stageMs, install)
      })
    })
  }

  function uploadDiagnostics(logRequestId?: number): void {
    const action = logRequestId === undefined ? 'DiagnosticsStatusNotification' : 'LogStatusNotification'
    const report = (status: string): void => {
      const payload = () => (logRequestId === undefined ? { status } : { status, requestId: logRequestId })
      outbox.ordinary({ action, payload })
    }
    timetable.cancel(upload)
    report('Uploading')
    upload = timetable.after(stageMs, () => report('Uploaded'))
  }

  return {
    firmwareStatus: () => firmware,
    updateFirmware,
    uploadDiagnostics,
    signCertificate() {
      options.certificateRequest().then(
        (csr) => outbox.ordinary({ action: 'SignCertificate', payload: () => ({ csr }) }),
        () => undefined,
      )
    },
    halt() {
      timetable.cancel(timer)
      timetable.cancel(upload)
    },
  }
}
