// What gives lasting access takes a sign-in of the last minutes: where the service asks for one, a dialog does, and what was wanted is done after it.

import { signal } from '@preact/signals'
import { whenSignInAgain } from '../client/api.js'
import { me } from '../client/session.js'
import { Dialog } from '../parts/dialog.js'
import { SignInWays } from './sign-in-ways.js'

const asked = signal<((isSignedIn: boolean) => void) | undefined>(undefined)

whenSignInAgain(async () => {
  const before = me.peek()?.name
  const isSignedIn = await new Promise<boolean>((resolve) => {
    asked.value = resolve
  })
  asked.value = undefined
  // Somebody else has no part in what the first one was about to do.
  return isSignedIn && me.peek()?.name === before
})

export function SignInAgain() {
  const answer = asked.value
  if (answer === undefined) return null
  const now = me.value
  const organizationId = now?.key === null ? now.organization.id : undefined
  return (
    <Dialog title="Sign in again" close={() => answer(false)}>
      <p>This gives lasting access, so it takes a sign-in of the last five minutes.</p>
      <SignInWays done={() => answer(true)} organizationId={organizationId} isAgain />
    </Dialog>
  )
}
