// Acknowledging alerts: one, or those of a page, one after the other.

import { useState } from 'preact/hooks'
import { api, ask, type Schema } from '../../client/api.js'
import { Ask } from '../../parts/ask.js'
import { Button } from '../../parts/button.js'

type Alert = Schema<'Alert'>

export const mayBeAcknowledged = ({ acknowledged_at: at, status }: Alert): boolean =>
  at === null && status !== 'resolved'

export const acknowledge = ({ alert_id }: Alert) =>
  ask(api.POST('/api/v1/alerts/{alert_id}/acknowledge', { params: { path: { alert_id } } }))

/** Those of this page, one after the other: a filter says which these are. */
export function AcknowledgeAll({ alerts, reload }: { readonly alerts: readonly Alert[]; readonly reload: () => void }) {
  const [asked, setAsked] = useState<readonly Alert[]>()
  const [done, setDone] = useState(0)
  if (asked === undefined)
    return alerts.length < 2 ? null : (
      <Button
        icon="check"
        onClick={() => {
          setDone(0)
          setAsked(alerts)
        }}
      >
        {`Acknowledge these ${alerts.length}`}
      </Button>
    )
  const close = (): void => {
    setAsked(undefined)
    reload()
  }
  return (
    <Ask
      title={`Acknowledge ${asked.length} alerts?`}
      does={`Acknowledge ${asked.length}`}
      said={`${asked.length} alerts are acknowledged, in your name.`}
      close={close}
      run={async () => {
        // What was refused is tried again from there.
        for (const alert of asked.slice(done)) {
          await acknowledge(alert)
          setDone((count) => count + 1)
        }
      }}
    >
      <p>
        They are those of this page that nobody has acknowledged. Notices leave the list; the others stay until their
        causes are gone.
      </p>
      {done > 0 && (
        <p role="status">
          {done} of {asked.length} are acknowledged.
        </p>
      )}
    </Ask>
  )
}
