// The public surface: nobody is asked who they are. For what watches the service, and for its own description.

import { defineSurface } from '../pipeline/surface.js'

export const anyone = defineSurface({})
