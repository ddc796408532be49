// Every route of the area.

import { captureRoutes } from './capture-routes.js'
import { messageRoutes as ofMessages } from './message-routes.js'

export const messageRoutes = [...ofMessages, ...captureRoutes]
