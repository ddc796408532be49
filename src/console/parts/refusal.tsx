// Why something was refused: what it means, what is wrong where, and the code. What is wrong with a field stands at the field alone.

import './refusal.css'
import type { ComponentChildren } from 'preact'
import { useContext, useMemo } from 'preact/hooks'
import type { ApiError } from '../client/api.js'
import { Faults, placeOf } from './faults.js'

/** What the service has refused, around the fields that it is about. */
export function Refused({
  error,
  children,
}: {
  readonly error: Pick<ApiError, 'details'> | undefined
  readonly children: ComponentChildren
}) {
  const places = useMemo(() => new Map<string, number>(), [])
  const faults = useMemo(() => ({ details: error?.details ?? [], places }), [error, places])
  return <Faults.Provider value={faults}>{children}</Faults.Provider>
}

/** How many fields have to be changed, each of which says why. */
export const fieldsText = (count: number): string =>
  count === 1 ? 'One field has to be changed: it says why.' : `${count} fields have to be changed: each says why.`

export function Refusal({ error }: { readonly error: ApiError | undefined }) {
  const { details, places } = useContext(Faults)
  if (error === undefined) return null
  // The fields around may be of another request.
  const told = error.details.map((detail) => (details.includes(detail) ? placeOf(detail.path, places) : undefined))
  const others = error.details.filter((_, at) => told[at] === undefined)
  const atFields = new Set(told.filter((place) => place !== undefined)).size
  return (
    <div class="refusal" role="alert">
      <p>{atFields === 0 ? error.message : fieldsText(atFields)}</p>
      {error.details.length > 1 && others.length > 0 && (
        <ul>
          {others.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <span class="mono">{path}</span> {message}
            </li>
          ))}
        </ul>
      )}
      <p class="mono dim">
        {error.code}
        {error.requestId !== undefined && `, ${error.requestId}`}
      </p>
    </div>
  )
}
