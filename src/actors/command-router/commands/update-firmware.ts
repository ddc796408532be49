// update_firmware: UpdateFirmware, which is answered before anything is downloaded (OCPP 1.6, 5.19).

import { Type } from 'typebox'
import { callOf, updateFirmware as message, readTimestamp, writeTimestamp } from '../../../ocpp16/index.js'
import { defineCommand } from '../define-command.js'
import { dateTime, url } from '../parameters.js'

export const updateFirmware = defineCommand({
  name: 'update_firmware',
  summary: 'Have the charge point download and install firmware',
  parameters: Type.Object({
    firmware_url: url('The address from which the charge point downloads the firmware.'),
    retrieve_date: dateTime('The time from which on the charge point may download it.'),
  }),
  call: ({ firmware_url, retrieve_date }, _chargePoint, now) =>
    callOf(message, {
      location: firmware_url,
      retrieveDate: writeTimestamp(readTimestamp(retrieve_date) ?? now),
    }),
})
