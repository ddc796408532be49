// Every route of the area.

import { idTagRoutes as ownRoutes } from './id-tag-routes.js'
import { unknownIdTagRoutes } from './unknown-id-tags.js'

export const idTagRoutes = [...ownRoutes, ...unknownIdTagRoutes]
