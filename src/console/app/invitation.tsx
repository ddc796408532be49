// Where the link of an invitation leads: its reader becomes a member, and is signed in. The token stands behind the # of the address, which no server is
// sent, and leaves the address at once.

import './sign-in.css'
import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { signIn } from '../client/session.js'
import { Button } from '../parts/button.js'
import { Field } from '../parts/field.js'
import { Logo } from '../parts/logo.js'
import { useAttempt } from './sign-in-ways.js'

export const invitationPath = '/invitation'

/** Once: it is not left in the history. */
const token = takeToken()

function takeToken(): string | undefined {
  if (!location.pathname.endsWith(invitationPath)) return undefined
  const found = new URLSearchParams(location.hash.slice(1)).get('token') ?? undefined
  if (found !== undefined) history.replaceState(null, '', location.pathname)
  return found
}

export const hasInvitation = token !== undefined

export function Invitation({ done }: { readonly done: () => void }) {
  const [, navigate] = useLocation()
  const [name, setName] = useState('')
  const { isBusy, attempt, error } = useAttempt('')
  return (
    <main class="sign-in">
      <form
        class="panel"
        onSubmit={(event) => {
          event.preventDefault()
          void attempt(async () => {
            await signIn({ invitation: token, ...(name.trim() !== '' && { name: name.trim() }) })
            done()
            navigate('/account', { replace: true })
          })
        }}
      >
        <h1>
          <Logo /> You are invited
        </h1>
        <p>
          Enter your name, as your colleagues will see it. You become a member of the organization and are signed in.
        </p>
        <Field label="Your name" name="name" value={name} onChange={setName} autocomplete="name" required autofocus />
        {error !== undefined && (
          <p class="wrong" role="alert">
            {error}
          </p>
        )}
        <Button type="submit" kind="primary" disabled={isBusy || name.trim() === ''}>
          Accept the invitation
        </Button>
        <Button
          kind="ghost"
          onClick={() => {
            done()
            navigate('/', { replace: true })
          }}
        >
          Sign in instead
        </Button>
      </form>
    </main>
  )
}
