// A client certificate with a new key: for how long and of which kind, and then both of them, of which the key is shown this once.

import { useState } from 'preact/hooks'
import { api, ask } from '../../client/api.js'
import { momentText } from '../../client/format.js'
import { FormDialog, type FormField, numberIn } from '../../parts/form.js'
import { ShownOnce } from '../../parts/shown-once.js'

const generate = (charge_point_id: string, validity_days: number, key_type: 'rsa-2048' | 'p-256') =>
  ask(
    api.POST('/api/v1/chargepoints/{charge_point_id}/certificates/generate', {
      params: { path: { charge_point_id } },
      body: { validity_days, key_type },
    }),
  )

type Made = Awaited<ReturnType<typeof generate>>

const fields: readonly FormField[] = [
  { name: 'validity_days', label: 'Good for so many days', isNumber: true, hint: 'At most 1,095.' },
  {
    name: 'key_type',
    label: 'Kind of key',
    options: [
      { value: 'rsa-2048', name: 'RSA, 2,048 bits: most charge points take it' },
      { value: 'p-256', name: 'Elliptic, P-256: smaller, and faster' },
    ],
  },
]

export interface IssueProps {
  readonly id: string
  readonly close: () => void
  readonly done: () => void
}

export function IssueDialog({ id, close, done }: IssueProps) {
  const [made, setMade] = useState<Made>()
  if (made !== undefined) return <Issued made={made} close={close} />
  return (
    <FormDialog
      title={`A client certificate for ${id}`}
      does="Issue it"
      fields={fields}
      begin={{ validity_days: '365', key_type: 'rsa-2048' }}
      close={close}
      done={done}
      run={async ({ validity_days, key_type }) => {
        setMade(await generate(id, numberIn(validity_days), key_type === 'p-256' ? 'p-256' : 'rsa-2048'))
      }}
    >
      <p>
        The service makes a key and a certificate in the name of {id}. Somebody has to bring both to the charger. The
        certificates that it has stay good until it has connected with this one.
      </p>
    </FormDialog>
  )
}

const type = 'application/x-pem-file'

function Issued({ made, close }: { readonly made: Made; readonly close: () => void }) {
  const { charge_point_id: id, expires_at, shortened } = made
  return (
    <ShownOnce
      title={`The key of ${id}`}
      secret={made.private_key_pem.trim()}
      files={[
        { does: 'Save the key', name: `${id}-key.pem`, type, text: made.private_key_pem },
        { does: 'Save the certificate', name: `${id}-certificate.pem`, type, text: made.certificate_pem },
        { does: 'Save the authority', name: 'authority.pem', type, text: made.ca_certificate_pem },
      ]}
      close={close}
    >
      <p>
        The private key is shown this once and stored nowhere. If it is lost, issue another certificate. The charger
        needs the key and the certificate, and mostly also the certificate of the authority.
      </p>
      <p class="sub">
        Serial number <span class="mono">{made.serial_number}</span>, good until {momentText(expires_at)}
        {shortened && ', when the certificate of the authority ends: earlier than you have asked for'}.
      </p>
    </ShownOnce>
  )
}
