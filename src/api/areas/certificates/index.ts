// Every route of the folder: those of a charge point belong to the area of charge points, and what everybody may read to an area of its own.

import { certificateRoutes as ofChargePoints } from './certificates.js'
import { authorityRoutes } from './published-authority.js'

export const certificateRoutes = [...ofChargePoints, ...authorityRoutes]
