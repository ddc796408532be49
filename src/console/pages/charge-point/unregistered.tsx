// An id that nobody has registered and that tries to connect: why it is refused, and registering it.

import './charge-point-frame.css'
import { useState } from 'preact/hooks'
import { may } from '../../client/session.js'
import { Button } from '../../parts/button.js'
import { Tag } from '../../parts/chip.js'
import { PageHead } from '../../parts/panel.js'
import { Loaded } from '../../parts/states.js'
import { RegisterDialog } from '../fleet/register.js'
import { NotOnline, useDiagnosis } from './not-online.js'

export function Unregistered({ id, reload }: { readonly id: string; readonly reload: () => void }) {
  const diagnosis = useDiagnosis(id)
  const [isRegistering, setRegistering] = useState(false)
  return (
    <Loaded of={diagnosis}>
      {(data) => (
        <div class="charge-point">
          <PageHead title={<span class="mono">{id}</span>} about={<Tag kind="bad">not registered</Tag>} />
          <NotOnline
            data={data}
            remedy={
              may('write:charge_points') && (
                <Button kind="primary" icon="plus" onClick={() => setRegistering(true)}>
                  Register it
                </Button>
              )
            }
          />
          {isRegistering && <RegisterDialog id={id} close={() => setRegistering(false)} open={reload} />}
        </div>
      )}
    </Loaded>
  )
}
