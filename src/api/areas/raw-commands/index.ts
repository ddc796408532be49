// Every route of the area.

import * as actions from './all.js'
import { sendCommand } from './send-command.js'

export const rawCommandRoutes = [sendCommand, ...Object.values(actions)]
