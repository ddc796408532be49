// Every route of the area.

import { forgottenPasswordRoutes } from './forgotten-passwords.js'
import { identityRoutes } from './identity.js'
import { loginRoutes } from './login.js'
import { profileRoutes } from './profile.js'
import { signupRoutes } from './signup.js'

export const installerAccountRoutes = [
  ...signupRoutes,
  ...loginRoutes,
  ...forgottenPasswordRoutes,
  ...profileRoutes,
  ...identityRoutes,
]
