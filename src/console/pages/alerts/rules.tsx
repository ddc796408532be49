// When alerts are raised, and who is sent a mail: the settings of the organization that concern them.

import { useState } from 'preact/hooks'
import { api, ask } from '../../client/api.js'
import { useResource } from '../../client/resource.js'
import { organizationId } from '../../client/session.js'
import { Ask } from '../../parts/ask.js'
import { Dialog } from '../../parts/dialog.js'
import { Field } from '../../parts/field.js'
import { numberOrNull } from '../../parts/form.js'
import { Loaded } from '../../parts/states.js'

/** In the order in which they are shown, with what they mean. */
const thresholds = [
  ['charge_point_offline_minutes', 'Minutes without a connection'],
  ['connector_faulted_minutes', 'Minutes that a connector is faulted'],
  ['clock_skew_seconds', 'Seconds that a clock is off'],
  ['refused_connections_per_hour', 'Refused connections within an hour'],
  ['webhook_failing_minutes', 'Minutes that deliveries to a webhook fail'],
  ['certificate_days', 'Days before a certificate ends'],
  ['roaming_partner_failing_minutes', 'Minutes that a roaming partner does not answer'],
] as const

type Threshold = (typeof thresholds)[number][0]
type Values = Readonly<Record<Threshold, number | null>>

function Form({
  values,
  mails,
  close,
}: {
  readonly values: Values
  readonly mails: boolean
  readonly close: () => void
}) {
  const [texts, setTexts] = useState(() =>
    Object.fromEntries(thresholds.map(([name]) => [name, values[name] === null ? '' : String(values[name])])),
  )
  const [isMailed, setMailed] = useState(mails ? 'yes' : 'no')
  const isWrong = (name: Threshold): boolean => !/^\d*$/.test((texts[name] ?? '').trim())
  return (
    <Ask
      title="When alerts are raised"
      does="Save"
      said="Alerts are raised by these rules from now on."
      whyNot={
        thresholds.some(([name]) => isWrong(name)) ? 'One of the fields is not a whole number: it says so.' : undefined
      }
      close={close}
      run={() => {
        const alert_thresholds = Object.fromEntries(thresholds.map(([name]) => [name, numberOrNull(texts[name])]))
        return ask(
          api.PUT('/api/v1/organizations/{org_id}/settings', {
            params: { path: { org_id: organizationId() } },
            body: { alert_thresholds, notification_preferences: { alert_emails: isMailed === 'yes' } },
          }),
        )
      }}
    >
      <p class="dim">An empty field switches these alerts off.</p>
      {thresholds.map(([name, label]) => (
        <Field
          key={name}
          label={label}
          path={`/alert_thresholds/${name}`}
          value={texts[name] as string}
          onChange={(text) => setTexts({ ...texts, [name]: text })}
          inputmode="numeric"
          {...(texts[name] === '' && { hint: 'Switched off.' })}
          {...(isWrong(name) && { error: 'This is not a whole number.' })}
        />
      ))}
      <Field
        label="Mail to the contact address when an alert is raised or resolved"
        path="/notification_preferences/alert_emails"
        value={isMailed}
        onChange={setMailed}
        options={[
          { value: 'yes', name: 'Send it' },
          { value: 'no', name: 'Send none' },
        ]}
      />
    </Ask>
  )
}

export function RulesDialog({ close }: { readonly close: () => void }) {
  const settings = useResource(
    (signal) =>
      ask(
        api.GET('/api/v1/organizations/{org_id}/settings', { params: { path: { org_id: organizationId() } }, signal }),
      ),
    [],
  )
  if (settings.data !== undefined)
    return (
      <Form
        values={settings.data.alert_thresholds as Values}
        mails={settings.data.notification_preferences.alert_emails}
        close={close}
      />
    )
  return (
    <Dialog title="When alerts are raised" close={close}>
      <Loaded of={settings}>{() => null}</Loaded>
    </Dialog>
  )
}
