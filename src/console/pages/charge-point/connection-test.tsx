// Tests the connection of a charge point: it is pinged, and what came of it is said in words, with the time that it took and what to do.

import { useState } from 'preact/hooks'
import { api, ask, type Schema } from '../../client/api.js'
import { latencyText, momentText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { may } from '../../client/session.js'
import { Button } from '../../parts/button.js'
import { Tag, type TagKind } from '../../parts/chip.js'
import { Dialog } from '../../parts/dialog.js'
import { Facts } from '../../parts/facts.js'
import { Loaded, LoadingState } from '../../parts/states.js'
import { useHere } from './here.js'
import { PossibleAttempts } from './possible-attempts.js'

type Test = Schema<'ConnectionTest'>

const results: Readonly<Record<Test['result'], readonly [words: string, kind: TagKind]>> = {
  answered: ['It answers', 'ok'],
  heard: ['It is there', 'ok'],
  not_answering_pings: ['It does not answer pings', 'warn'],
  silent: ['It is silent', 'bad'],
  not_pinged: ['It is not to be pinged', 'warn'],
  offline: ['It is not connected', 'bad'],
}

export function TestConnection({ small = false }: { readonly small?: boolean }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button small={small} icon="activity" onClick={() => setOpen(true)}>
        Test the connection
      </Button>
      {isOpen && <TestDialog close={() => setOpen(false)} />}
    </>
  )
}

function TestDialog({ close }: { readonly close: () => void }) {
  const { id, command } = useHere()
  const test = useResource(
    (signal) =>
      ask(
        api.POST('/api/v1/chargepoints/{charge_point_id}/test-connection', {
          params: { path: { charge_point_id: id } },
          signal,
        }),
      ),
    [id],
  )
  const result = test.data?.result
  // An answer to a command shows what an answer to a ping would have shown.
  const asksForCommand = result === 'not_answering_pings' || result === 'not_pinged'
  return (
    <Dialog
      title={`Connection of ${id}`}
      close={close}
      actions={
        <>
          {asksForCommand && (may('write:commands') || may('write:charge_points')) && (
            <Button
              icon="terminal"
              onClick={() => {
                close()
                command('TriggerMessage')
              }}
            >
              Send it a command
            </Button>
          )}
          <Button icon="refresh-cw" busy={test.isLoading} onClick={() => !test.isLoading && test.reload()}>
            Test again
          </Button>
        </>
      }
    >
      {test.isLoading ? (
        <>
          <p role="status">It is pinged. An answer is waited for up to 5 seconds.</p>
          <LoadingState rows={2} />
        </>
      ) : (
        <Loaded of={test}>{(data) => <Found data={data} />}</Loaded>
      )}
    </Dialog>
  )
}

function Found({ data }: { readonly data: Test }) {
  const [words, kind] = results[data.result]
  const { attempts } = data
  return (
    <div class="stack" role="status">
      <Facts
        of={[
          { name: 'Result', value: <Tag kind={kind}>{words}</Tag> },
          { name: 'Answered after', value: data.latency_ms === null ? null : latencyText(data.latency_ms) },
          { name: 'Speaks', value: data.ocpp_version === null ? null : `OCPP ${data.ocpp_version}` },
          { name: 'Tested', value: momentText(data.tested_at) },
        ]}
      />
      <p>{data.explanation}</p>
      {!data.reachable && attempts.length > 0 && <PossibleAttempts of={attempts} />}
    </div>
  )
}
