// Data of a page: asked for when the page opens and when what it depends on changes, again every so many seconds where that is wanted, and never
// taken away while newer is on its way. What failed is told beside what is still there.

import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { ApiError } from './api.js'

export interface Resource<Data> {
  /** The newest that there is, also while it is asked for again or has failed. */
  readonly data: Data | undefined
  /** Why the newest attempt has failed. */
  readonly error: ApiError | undefined
  readonly isLoading: boolean
  /** It is waited for longer than usual. */
  readonly isLate: boolean
  /** How many attempts have failed since the last that has not. */
  readonly failures: number
  /** When `data` came, ms of the wall clock. */
  readonly at: number | undefined
  readonly reload: () => void
}

export interface ResourceOptions {
  readonly everySeconds?: number
  /** Nothing is asked for while it is false. */
  readonly enabled?: boolean
}

type State<Data> = Omit<Resource<Data>, 'reload'>

const nothingYet = {
  data: undefined,
  error: undefined,
  failures: 0,
  isLoading: true,
  isLate: false,
  at: undefined,
} as const

/** Longer than answers take, and not as long as they may. */
const lateMs = 15_000

/** `depends` is what `load` uses, as the effects of Preact take it; with others, what was there is dropped. */
export function useResource<Data>(
  load: (signal: AbortSignal) => Promise<Data>,
  depends: readonly unknown[],
  { everySeconds, enabled = true }: ResourceOptions = {},
): Resource<Data> {
  const [state, setState] = useState<State<Data>>(nothingYet)
  const current = useRef<AbortController>(undefined)
  /** One that is slow is waited for, and not asked again: it would never be told that there is no answer. */
  const isAsking = useRef(false)
  const loading = useRef(load)
  loading.current = load

  const fetchNow = useCallback(() => {
    current.current?.abort()
    const abort = new AbortController()
    current.current = abort
    isAsking.current = true
    setState((before) => ({ ...before, isLoading: true, isLate: false }))
    const timer = setTimeout(() => setState((before) => ({ ...before, isLate: true })), lateMs)
    abort.signal.addEventListener('abort', () => clearTimeout(timer))
    loading.current(abort.signal).then(
      (data) => {
        if (abort.signal.aborted) return
        clearTimeout(timer)
        isAsking.current = false
        setState({ data, error: undefined, failures: 0, isLoading: false, isLate: false, at: Date.now() })
      },
      (error: unknown) => {
        if (abort.signal.aborted) return
        clearTimeout(timer)
        isAsking.current = false
        setState((before) => ({
          ...before,
          isLate: false,
          error: asApiError(error),
          failures: before.failures + 1,
          isLoading: false,
        }))
      },
    )
  }, [])

  useEffect(() => {
    if (!enabled) return undefined
    setState(nothingYet)
    fetchNow()
    return () => current.current?.abort()
  }, [...depends, enabled])

  useEffect(() => {
    if (everySeconds === undefined || !enabled) return undefined
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible' && !isAsking.current) fetchNow()
    }, everySeconds * 1_000)
    return () => clearInterval(timer)
  }, [everySeconds, enabled])

  return { ...state, reload: fetchNow }
}

export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  return new ApiError(0, 'page_failed', error instanceof Error ? error.message : String(error), undefined, undefined)
}
