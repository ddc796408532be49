// Where the link of an invitation leads: its reader becomes a member, and is signed in. The token stands behind the # of the address, which no server is
// sent, and leaves the address at once. Without one it is entered: a mail that knows no address of the console has the token alone.

import './sign-in.css'
import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { signIn } from '../client/session.js'
import { Button } from '../parts/button.js'
import { Field } from '../parts/field.js'
import { Logo } from '../parts/logo.js'
import { useAttempt } from './sign-in-ways.js'

export const invitationPath = '/invitation'

const isHere = location.pathname.endsWith(invitationPath)

/** Once: it is not left in the history. */
const tokenOfLink = takeToken()

function takeToken(): string | undefined {
  if (!isHere) return undefined
  const found = new URLSearchParams(location.hash.slice(1)).get('token') ?? undefined
  if (found !== undefined) history.replaceState(null, '', location.pathname)
  return found
}

export const hasInvitation = isHere

/** Of a token, or of the whole link that it stands in. */
const tokenIn = (text: string): string => (/#token=([^&\s]+)/.exec(text)?.[1] ?? text).trim()

export function Invitation({ done }: { readonly done: () => void }) {
  const [, navigate] = useLocation()
  const [name, setName] = useState('')
  const [token, setToken] = useState(tokenOfLink ?? '')
  const { isBusy, attempt, error } = useAttempt('')
  return (
    <main class="sign-in">
      <form
        class="panel"
        onSubmit={(event) => {
          event.preventDefault()
          void attempt(async () => {
            await signIn({ invitation: tokenIn(token), ...(name.trim() !== '' && { name: name.trim() }) })
            done()
            navigate('/account', { replace: true })
          })
        }}
      >
        <h1>
          <Logo /> You are invited
        </h1>
        <p>
          {tokenOfLink === undefined && 'Enter the token from the mail that you got. '}Enter your name, as your
          colleagues will see it. You become a member of the organization and are signed in.
        </p>
        {tokenOfLink === undefined && (
          <Field
            label="Token"
            name="token"
            value={token}
            onChange={setToken}
            autocomplete="off"
            required
            autofocus
            mono
          />
        )}
        <Field
          label="Your name"
          name="name"
          value={name}
          onChange={setName}
          autocomplete="name"
          required
          autofocus={tokenOfLink !== undefined}
        />
        {error !== undefined && (
          <p class="wrong" role="alert">
            {error}
          </p>
        )}
        <Button type="submit" kind="primary" disabled={isBusy || name.trim() === '' || token.trim() === ''}>
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
