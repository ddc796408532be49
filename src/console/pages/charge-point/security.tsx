// How the charge point proves who it is: its password, its client certificates, and its way to a higher security profile.

import './two-sided.css'
import { useState } from 'preact/hooks'
import { api, ask, type Schema } from '../../client/api.js'
import { agoText, momentText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { may } from '../../client/session.js'
import { Ask } from '../../parts/ask.js'
import { Button } from '../../parts/button.js'
import { Facts } from '../../parts/facts.js'
import { Panel } from '../../parts/panel.js'
import { Loaded } from '../../parts/states.js'
import { Certificates } from './certificates.js'
import { type State, useHere } from './here.js'
import { Upgrade } from './security-upgrade.js'

type ChargePoint = Schema<'ChargePoint'>

export function Page() {
  const { id, state } = useHere()
  const chargePoint = useResource(
    (signal) =>
      ask(api.GET('/api/v1/chargepoints/{charge_point_id}', { params: { path: { charge_point_id: id } }, signal })),
    [id],
    { everySeconds: 10 },
  )
  const { data } = state
  if (data === undefined) return null
  const reload = (): void => {
    state.reload()
    chargePoint.reload()
  }
  return (
    <Loaded of={chargePoint}>
      {({ certificate_required }) => (
        <div class="two-sided">
          <div class="stack">
            <Proof data={data} required={certificate_required} reload={reload} />
            <Certificates data={data} required={certificate_required} reload={reload} />
          </div>
          <Upgrade data={data} reload={reload} />
        </div>
      )}
    </Loaded>
  )
}

const profiles: readonly string[] = [
  '0: whoever knows its id and the address can connect in its place',
  '1: a password, which others on the network can read',
  '2: a password, over TLS',
  '3: a client certificate, over TLS',
]

interface ProofProps {
  readonly data: State
  readonly required: ChargePoint['certificate_required']
  readonly reload: () => void
}

function Proof({ data, required, reload }: ProofProps) {
  const { password } = useHere()
  const [isRemoving, setRemoving] = useState(false)
  const { security_profile: profile, over_tls, password_set, certificate_expires_at: end } = data
  const withoutCertificate =
    required === null ? 'is refused once it has come with one' : required ? 'is refused' : 'is let in'
  return (
    <Panel
      title="How it proves who it is"
      padded
      actions={
        may('write:charge_points') && (
          <>
            <Button small icon="key-round" onClick={password}>
              Make a new password
            </Button>
            {password_set && (
              <Button small icon="trash" onClick={() => setRemoving(true)}>
                Remove the password
              </Button>
            )}
          </>
        )
      }
    >
      <Facts
        of={[
          {
            name: 'Security profile',
            value: profile === null ? 'not known: it has never connected' : profiles[profile],
          },
          { name: 'Connection', value: over_tls === null ? null : over_tls ? 'over TLS' : 'without TLS' },
          { name: 'Password', value: password_set ? 'it has one' : 'none' },
          {
            name: 'Certificate',
            value:
              end === null
                ? 'it has come with none'
                : `the one that it came with ends ${momentText(end)}, ${agoText(end)}`,
          },
          { name: 'Without a certificate', value: `it ${withoutCertificate}` },
        ]}
      />
      {isRemoving && <RemovePassword data={data} required={required} close={() => setRemoving(false)} done={reload} />}
    </Panel>
  )
}

function RemovePassword({
  data: { charge_point_id, security_profile },
  required,
  close,
  done,
}: Pick<ProofProps, 'data' | 'required'> & { readonly close: () => void; readonly done: () => void }) {
  const params = { path: { charge_point_id } }
  const comesWithCertificate = required === true || (required === null && security_profile === 3)
  return (
    <Ask
      title={`Remove the password of ${charge_point_id}?`}
      does="Remove the password"
      said="The password is removed."
      danger
      {...(!comesWithCertificate && { word: charge_point_id })}
      close={close}
      run={async () => {
        await ask(api.DELETE('/api/v1/chargepoints/{charge_point_id}/authorization-key', { params }))
        done()
      }}
    >
      <p>
        {comesWithCertificate
          ? 'It connects with its certificate, as before. Without the password, it cannot come back where all its certificates are revoked.'
          : 'From then on, it connects without a password: whoever knows its id and the address can connect in its place, and report charges that nobody has made.'}
      </p>
    </Ask>
  )
}
