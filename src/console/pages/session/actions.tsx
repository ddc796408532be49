// What can be done with a session: stop it, close it, give it its StopTransaction, dispute what it costs, answer a dispute.

import { useState } from 'preact/hooks'
import { api, ask, type Schema } from '../../client/api.js'
import { momentText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { may } from '../../client/session.js'
import { Ask } from '../../parts/ask.js'
import { Field } from '../../parts/field.js'
import { Choices } from '../../parts/fields.js'
import { numberIn } from '../../parts/form.js'
import { Icon } from '../../parts/icon.js'
import { Menu, type MenuItem } from '../../parts/menu.js'
import { EmptyState, Loaded } from '../../parts/states.js'
import { toast } from '../../parts/toast.js'

type Session = Schema<'Session'>

const stopReasons = [
  'Other',
  'DeAuthorized',
  'EmergencyStop',
  'EVDisconnected',
  'HardReset',
  'Local',
  'PowerLoss',
  'Reboot',
  'Remote',
  'SoftReset',
  'UnlockCommand',
] as const
type StopReason = (typeof stopReasons)[number]

interface Doing {
  readonly session: Session
  readonly reload: () => void
  readonly close: () => void
}

function Stop({ session: { charge_point_id, transaction_id }, reload, close }: Doing) {
  return (
    <Ask
      title="Stop the charge?"
      does="Ask the charge point to stop"
      danger
      close={close}
      run={async () => {
        const { status } = await ask(
          api.POST('/api/v1/ocpp16/remote_stop_transaction', { body: { charge_point_id, transaction_id } }),
        )
        toast(
          status === 'Accepted'
            ? 'The charge point has accepted. The session ends when it reports so.'
            : `The charge point answered ${status}.`,
          status === 'Accepted' ? 'done' : 'failed',
        )
        reload()
      }}
    >
      <p>
        {charge_point_id} is sent RemoteStopTransaction for transaction {transaction_id}. The driver stops charging.
      </p>
    </Ask>
  )
}

function Close({ session: { session_id }, reload, close }: Doing) {
  const [reason, setReason] = useState<StopReason>('Other')
  return (
    <Ask
      title="Close the session by estimate?"
      does="Close the session"
      said="The session is closed, and has been priced."
      danger
      close={close}
      run={async () => {
        await ask(
          api.POST('/api/v1/sessions/{session_id}/close', { params: { path: { session_id } }, body: { reason } }),
        )
        reload()
      }}
    >
      <p>
        The session ends at its last meter reading and is priced. The charge point is told nothing: a car that is really
        charging goes on. A StopTransaction that arrives later corrects the session.
      </p>
      <Field
        label="Reason"
        path="/reason"
        value={reason}
        options={stopReasons.map((value) => ({ value, name: value }))}
        onChange={(value) => setReason(value as StopReason)}
      />
    </Ask>
  )
}

function Attach({ session: { session_id, charge_point_id }, reload, close }: Doing) {
  const [chosen, setChosen] = useState<string>()
  const unmatched = useResource(
    async (signal) =>
      (
        await ask(
          api.GET('/api/v1/sessions/unmatched', {
            params: { query: { charge_point_id, status: 'open', per_page: 50 } },
            signal,
          }),
        )
      ).unmatched,
    [charge_point_id],
  )
  return (
    <Ask
      title="Attach a StopTransaction that matched no session"
      does="Attach it"
      said="The StopTransaction is attached, and the session has been priced by it."
      disabled={chosen === undefined}
      close={close}
      wide
      run={async () => {
        await ask(
          api.POST('/api/v1/sessions/unmatched/{unmatched_id}/attach', {
            params: { path: { unmatched_id: chosen ?? '' } },
            body: { session_id },
          }),
        )
        reload()
      }}
    >
      <Loaded of={unmatched}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState icon="check" title={`${charge_point_id} has sent none`} />
          ) : (
            <Choices name="It ends and prices the session as it would have done when it arrived." value={chosen}>
              {rows.map((row) => (
                <label key={row.unmatched_id}>
                  <input
                    type="radio"
                    name="unmatched"
                    checked={chosen === row.unmatched_id}
                    onChange={() => setChosen(row.unmatched_id)}
                  />
                  <span>
                    <b>{momentText(row.received_at)}</b> {row.why}
                    <span class="mono dim">{JSON.stringify(row.payload)}</span>
                  </span>
                </label>
              ))}
            </Choices>
          )
        }
      </Loaded>
    </Ask>
  )
}

function Dispute({ session: { session_id, currency }, reload, close }: Doing) {
  const [reason, setReason] = useState('')
  const [expected, setExpected] = useState('')
  const isUnreadable = expected.trim() !== '' && Number.isNaN(numberIn(expected))
  return (
    <Ask
      title="Dispute the cost for the driver"
      does="Open the dispute"
      said="The dispute is open."
      disabled={reason.trim() === ''}
      whyNot={isUnreadable ? 'What it should cost is not a number.' : undefined}
      close={close}
      run={async () => {
        await ask(
          api.POST('/api/v1/portal/sessions/{session_id}/dispute', {
            params: { path: { session_id } },
            body: { reason, ...(expected.trim() !== '' && { expected_cost: numberIn(expected) }) },
          }),
        )
        reload()
      }}
    >
      <Field label="What is wrong" path="/reason" value={reason} onChange={setReason} lines={4} required autofocus />
      <Field
        label={`What it should cost, in ${currency ?? ''}, with tax`}
        path="/expected_cost"
        hint="Leave it out if the driver does not say."
        value={expected}
        onChange={setExpected}
        inputmode="decimal"
        {...(isUnreadable && { error: 'This is not a number.' })}
      />
    </Ask>
  )
}

const acts = { Stop, Close, Attach, Dispute } as const

export function SessionActions({ session, reload }: { readonly session: Session; readonly reload: () => void }) {
  const [doing, setDoing] = useState<keyof typeof acts>()
  const isRunning = session.status === 'active'
  const isOpen = isRunning || session.status === 'estimated'
  const isDisputable =
    !isRunning && session.cost !== null && !['open', 'under_review'].includes(session.dispute?.status ?? '')
  const items: MenuItem[] = []
  const offer = (act: keyof typeof acts, name: string, icon: MenuItem['icon'], kind?: 'danger'): void => {
    items.push({ name, run: () => setDoing(act), ...(icon && { icon }), ...(kind && { kind }) })
  }
  if (may('write:sessions')) {
    if (isRunning) offer('Stop', 'Stop the charge', 'square', 'danger')
    if (isRunning) offer('Close', 'Close by estimate', 'circle-x', 'danger')
    if (isOpen) offer('Attach', 'Attach a StopTransaction', 'link')
    if (isDisputable) offer('Dispute', 'Dispute the cost', 'scale')
  }
  const Act = doing === undefined ? undefined : acts[doing]
  return (
    <>
      {items.length > 0 && (
        <Menu
          label="What can be done with the session"
          isWordless
          button={<Icon name="ellipsis" />}
          class="button plain square"
          items={items}
        />
      )}
      {Act !== undefined && <Act session={session} reload={reload} close={() => setDoing(undefined)} />}
    </>
  )
}
