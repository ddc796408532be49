// Captures of the charge point: begin one, end it, and take it away as a script that plays the charge point again.

import { useState } from 'preact/hooks'
import { api, ask, type Schema } from '../../client/api.js'
import { bytesText, momentText, numberText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { may } from '../../client/session.js'
import { Button } from '../../parts/button.js'
import { Tag } from '../../parts/chip.js'
import { Dialog } from '../../parts/dialog.js'
import { Field } from '../../parts/field.js'
import { Loaded } from '../../parts/states.js'
import { attempt } from '../../parts/toast.js'

type Capture = Schema<'Capture'>

const endings: Readonly<Record<string, string>> = { time: 'its time was over', size: 'it was full', request: 'ended' }

export function CaptureDialog({ id, close }: { readonly id: string; readonly close: () => void }) {
  const path = { charge_point_id: id }
  const captures = useResource(
    (signal) => ask(api.GET('/api/v1/chargepoints/{charge_point_id}/captures', { params: { path }, signal })),
    [id],
    { everySeconds: 3 },
  )
  const [minutes, setMinutes] = useState('15')
  const [megabytes, setMegabytes] = useState('5')

  async function act(done: string, request: () => Promise<unknown>): Promise<void> {
    await attempt(request, done)
    captures.reload()
  }

  const start = () =>
    act('Everything is recorded now.', () =>
      ask(
        api.POST('/api/v1/chargepoints/{charge_point_id}/captures', {
          params: { path },
          body: { minutes: Number(minutes), megabytes: Number(megabytes) },
        }),
      ),
    )
  const end = ({ capture_id }: Capture) =>
    act('The recording has ended.', () =>
      ask(
        api.DELETE('/api/v1/chargepoints/{charge_point_id}/captures/{capture_id}', {
          params: { path: { ...path, capture_id } },
        }),
      ),
    )
  return (
    <Dialog title="Record everything" close={close} wide>
      <p>
        All that {id} and the service say to each other is kept for 7 days, heartbeats and meter values included.
        Secrets are masked. It ends by itself.
      </p>
      {may('write:charge_points') && (
        <div class="filters">
          <Field label="Minutes" type="number" value={minutes} onChange={setMinutes} />
          <Field label="Megabytes at most" type="number" value={megabytes} onChange={setMegabytes} />
          <Button kind="primary" icon="radio" onClick={() => void start()}>
            Record
          </Button>
        </div>
      )}
      <Loaded of={captures} rows={2}>
        {({ data }) => (
          <ul class="captures">
            {data.map((capture) => (
              <li key={capture.capture_id}>
                <Tag kind={capture.running ? 'ok' : 'plain'}>
                  {capture.running ? 'recording' : (endings[capture.ended_by ?? ''] ?? 'ended')}
                </Tag>
                <span>
                  {momentText(capture.started_at)},{' '}
                  {capture.messages === 1 ? '1 message' : `${numberText(capture.messages)} messages`},{' '}
                  {bytesText(capture.bytes)}
                </span>
                {capture.running && may('write:charge_points') && (
                  <Button small onClick={() => void end(capture)}>
                    End
                  </Button>
                )}
                {capture.messages > 0 && (
                  <a
                    class="link"
                    download=""
                    href={`/api/v1/chargepoints/${encodeURIComponent(id)}/captures/${capture.capture_id}/script`}
                  >
                    {capture.running ? 'Script so far' : 'Script'}
                  </a>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Dialog>
  )
}
