// What is shown where there is no data: while it loads, when there is none, when it could not be read, when it is old, and when it is not theirs.

import './states.css'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ApiError } from '../client/api.js'
import { timeText } from '../client/format.js'
import type { Resource } from '../client/resource.js'
import { me } from '../client/session.js'
import { Button } from './button.js'
import { Icon, type IconName } from './icon.js'

const notAnsweredYet = new ApiError(0, 'not_reached', 'The service has not answered yet.', undefined, undefined)
const slowMs = 8_000

/** Rows in their place, after 150 ms; nothing turns. Who waits for long is told for what. */
export function LoadingState({ rows = 6 }: { readonly rows?: number }) {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), slowMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div class="loading" aria-busy="true">
      <span class={isSlow ? 'slow' : 'only-read'} role="status">
        {isSlow ? notAnsweredYet.message : 'Loading'}
      </span>
      {Array.from({ length: rows }, (_, at) => (
        <div key={at} aria-hidden="true">
          <i />
          <i />
          <i />
        </div>
      ))}
    </div>
  )
}

export interface EmptyStateProps {
  readonly icon?: IconName
  readonly title: string
  /** What to do. */
  readonly children?: ComponentChildren
}

export function EmptyState({ icon = 'info', title, children }: EmptyStateProps) {
  return (
    <div class="state">
      <Icon name={icon} />
      <b>{title}</b>
      {children}
    </div>
  )
}

/** The same for what is another organization's and for what there is not: nobody learns which. */
export function NotHere({ children }: { readonly children?: ComponentChildren }) {
  return (
    <div class="state" data-state="not-here">
      <Icon name="unplug" />
      <h1>Not here</h1>
      <span>There is nothing at this address, or it belongs to another organization.</span>
      {children}
    </div>
  )
}

/** What somebody else of the organization may see. It says the same whatever stands in the address. */
export function NotAllowed({ title, scopes }: { readonly title: string; readonly scopes: readonly string[] }) {
  const { key, member } = me.value ?? {}
  const [named = ''] = scopes
  return (
    <div class="state" data-state="not-allowed">
      <Icon name="lock" />
      <h1>{title}</h1>
      <span>
        {key != null || member == null
          ? `The API key with which you have signed in may not read this page: it lacks the scope ${named}.`
          : `Your role, ${member.role}, may not read this page. ${named === 'read:messages' ? 'An admin or a member may.' : 'An admin may.'}`}
      </span>
    </div>
  )
}

const waits = [2, 4, 8, 16, 30]

export function ErrorState({
  error,
  retry,
  failures = 1,
}: {
  readonly error: ApiError
  readonly retry?: () => void
  /** In a row: the more, the longer until it is tried again. */
  readonly failures?: number
}) {
  const isPassing = error.status === 0 || error.status === 429 || error.status >= 500
  const isRepeated = retry !== undefined && isPassing && error.code !== 'page_failed'
  const seconds = useCountdown(
    isRepeated ? (error.retryAfterSeconds ?? waits[Math.min(failures, waits.length) - 1]) : undefined,
    retry,
    error,
  )
  if (error.status === 404) return <NotHere />
  return (
    <div class="state" role="alert">
      <Icon name="triangle-alert" />
      <b>{error.status === 403 ? 'You may not see this' : 'This could not be read'}</b>
      <span>{error.message}</span>
      <span class="mono">
        {error.status === 0 ? error.code : `${error.status} ${error.code}`}
        {error.requestId !== undefined && `, ${error.requestId}`}
      </span>
      {retry !== undefined && error.status !== 403 && (
        <Button small onClick={retry}>
          {seconds === undefined ? 'Try again' : `Try again, in ${seconds} s`}
        </Button>
      )}
    </div>
  )
}

function useCountdown(from: number | undefined, end: (() => void) | undefined, of: unknown): number | undefined {
  const [left, setLeft] = useState(from)
  useEffect(() => {
    setLeft(from)
    if (from === undefined) return undefined
    const until = performance.now() + from * 1_000
    const timer = setInterval(() => {
      const rest = Math.ceil((until - performance.now()) / 1_000)
      if (rest > 0) setLeft(rest)
      else {
        clearInterval(timer)
        end?.()
      }
    }, 250)
    return () => clearInterval(timer)
  }, [of, from])
  return left
}

/** Above what is shown although newer could not be read. */
export function StaleBanner({
  at,
  error,
  reload,
}: {
  readonly at: number
  readonly error: ApiError
  readonly reload: () => void
}) {
  return (
    <div class="banner" role="status">
      <Icon name="wifi-off" />
      <span>
        What you see is of {timeText(at)}. {error.message}{' '}
        <span class="mono">
          {error.code}
          {error.requestId !== undefined && `, ${error.requestId}`}
        </span>
      </span>
      <Button small onClick={reload}>
        Try again
      </Button>
    </div>
  )
}

/** What a page has asked for, in whichever state it is. */
export function Loaded<Data>({
  of,
  rows,
  children,
}: {
  readonly of: Resource<Data>
  readonly rows?: number
  readonly children: (data: Data) => ComponentChildren
}) {
  const { data, error, isLate, failures, at, reload } = of
  if (data === undefined && error !== undefined) return <ErrorState error={error} retry={reload} failures={failures} />
  if (data === undefined) return <LoadingState {...(rows !== undefined && { rows })} />
  if (error?.status === 404) return <NotHere />
  const told = error ?? (isLate ? notAnsweredYet : undefined)
  return (
    <>
      {told !== undefined && at !== undefined && <StaleBanner at={at} error={told} reload={reload} />}
      <div class={told === undefined ? 'loaded' : 'loaded stale'}>{children(data)}</div>
    </>
  )
}
