// What is shown: the page that signs people in, or the shell around the pages.

import { useState } from 'preact/hooks'
import { loadSession, session } from '../client/session.js'
import { ErrorState } from '../parts/states.js'
import { Toasts } from '../parts/toast.js'
import { hasInvitation, Invitation } from './invitation.js'
import { Shell } from './shell.js'
import { SignIn } from './sign-in.js'
import { SignInAgain } from './sign-in-again.js'

export function App() {
  const now = session.value
  const [isInvited, setInvited] = useState(hasInvitation)
  if (isInvited && now.is !== 'unknown') return <Invitation done={() => setInvited(false)} />
  return (
    <>
      {now.is === 'unknown' && <div class="blank" aria-busy="true" />}
      {now.is === 'signed-out' && <SignIn ended={now.ended} toChoose={now.toChoose} />}
      {now.is === 'not-reached' && (
        <main class="alone">
          <ErrorState error={now.error} retry={() => void loadSession()} />
        </main>
      )}
      {now.is === 'signed-in' && <Shell key={`${now.me.organization.id} ${now.me.name}`} />}
      <SignInAgain />
      <Toasts />
    </>
  )
}
