// One client certificate is revoked, or all of them: what the charge point cannot do any more then, and what is left to it.

import { api, ask, type Schema } from '../../client/api.js'
import { dateText } from '../../client/format.js'
import { Ask } from '../../parts/ask.js'
import type { State } from './here.js'

export type Certificate = Schema<'IssuedCertificate'>

interface RevokeProps {
  readonly data: State
  readonly required: boolean | null
  readonly close: () => void
  readonly changed: () => void
}

/** How it connects when it has no certificate left. `all`: they are revoked together, after which a password suffices where nothing else was said. */
export function withoutCertificate(
  { password_set, security_profile, certificate_expires_at }: State,
  required: boolean | null,
  all: boolean,
): { readonly words: string; readonly isOut: boolean } {
  const hasCome = security_profile === 3 || certificate_expires_at !== null
  const password = password_set ? 'with its password' : 'by its id alone'
  if (required === false || (required === null && !hasCome))
    return { words: `It can connect without one, ${password}.`, isOut: false }
  if (required === null && all && password_set)
    return { words: 'It may come back with its password, and get a new certificate.', isOut: false }
  const instead =
    required === null && password_set && !all ? ' To let it come with its password, revoke all of them together.' : ''
  return {
    words: `Without one it is refused: it cannot connect until it has a new certificate.${instead}`,
    isOut: true,
  }
}

export function RevokeDialog({
  data,
  required,
  certificate,
  isLast,
  close,
  changed,
}: RevokeProps & { readonly certificate: Certificate; readonly isLast: boolean }) {
  const { charge_point_id } = data
  const { certificate_id, serial_number, issued_at, status } = certificate
  const then = withoutCertificate(data, required, false)
  return (
    <Ask
      title="Revoke this certificate?"
      does="Revoke it"
      said="The certificate is revoked."
      danger
      {...(isLast && then.isOut && { word: charge_point_id })}
      close={close}
      run={async () => {
        await ask(
          api.DELETE('/api/v1/chargepoints/{charge_point_id}/certificates/{certificate_id}', {
            params: { path: { charge_point_id, certificate_id } },
          }),
        )
        changed()
      }}
    >
      <p class="sub">
        <span class="mono">{serial_number}</span>, issued {dateText(issued_at)}
      </p>
      <p>
        {status === 'active'
          ? 'The charge point cannot connect with it any more, and loses its connection at once if that was made with it. Nobody can take this back.'
          : 'It is refused already. Revoked, it is also in the list that others verify certificates with.'}
      </p>
      {isLast && <p>It is the last that is good. {then.words}</p>}
    </Ask>
  )
}

export function RevokeAllDialog({ data, required, close, changed }: RevokeProps) {
  const { charge_point_id } = data
  const then = withoutCertificate(data, required, true)
  return (
    <Ask
      title={`Revoke every certificate of ${charge_point_id}?`}
      does="Revoke all"
      said="All certificates are revoked."
      danger
      word={charge_point_id}
      close={close}
      run={async () => {
        const params = { path: { charge_point_id } }
        await ask(api.DELETE('/api/v1/chargepoints/{charge_point_id}/certificates', { params }))
        changed()
      }}
    >
      <p>
        Those that the service has issued so far are refused from then on, and so are those that your authority has
        issued elsewhere and that are good already. A connection that was made with one is closed at once.
      </p>
      <p>{then.words}</p>
    </Ask>
  )
}
