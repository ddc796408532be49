// Every operator command. A new one is a file of its name and a line here.

export { clearPowerLimit } from './clear-power-limit.js'
export { getDiagnostics } from './get-diagnostics.js'
export { hardReset } from './hard-reset.js'
export { sendLocalList } from './send-local-list.js'
export { setAvailable } from './set-available.js'
export { setPowerLimit } from './set-power-limit.js'
export { setUnavailable } from './set-unavailable.js'
export { softReset } from './soft-reset.js'
export { startSession } from './start-session.js'
export { stopSession } from './stop-session.js'
export { unlockConnector } from './unlock-connector.js'
export { updateFirmware } from './update-firmware.js'
