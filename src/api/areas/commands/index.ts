// Every route of the area.

import { commandHistoryRoutes } from './command-history.js'
import { commandRoutes as ownRoutes } from './commands.js'
import { waitingCommandRoutes } from './waiting-commands.js'

export const commandRoutes = [...ownRoutes, ...commandHistoryRoutes, ...waitingCommandRoutes]
