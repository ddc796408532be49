// The bounds of a period, as days or times in the zone of the organization. They stand in the address as `from` and `to`; days are both inclusive.

import { useQuery } from '../client/address.js'
import { fieldTextOf, instantOf, instantText } from '../client/zone.js'
import { Field } from './field.js'
import { useFilter } from './pager.js'

/** Undefined where nothing was chosen. */
export interface Period {
  readonly from: string | undefined
  /** Exclusive. */
  readonly to: string | undefined
}

const isDay = (text: string | undefined): boolean => /^\d{4}-\d\d-\d\d$/.test(text ?? '')

/** As the API takes it. */
export function usePeriod(): Period {
  const [from] = useQuery('from')
  const [to] = useQuery('to')
  return { from: instantText(from), to: instantText(to, isDay(to) ? 1 : 0) }
}

/** `withTimes`: the bounds are instants, and a link that names days is shown as the times at which they begin and end. */
export function PeriodFields({ withTimes = false }: { readonly withTimes?: boolean }) {
  const [from, setFrom] = useFilter('from')
  const [to, setTo] = useFilter('to')
  const type = withTimes ? 'datetime-local' : 'date'
  const shown = (text: string | undefined, daysLater: number): string => {
    if (text === undefined || !withTimes || !isDay(text)) return text ?? ''
    const at = instantOf(text, daysLater)
    return at === undefined ? '' : fieldTextOf(at)
  }
  return (
    <>
      <Field label="From" type={type} value={shown(from, 0)} onChange={setFrom} />
      <Field label="To" type={type} value={shown(to, 1)} onChange={setTo} />
    </>
  )
}
