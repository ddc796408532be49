// Refused connections that could be of the charge point: what was wrong with each, and what to do.

import './possible-attempts.css'
import type { Schema } from '../../client/api.js'
import { agoText } from '../../client/format.js'

const shown = 5

export function PossibleAttempts({ of }: { readonly of: readonly Schema<'PossibleAttempt'>[] }) {
  return (
    <div class="similar">
      <h3>It could also be one of these</h3>
      <ul>
        {of.slice(0, shown).map(({ charge_point_id, reason, last_attempted_at, cause, remedy }) => (
          <li key={`${charge_point_id} ${reason} ${last_attempted_at}`}>
            <b class="mono">{charge_point_id ?? 'an unknown id'}</b> {agoText(last_attempted_at)}: {cause} {remedy}
          </li>
        ))}
      </ul>
    </div>
  )
}
