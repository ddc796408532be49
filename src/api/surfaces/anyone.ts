// The public surface: nobody is asked who they are. For what watches the service, and for its own description.

import { defineSurface } from '../pipeline/surface.js'
import { numberedPages } from './numbered-pages.js'
import { problem } from './problem.js'

export const anyone = defineSurface({ root: '/', envelope: problem, pages: numberedPages })
