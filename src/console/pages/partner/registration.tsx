// The tokens with which two sides of roaming find each other: shown once to be handed over, or typed in as they were handed over.

import type { FormField } from '../../parts/form.js'
import { ShownOnce } from '../../parts/shown-once.js'

export interface Invitation {
  readonly id: string
  readonly name: string
  readonly token: string
  readonly own_versions_url: string
}

export const registrationFields: readonly FormField[] = [
  {
    name: 'versions_url',
    label: 'Address of the partner’s versions',
    placeholder: 'emsp.example.com/ocpi/versions',
    mono: true,
  },
  {
    name: 'token',
    label: 'Registration token of the partner',
    mono: true,
    autocomplete: 'off',
    hint: 'The service reads the versions with it, and sends its own credentials there.',
  },
]

export function RegistrationToken({ of, close }: { readonly of: Invitation; readonly close: () => void }) {
  return (
    <ShownOnce title={`The registration token for ${of.name}`} secret={of.token} close={close}>
      <p>
        Hand it over to the partner together with the address of your versions. It is shown this once, and is valid
        until the partner has registered with it.
      </p>
      <p class="mono">{of.own_versions_url}</p>
    </ShownOnce>
  )
}
