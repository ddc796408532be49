// Every operator command, by name. A new one is one file and one line here.

import type { OperatorCommand } from '../define-command.js'
import { clearPowerLimit } from './clear-power-limit.js'
import { getDiagnostics } from './get-diagnostics.js'
import { hardReset } from './hard-reset.js'
import { sendLocalList } from './send-local-list.js'
import { setAvailable } from './set-available.js'
import { setPowerLimit } from './set-power-limit.js'
import { setUnavailable } from './set-unavailable.js'
import { softReset } from './soft-reset.js'
import { startSession } from './start-session.js'
import { stopSession } from './stop-session.js'
import { unlockConnector } from './unlock-connector.js'
import { updateFirmware } from './update-firmware.js'

export const operatorCommands: ReadonlyMap<string, OperatorCommand> = new Map(
  [
    startSession,
    stopSession,
    setAvailable,
    setUnavailable,
    softReset,
    hardReset,
    setPowerLimit,
    clearPowerLimit,
    unlockConnector,
    updateFirmware,
    getDiagnostics,
    sendLocalList,
  ].map((command) => [command.name, command]),
)
