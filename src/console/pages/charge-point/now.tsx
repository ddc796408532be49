// What the charge point does now: its connectors, what limits them and what somebody should look at. Of one that is not online, why it is not.

import './now.css'
import { agoText, momentText } from '../../client/format.js'
import { may } from '../../client/session.js'
import { Button } from '../../parts/button.js'
import { Tag } from '../../parts/chip.js'
import { Facts } from '../../parts/facts.js'
import { Icon } from '../../parts/icon.js'
import { Panel } from '../../parts/panel.js'
import { Loaded } from '../../parts/states.js'
import { TestConnection } from './connection-test.js'
import { Connectors } from './connectors.js'
import { type State, useHere } from './here.js'
import { NotOnline, useDiagnosis } from './not-online.js'
import { Power } from './power.js'

export function Page() {
  const { state } = useHere()
  const data = state.data
  if (data === undefined) return null
  return data.online ? <Online data={data} /> : <Offline data={data} />
}

function Online({ data }: { readonly data: State }) {
  return (
    <div class="now">
      <div class="stack main">
        <Silent data={data} />
        <Power data={data} />
        <Alerts data={data} />
        <Boot data={data} />
      </div>
      <div class="stack side">
        <Connectors data={data} />
        <Connection data={data} />
      </div>
    </div>
  )
}

/** Whoever is in order has said what it is by then. */
const silentAfterMs = 30_000

function Silent({ data: { registration, connected_at: since } }: { readonly data: State }) {
  if (registration !== null || since === null || Date.now() - Date.parse(since) < silentAfterMs) return null
  return (
    <Panel title="What to do" class="to-do">
      <div class="inside">
        <p class="lead">It is connected, but has not said what it is: it has sent no BootNotification.</p>
        <ol class="advice">
          <li>Restart it with Reset, or have somebody at the charge point do so.</li>
          <li>
            If it stays silent, call its technician or its manufacturer, and read this to them: it connects and sends no
            BootNotification; it has to be set to OCPP 1.6 with JSON (OCPP 1.6-J), subprotocol ocpp1.6.
          </li>
        </ol>
      </div>
    </Panel>
  )
}

function Offline({ data }: { readonly data: State }) {
  const { password } = useHere()
  const diagnosis = useDiagnosis(data.charge_point_id)
  const isPassword = diagnosis.data?.stages.some(({ stage, outcome }) => stage === 'password' && outcome === 'failed')
  return (
    <>
      <Loaded of={diagnosis} rows={9}>
        {(found) => (
          <NotOnline
            data={found}
            remedy={
              <>
                {isPassword === true && may('write:charge_points') && (
                  <Button kind="primary" icon="key-round" onClick={password}>
                    Make a new password
                  </Button>
                )}
                <TestConnection />
              </>
            }
          />
        )}
      </Loaded>
      <Power data={data} />
      <div class="last-known">
        <Alerts data={data} />
        <Connectors data={data} />
        <Boot data={data} />
      </div>
    </>
  )
}

function Alerts({ data }: { readonly data: State }) {
  if (data.open_alerts.length === 0) return null
  return (
    <Panel
      title="Needs somebody"
      hint={data.open_alerts.length === 1 ? '1 open alert' : `${data.open_alerts.length} open alerts`}
    >
      <ul class="open-alerts">
        {data.open_alerts.map(({ alert_id, message, kind, severity, triggered_at }) => (
          <li key={alert_id} class={severity}>
            <Icon name="triangle-alert" />
            <span>
              {message} <span class="dim">{agoText(triggered_at)}</span>
            </span>
            <Tag kind={severity === 'critical' ? 'bad' : 'warn'}>{kind}</Tag>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Connection({ data }: { readonly data: State }) {
  const { last_close: close } = data
  return (
    <Panel title="Connection" actions={<TestConnection small />} padded>
      <Facts
        of={[
          { name: 'Connected', value: data.connected_at === null ? null : momentText(data.connected_at) },
          { name: 'From', value: data.remote_address },
          {
            name: 'Last end',
            value:
              close === null
                ? null
                : `${momentText(close.at)}, code ${close.code}${close.reason === '' ? '' : `, ${close.reason}`}`,
          },
          { name: 'Registration', value: data.registration },
          {
            name: 'Certificate ends',
            value: data.certificate_expires_at === null ? null : momentText(data.certificate_expires_at),
          },
          { name: 'Firmware update', value: data.firmware_status },
          { name: 'Diagnostics', value: data.diagnostics_status },
          { name: 'Configuration', value: data.configuration },
        ]}
      />
    </Panel>
  )
}

function Boot({ data }: { readonly data: State }) {
  const { boot } = data
  return (
    <Panel
      title="What it is"
      hint={boot === null ? 'it has not said so yet' : `as it said ${agoText(boot.booted_at)}`}
      padded
    >
      <Facts
        of={[
          { name: 'Vendor', value: boot?.vendor },
          { name: 'Model', value: boot?.model },
          { name: 'Serial number', value: boot?.serial_number },
          { name: 'Firmware', value: boot?.firmware_version },
          { name: 'SIM card (ICCID)', value: boot?.iccid },
          { name: 'Subscriber (IMSI)', value: boot?.imsi },
          { name: 'Meter', value: boot?.meter_type },
          { name: 'Meter serial number', value: boot?.meter_serial_number },
          { name: 'Address', value: data.address },
          { name: 'Connects to', value: <span class="mono">{data.ocpp_endpoint}</span> },
        ]}
      />
    </Panel>
  )
}
