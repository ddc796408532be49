// Every route of the area.

import { search } from './search.js'

export const searchRoutes = [search]
