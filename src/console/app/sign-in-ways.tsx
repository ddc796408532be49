// The ways in, as this installation has them: a passkey, a code by mail, an API key. Nothing that is entered here is kept by the page.

import './sign-in.css'
import { useState } from 'preact/hooks'
import { type ApiError, request } from '../client/api.js'
import { canUsePasskeys, signWithPasskey } from '../client/passkeys.js'
import { asApiError, useResource } from '../client/resource.js'
import { type OrganizationChoice, signIn } from '../client/session.js'
import { Button } from '../parts/button.js'
import { Field } from '../parts/field.js'
import { ErrorState } from '../parts/states.js'

type Way = 'api_key' | 'passkey' | 'code' | 'single_sign_on'

interface WaysIn {
  readonly name: string
  readonly ways: readonly Way[]
  /** The name of the identity provider. */
  readonly provider?: string | null
}

export function signInText({ status, code, message, retryAfterSeconds }: ApiError, wrong: string): string {
  if (status === 401) return wrong
  if (status === 429) return `Too many attempts. Try again in ${retryAfterSeconds ?? 60} s.`
  return status === 0 ? message : `${message} (${code})`
}

/** What is tried, whether it is under way, and why it has failed. */
export function useAttempt(wrong: string) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  async function attempt(work: () => Promise<unknown>): Promise<void> {
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      await work()
    } catch (failure) {
      setError(signInText(asApiError(failure), wrong))
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, error, attempt, ...(error !== undefined && { shown: { error } }) }
}

interface SignInWaysOptions {
  readonly done?: () => void
  /** Of several organizations, this one. */
  readonly organizationId?: string | undefined
  /** What a single sign-on has left to be chosen. */
  readonly toChoose?: OrganizationChoice | undefined
  /** Somebody who is signed in shows once more who they are. */
  readonly isAgain?: boolean
}

export function SignInWays({ done, organizationId, toChoose, isAgain = false }: SignInWaysOptions) {
  const {
    data: known,
    error,
    failures,
    reload,
  } = useResource(() => request<WaysIn>('GET', '/api/v1/console/ways-in'), [])
  const [choice, setChoice] = useState(toChoose)
  const enter = async (by: Readonly<Record<string, unknown>>): Promise<void> => {
    const wanted = organizationId === undefined || 'api_key' in by ? {} : { organization_id: organizationId }
    const several = await signIn({ ...wanted, ...by })
    setChoice(several)
    if (several === undefined) done?.()
  }
  if (choice !== undefined) return <Choose choice={choice} enter={enter} back={() => setChoice(undefined)} />
  if (known === undefined) {
    if (error !== undefined) return <ErrorState error={error} failures={failures} retry={reload} />
    return <div class="waiting" aria-busy="true" />
  }
  const ways = known.ways.filter((way) => way !== 'passkey' || canUsePasskeys())
  const isAlone = ways.length === 1
  return (
    <div class="ways">
      {ways.includes('passkey') && <ByPasskey enter={enter} />}
      {ways.includes('single_sign_on') && (
        <ByProvider name={known.provider ?? 'your organization'} isAgain={isAgain} organizationId={organizationId} />
      )}
      {ways.includes('code') && <ByCode enter={enter} />}
      {!ways.includes('code') && !ways.includes('single_sign_on') && (
        <p class="dim">
          Members sign in with a passkey here, as this installation sends no codes by mail.{' '}
          {canUsePasskeys()
            ? 'An admin removes whoever has none from the team, and invites them again.'
            : 'Browsers have passkeys for names alone: open the console under a name, such as localhost, and with https from elsewhere.'}
        </p>
      )}
      {isAlone ? (
        <ByKey enter={enter} autofocus />
      ) : (
        <details>
          <summary>Sign in with an API key</summary>
          <ByKey enter={enter} />
        </details>
      )}
    </div>
  )
}

interface Entrance {
  readonly enter: (by: Readonly<Record<string, unknown>>) => Promise<void>
}

interface ChooseOptions extends Entrance {
  readonly choice: OrganizationChoice
  readonly back: () => void
}

function Choose({ choice: { choice, organizations }, enter, back }: ChooseOptions) {
  const { isBusy, error, attempt } = useAttempt('This took too long. Sign in again.')
  return (
    <div class="way">
      <p>You are a member of several organizations. Choose the one to sign in to.</p>
      {organizations.map(({ id, name, role }) => (
        <Button
          key={id}
          icon="building"
          disabled={isBusy}
          onClick={() => void attempt(() => enter({ choice, organization_id: id }))}
        >
          {`${name} (${role})`}
        </Button>
      ))}
      <Button kind="ghost" onClick={back}>
        Sign in as somebody else
      </Button>
      {error !== undefined && (
        <p class="wrong" role="alert">
          {error}
        </p>
      )}
    </div>
  )
}

function ByPasskey({ enter }: Entrance) {
  const { isBusy, error, attempt } = useAttempt('This passkey is not known here.')
  return (
    <div class="way">
      <Button
        kind="primary"
        icon="fingerprint-pattern"
        disabled={isBusy}
        onClick={() => void attempt(async () => enter({ passkey: await signWithPasskey() }))}
      >
        Sign in with a passkey
      </Button>
      {error !== undefined && (
        <p class="wrong" role="alert">
          {error}
        </p>
      )}
    </div>
  )
}

/** What the browser has to bring back: for this tab alone, until it does. */
const attemptKey = 'ampshard-single-sign-on'

interface Attempt {
  readonly attempt: string
  /** Where its reader was about to go. */
  readonly path: string
  readonly isAgain: boolean
  readonly organizationId?: string | undefined
}

interface ByProviderOptions extends Pick<Attempt, 'isAgain' | 'organizationId'> {
  readonly name: string
}

function ByProvider({ name, isAgain, organizationId }: ByProviderOptions) {
  const { isBusy, error, attempt } = useAttempt('')
  return (
    <div class="way">
      <Button
        icon="building"
        disabled={isBusy}
        onClick={() =>
          void attempt(async () => {
            const { url, ...begun } = await request<{ url: string; attempt: string }>(
              'POST',
              '/api/v1/console/single-sign-on',
              { again: isAgain },
            )
            const path = location.pathname + location.search
            const kept: Attempt = { ...begun, path, isAgain, organizationId }
            sessionStorage.setItem(attemptKey, JSON.stringify(kept))
            location.assign(url)
          })
        }
      >
        {`Sign in with ${name}`}
      </Button>
      {error !== undefined && (
        <p class="wrong" role="alert">
          {error}
        </p>
      )}
    </div>
  )
}

export interface Returned extends Pick<Attempt, 'path' | 'isAgain'> {
  /** As POST /console/session takes it. */
  readonly by: Readonly<Record<string, unknown>>
}

/** What the identity provider has sent the browser back with, once: it leaves the address at once. */
export function takeReturned(): Returned | undefined {
  if (!location.pathname.endsWith('/signed-in')) return undefined
  const kept = sessionStorage.getItem(attemptKey)
  const query = location.search.slice(1)
  sessionStorage.removeItem(attemptKey)
  history.replaceState(null, '', '/console')
  if (kept === null || query === '') return undefined
  const { attempt, path, isAgain, organizationId } = JSON.parse(kept) as Attempt
  return { by: { single_sign_on: { attempt, query }, organization_id: organizationId }, path, isAgain }
}

function ByCode({ enter }: Entrance) {
  const [email, setEmail] = useState('')
  const [code, setCode] = useState('')
  const [asked, setAsked] = useState<string>()
  const sending = useAttempt('')
  const entering = useAttempt('This code is not valid: it is wrong, was used, or is older than 10 minutes.')

  async function send(event: Event): Promise<void> {
    event.preventDefault()
    await sending.attempt(async () => {
      const { code_id } = await request<{ code_id: string }>('POST', '/api/v1/console/codes', { email: email.trim() })
      setCode('')
      setAsked(code_id)
    })
  }

  if (asked === undefined)
    return (
      <form class="way" onSubmit={(event) => void send(event)}>
        <Field
          label="Email address"
          name="email"
          type="email"
          value={email}
          onChange={setEmail}
          autocomplete="username"
          required
          {...sending.shown}
        />
        <Button type="submit" icon="mail" disabled={sending.isBusy || email.trim() === ''}>
          Mail me a code
        </Button>
      </form>
    )
  return (
    <form
      class="way"
      onSubmit={(event) => {
        event.preventDefault()
        void entering.attempt(() => enter({ code_id: asked, code: code.trim() }))
      }}
    >
      <Field
        label="Code"
        name="code"
        value={code}
        onChange={setCode}
        inputmode="numeric"
        autocomplete="one-time-code"
        required
        autofocus
        mono
        hint={`If ${email.trim()} belongs to a member, six digits are on their way there. They are good for 10 minutes.`}
        {...entering.shown}
      />
      <Button type="submit" kind="primary" disabled={entering.isBusy || code.replaceAll(' ', '').length !== 6}>
        Sign in with the code
      </Button>
      <Button kind="ghost" onClick={() => setAsked(undefined)}>
        Use another address, or ask for another code
      </Button>
    </form>
  )
}

function ByKey({ enter, autofocus = false }: Entrance & { readonly autofocus?: boolean }) {
  const [key, setKey] = useState('')
  const { isBusy, attempt, shown } = useAttempt('This key is not valid. Keys are shown once, when they are made.')
  return (
    <form
      class="way"
      onSubmit={(event) => {
        event.preventDefault()
        void attempt(() => enter({ api_key: key.trim() }))
      }}
    >
      <Field
        label="API key"
        name="api_key"
        type="password"
        value={key}
        onChange={setKey}
        autocomplete="off"
        required
        autofocus={autofocus}
        {...shown}
        hint="The first key is printed when the service starts for the first time. The key is exchanged for a session and not kept here."
      />
      <Button type="submit" kind="primary" disabled={isBusy || key.trim() === ''}>
        {isBusy ? 'Signing in…' : 'Sign in'}
      </Button>
    </form>
  )
}
