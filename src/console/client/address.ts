// What a page shows stands in its address, so that a link shows a colleague the same: the query as values that a page reads and sets.

import { useCallback, useMemo } from 'preact/hooks'
import { useLocation, useSearch } from 'wouter-preact'

/** One value of the query; undefined, or empty, takes it out. A change is an entry of the history only where `push` says so. */
export function useQuery(
  name: string,
): readonly [value: string | undefined, set: (value: string | undefined, push?: boolean) => void] {
  const search = useSearch()
  const [location, navigate] = useLocation()
  const value = useMemo(() => new URLSearchParams(search).get(name) ?? undefined, [search, name])
  const set = useCallback(
    (next: string | undefined, push = false) => {
      const query = new URLSearchParams(window.location.search)
      if (next === undefined || next === '') query.delete(name)
      else query.set(name, next)
      const text = query.toString()
      navigate(text === '' ? location : `${location}?${text}`, { replace: !push })
    },
    [location, name, navigate],
  )
  return [value, set]
}
