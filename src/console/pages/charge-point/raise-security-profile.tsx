// Begins the way of a charge point to a higher security profile.

import { useState } from 'preact/hooks'
import { api, ask } from '../../client/api.js'
import { Ask } from '../../parts/ask.js'
import { Field } from '../../parts/field.js'
import { Tick } from '../../parts/fields.js'
import type { State } from './here.js'

const names: Readonly<Record<number, string>> = {
  1: '1: a password',
  2: '2: a password over TLS',
  3: '3: a client certificate over TLS',
}

export interface RaiseProps {
  readonly data: State
  /** At least one. */
  readonly higher: readonly number[]
  /** It has refused the certificate of the authority the last time. */
  readonly refusedAuthority: boolean
  readonly close: () => void
  readonly done: () => void
}

export function RaiseDialog({ data, higher, refusedAuthority, close, done }: RaiseProps) {
  const { charge_point_id, security_profile, over_tls } = data
  const [chosen, setChosen] = useState(String(higher.at(-1)))
  const [sendsAuthority, setSendsAuthority] = useState(!refusedAuthority)
  const isUnproven = (security_profile ?? 0) === 0
  return (
    <Ask
      title={`Take ${charge_point_id} to a higher profile`}
      does="Begin"
      said="Begun. The steps follow one after the other."
      close={close}
      run={async () => {
        await ask(
          api.POST('/api/v1/chargepoints/{charge_point_id}/security-profile', {
            params: { path: { charge_point_id } },
            body: { security_profile: Number(chosen), ...(over_tls === true && { install_authority: sendsAuthority }) },
          }),
        )
        done()
      }}
    >
      <Field
        label="Security profile"
        path="/security_profile"
        value={chosen}
        onChange={setChosen}
        options={higher.map((profile) => ({ value: String(profile), name: names[profile] ?? String(profile) }))}
      />
      <p>
        The charger is sent what it needs, and told to use the profile. If it does not come back by itself within a
        minute, it is restarted as soon as no session runs. Until it has come in the new way it can connect as before,
        and from then on no more. A lower profile can only be set at the charger itself.
      </p>
      {isUnproven && (
        <p>
          <b>
            Whoever is connected under this id now is sent {chosen === '3' ? 'the password on the way' : 'the password'}
            : begin when you know that it is yours.
          </b>
        </p>
      )}
      {over_tls === true && (
        <Tick checked={sendsAuthority} onChange={setSendsAuthority}>
          Send it the certificate of the authority of the service. Some refuse one that they have already.
        </Tick>
      )}
    </Ask>
  )
}
