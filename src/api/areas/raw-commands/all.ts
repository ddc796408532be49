// Every raw command that has a route of its own. A new one is a file of its name and a line here.

export { cancelReservation } from './cancel-reservation.js'
export { changeAvailability } from './change-availability.js'
export { clearChargingProfile } from './clear-charging-profile.js'
export { remoteStartTransaction } from './remote-start-transaction.js'
export { remoteStopTransaction } from './remote-stop-transaction.js'
export { reserveNow } from './reserve-now.js'
export { reset } from './reset.js'
export { setChargingProfile } from './set-charging-profile.js'
export { triggerMessage } from './trigger-message.js'
