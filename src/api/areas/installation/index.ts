// Every route of the area.

import { clockRoutes } from './clock-routes.js'
import { loadRunRoutes } from './load-run-routes.js'
import { seriesRoutes } from './series-routes.js'

export const installationRoutes = [...seriesRoutes, ...loadRunRoutes, ...clockRoutes]
