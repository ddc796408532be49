// Refused connections under other ids that are likely to be of the charge point: of each the id, and how it differs.

import './possible-attempts.css'
import { Link } from 'wouter-preact'
import type { Schema } from '../../client/api.js'
import { agoText } from '../../client/format.js'

type Attempt = Schema<'PossibleAttempt'>

const shown = 3

const differs: Readonly<Record<Attempt['match'], string>> = {
  id: 'has its id',
  spelling: 'is its id in another spelling',
  one_character: 'differs in one character',
  longer: 'has more characters',
  shorter: 'has fewer characters',
  serial_number: 'is its serial number',
  address: 'comes from the same address',
}

export function PossibleAttempts({ of }: { readonly of: readonly Attempt[] }) {
  const others = of.filter(({ match }) => match !== 'id')
  if (others.length === 0) return null
  return (
    <div class="similar">
      <h3>It may be known by another id</h3>
      <ul>
        {others.slice(0, shown).map(({ match, charge_point_id: id, reason, last_attempted_at: at }) => (
          <li key={`${match} ${id}`}>
            {id === null ? (
              'An unknown id'
            ) : (
              <Link class="mono" href={`/charge-points/${encodeURIComponent(id)}`}>
                {id}
              </Link>
            )}{' '}
            {`${reason === 'no_identity' ? 'is an address without an id, and ' : ''}${differs[match]}; refused ${agoText(at)}.`}
          </li>
        ))}
      </ul>
    </div>
  )
}
