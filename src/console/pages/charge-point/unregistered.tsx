// An id that nobody has registered and that tries to connect, or an address without an id: why it is refused, and registering it. Of an id that has
// not even been seen, where to go on.

import './charge-point-frame.css'
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { may } from '../../client/session.js'
import { Button } from '../../parts/button.js'
import { Tag } from '../../parts/chip.js'
import { PageHead } from '../../parts/panel.js'
import { Loaded, NotHere } from '../../parts/states.js'
import { RegisterDialog } from '../fleet/register.js'
import { NotOnline, useDiagnosis } from './not-online.js'
import { type Diagnosis, hasNoId } from './words.js'

/** Refused for what registering the id would not change. */
const notRegistrable: ReadonlySet<string> = new Set(['no_identity', 'bad_identity', 'bad_escape', 'reserved_identity'])

const isRegistrable = ({ last }: Diagnosis): boolean => !notRegistrable.has(last[0]?.reason ?? '')

export function Unregistered({ id, reload }: { readonly id: string; readonly reload: () => void }) {
  const diagnosis = useDiagnosis(id)
  const [isRegistering, setRegistering] = useState(false)
  const mayRegister = may('write:charge_points')
  const register = (kind: 'primary' | 'plain', words: string) => (
    <Button kind={kind} icon="plus" onClick={() => setRegistering(true)}>
      {words}
    </Button>
  )
  const dialog = isRegistering && <RegisterDialog id={id} close={() => setRegistering(false)} open={reload} />
  if (diagnosis.data === undefined && diagnosis.error?.status === 404)
    return (
      <>
        <NotHere>
          <span>
            No charge point of yours is registered as <b class="mono">{id}</b>, and none has tried to connect with this
            id in the last 24 hours. If the id is mistyped, the charge point is under{' '}
            <Link href="/refused">Refused</Link> with the one that it sends.
          </span>
          {mayRegister && register('plain', 'Register it')}
        </NotHere>
        {dialog}
      </>
    )
  return (
    <Loaded of={diagnosis}>
      {(data) => {
        // One of ours that is not connected is more likely than a new one.
        const kind = data.differs_from.length > 0 ? 'plain' : 'primary'
        return (
          <div class="charge-point">
            <PageHead
              title={hasNoId(data) ? 'An address without an id' : <span class="mono">{id}</span>}
              about={hasNoId(data) ? <span class="mono">{id}</span> : <Tag kind="bad">not registered</Tag>}
            />
            <NotOnline data={data} remedy={mayRegister && isRegistrable(data) && register(kind, 'Register it')} />
            {dialog}
          </div>
        )
      }}
    </Loaded>
  )
}
