// The page for those who are not signed in.

import './sign-in.css'
import type { OrganizationChoice } from '../client/session.js'
import { Logo } from '../parts/logo.js'
import { SignInWays } from './sign-in-ways.js'

interface SignInOptions {
  readonly ended: boolean
  readonly toChoose: OrganizationChoice | undefined
}

export function SignIn({ ended, toChoose }: SignInOptions) {
  return (
    <main class="sign-in">
      <div class="panel">
        <h1>
          <Logo /> Sign in
        </h1>
        {ended && <p class="note">Your session has ended. After signing in you are back on this page.</p>}
        <SignInWays toChoose={toChoose} />
      </div>
    </main>
  )
}
