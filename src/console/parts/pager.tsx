// Which page of a list of the service is shown, and the way to its neighbours. The number stands in the address.

import './pager.css'
import { useQuery } from '../client/address.js'
import { numberText } from '../client/format.js'
import { Button } from './button.js'

/** Counts from 1. */
export function usePage(): readonly [page: number, set: (page: number) => void] {
  const [text, set] = useQuery('page')
  const page = Math.max(1, Math.trunc(Number(text ?? 1)) || 1)
  return [page, (next) => set(next <= 1 ? undefined : String(next), true)]
}

/** A value that narrows the list: another one begins at the first page. */
export function useFilter(name: string): readonly [value: string | undefined, set: (value: string) => void] {
  const [value, set] = useQuery(name)
  const [, setPage] = useQuery('page')
  return [
    value,
    (next) => {
      setPage(undefined)
      set(next.trim())
    },
  ]
}

export function Pager({
  total,
  perPage,
  of,
}: {
  readonly total: number
  readonly perPage: number
  readonly of: string
}) {
  const [page, setPage] = usePage()
  const last = Math.max(1, Math.ceil(total / perPage))
  const from = Math.min(total, (page - 1) * perPage + 1)
  const to = Math.min(total, page * perPage)
  return (
    <nav class="pager" aria-label={`Pages of ${of}`}>
      <span>{total === 0 ? `No ${of}` : `${numberText(from)} to ${numberText(to)} of ${numberText(total)} ${of}`}</span>
      <Button small icon="chevron-left" label="Page before" disabled={page <= 1} onClick={() => setPage(page - 1)} />
      <Button small icon="chevron-right" label="Next page" disabled={page >= last} onClick={() => setPage(page + 1)} />
    </nav>
  )
}
