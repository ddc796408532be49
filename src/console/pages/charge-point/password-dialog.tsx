// A new password of a charge point: made on request, shown once, and told how it gets into the charger.

import { useState } from 'preact/hooks'
import { api, ask } from '../../client/api.js'
import { Ask } from '../../parts/ask.js'
import { ShownOnce } from '../../parts/shown-once.js'
import type { State } from './here.js'

export interface PasswordDialogProps {
  readonly data: Pick<State, 'charge_point_id' | 'online'>
  readonly close: () => void
  readonly done: () => void
}

export function PasswordDialog({ data, close, done }: PasswordDialogProps) {
  const { charge_point_id } = data
  // The charger may lose its connection by it: what can be done stays what it was.
  const [online] = useState(data.online)
  const [made, setMade] = useState<{ readonly key: string; readonly pushed: boolean }>()
  const title = `A new password for ${charge_point_id}`
  if (made !== undefined)
    return (
      <ShownOnce title={title} secret={made.key} close={close}>
        <p>
          {made.pushed
            ? 'The charger has taken it. You need it only where it is to be entered by hand one day.'
            : 'Enter it at the charger as its password: the setting is mostly called AuthorizationKey, or basic authentication password. The user name is the id of the charger.'}
        </p>
        <p class="sub">
          It is shown this once and stored nowhere. Some chargers want it as 40 hexadecimal characters, as it stands
          here.
        </p>
      </ShownOnce>
    )

  async function make(push: boolean): Promise<void> {
    const params = { path: { charge_point_id } }
    const answer = await ask(
      api.POST('/api/v1/chargepoints/{charge_point_id}/authorization-key', { params, body: { push } }),
    )
    setMade({ key: answer.authorization_key, pushed: answer.pushed })
  }
  const byHand = { does: 'Make a new password', run: () => make(false) }
  return (
    <Ask
      title={title}
      {...(online ? { does: 'Make it and send it to the charger', run: () => make(true), others: [byHand] } : byHand)}
      close={close}
      done={done}
    >
      <p>
        {online
          ? 'Sent to the charger, it keeps its connection, and the old password stays good until it has connected with the new one.'
          : 'The charger is not connected: somebody has to enter the new password at it. The old one is good no more then.'}
      </p>
      {online && (
        <p class="sub">
          Not sent to it, the charger loses its connection until somebody has entered the new password at it.
        </p>
      )}
    </Ask>
  )
}
