// The bounds of a period, as days in the zone of the organization. They stand in the address as `from` and `to`, both inclusive.

import { useQuery } from '../client/address.js'
import { instantText } from '../client/zone.js'
import { Field } from './field.js'
import { useFilter } from './pager.js'

/** Undefined where nothing was chosen. */
export interface Period {
  readonly from: string | undefined
  /** Exclusive. */
  readonly to: string | undefined
}

/** As the API takes it. */
export function usePeriod(): Period {
  const [from] = useQuery('from')
  const [to] = useQuery('to')
  return { from: instantText(from), to: instantText(to, 1) }
}

export function PeriodFields() {
  const [from, setFrom] = useFilter('from')
  const [to, setTo] = useFilter('to')
  return (
    <>
      <Field label="From" type="date" value={from ?? ''} onChange={setFrom} />
      <Field label="To" type="date" value={to ?? ''} onChange={setTo} />
    </>
  )
}
