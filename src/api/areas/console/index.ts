// Every route of the area.

import { codeRoutes } from './codes.js'
import { passkeyRoutes } from './passkeys.js'
import { signInRoutes } from './session-routes.js'
import { sessionRoutes } from './sessions.js'
import { singleSignOnRoutes } from './single-sign-on.js'
import { wayRoutes } from './ways.js'

export const consoleRoutes = [
  ...wayRoutes,
  ...codeRoutes,
  ...signInRoutes,
  ...sessionRoutes,
  ...passkeyRoutes,
  ...singleSignOnRoutes,
]
