// The connectors of a charge point, one below the other: what each does, in words before codes, and what can be done at it with one hand.

import { Link } from 'wouter-preact'
import { durationText, energyText, moneyText, numberText, timeText } from '../../client/format.js'
import { mayCommand } from '../../client/session.js'
import { Button } from '../../parts/button.js'
import { StateLabel } from '../../parts/state-glyph.js'
import { type Connector, type State, shownState, useHere } from './here.js'

export function Connectors({ data }: { readonly data: State }) {
  if (data.connectors.length === 0) return null
  return (
    <div class="connectors">
      {data.connectors.map((connector) => (
        <OneConnector key={connector.connector_id} connector={connector} data={data} />
      ))}
    </div>
  )
}

function OneConnector({ connector, data }: { readonly connector: Connector; readonly data: State }) {
  const { command } = useHere()
  const { connector_id: id, session, status_since: since } = connector
  const state = shownState(connector, data.online)
  const isCommanded = data.online && mayCommand()
  return (
    <section class="panel connector" aria-label={`Connector ${id}`}>
      <div class="top-line">
        <span class="dim">{id}</span>
        <StateLabel state={state}>{connector.status === null ? 'Has said nothing yet' : undefined}</StateLabel>
        {since !== null && data.online && (
          <span class="dim">for {durationText((Date.now() - Date.parse(since)) / 1_000)}</span>
        )}
        {session !== null && (
          <Link class="link" href={`/sessions/${encodeURIComponent(session.session_id)}`}>
            Session
          </Link>
        )}
      </div>
      <Trouble connector={connector} online={data.online} />
      {data.online && (connector.power_watts ?? 0) > 0 && <Draw connector={connector} />}
      {session !== null && (
        <dl class="figures">
          <div>
            <dt>energy</dt>
            <dd>{energyText(session.energy_kwh * 1_000)}</dd>
          </div>
          <div>
            <dt>so far, with tax</dt>
            <dd>
              {session.cost === null || session.currency === null
                ? 'no tariff'
                : moneyText(session.cost, session.currency)}
            </dd>
          </div>
          <div>
            <dt>since</dt>
            <dd>{timeText(session.started_at)}</dd>
          </div>
        </dl>
      )}
      <Limit connectorId={id} data={data} />
      {isCommanded && (
        <div class="row-of">
          <Button small icon="lock-open" onClick={() => command('unlock_connector', id)}>
            Unlock
          </Button>
          {session === null ? (
            <Button
              small
              icon="play"
              disabled={state === 'Faulted'}
              {...(state === 'Faulted' && { title: 'A faulted connector charges nobody.' })}
              onClick={() => command('start_session', id)}
            >
              Start
            </Button>
          ) : (
            <Button small icon="square" onClick={() => command('stop_session', id)}>
              Stop
            </Button>
          )}
        </div>
      )}
    </section>
  )
}

interface FaultWords {
  /** What it means, before the code. */
  readonly means: string
  /** For somebody who knows nothing of it. */
  readonly toDo: string
}

const restart = 'Restart the charge point. If it comes again, have a technician look at it.'
const electrician = 'Nobody should charge here until an electrician has looked at it: do not restart it from afar.'

const faultWords: Readonly<Record<string, FaultWords>> = {
  ConnectorLockFailure: {
    means: 'The cable cannot be locked, or unlocked.',
    toDo: 'Press Unlock. If the cable stays, somebody at the charge point pulls the plug while it is pressed again.',
  },
  EVCommunicationError: {
    means: 'It cannot talk to the car.',
    toDo: 'The driver unplugs and plugs in again. If other cars fail as well, have a technician look at the cable.',
  },
  GroundFailure: {
    means: 'Its residual-current device has tripped: current may be leaking to earth.',
    toDo: electrician,
  },
  HighTemperature: {
    means: 'It is too hot inside.',
    toDo: 'Let it cool down. If it comes again, have a technician look at its fan and its filter.',
  },
  InternalError: { means: 'Something inside it has failed.', toDo: restart },
  LocalListConflict: {
    means: 'Its list of cards is not the one that we know.',
    toDo: 'Nothing has to be done: it asks us for each card until it has our list again.',
  },
  OtherError: { means: 'Something has failed that OCPP has no word for.', toDo: restart },
  OverCurrentFailure: { means: 'Its over-current protection has tripped.', toDo: electrician },
  OverVoltage: {
    means: 'The voltage is too high.',
    toDo: 'If others of the site say the same, call the grid operator. If not, have an electrician look at it.',
  },
  PowerMeterFailure: {
    means: 'Its meter cannot be read.',
    toDo: 'What it charges now cannot be billed. Restart it; if it comes again, have a technician replace the meter.',
  },
  PowerSwitchFailure: { means: 'Its power switch does not switch.', toDo: electrician },
  ReaderFailure: {
    means: 'Its card reader has failed.',
    toDo: 'Drivers can be started from here or by an app. Have a technician look at the reader.',
  },
  ResetFailure: {
    means: 'It could not restart.',
    toDo: 'Somebody at the site switches its power off and on again.',
  },
  UnderVoltage: {
    means: 'The voltage is too low.',
    toDo: 'If others of the site say the same, call the grid operator. If not, have an electrician look at it.',
  },
  WeakSignal: {
    means: 'Its wireless connection is weak.',
    toDo: 'Nothing has to be done while it stays connected. If it often goes away, have its aerial or its SIM card changed.',
  },
}
const otherFault: FaultWords = { means: 'It reports an error.', toDo: restart }

function Trouble({ connector, online }: { readonly connector: Connector; readonly online: boolean }) {
  const { error_code: code, vendor_error_code: vendor, info, status } = connector
  const isWrong = code !== null && code !== 'NoError'
  if (!isWrong && (info === null || info === '')) {
    if (online || status === null) return null
    return <p class="sub">Its last word was {status}.</p>
  }
  const { means, toDo } = faultWords[code ?? ''] ?? otherFault
  return (
    <>
      <p class="sub">
        {isWrong && <b>{means} </b>}
        {isWrong && <span class="mono">{code}</span>}
        {vendor !== null && <span class="mono">, vendor code {vendor}</span>}
        {info !== null && info !== '' && `, “${info}”`}
      </p>
      {isWrong && <p class="sub">What to do: {toDo}</p>}
    </>
  )
}

function Draw({ connector }: { readonly connector: Connector }) {
  const watts = connector.power_watts ?? 0
  const most = connector.max_power_watts
  const share = most === null || most === 0 ? undefined : Math.min(1, watts / most)
  return (
    <>
      <p class="big">
        {numberText(watts / 1_000, 1, true)}{' '}
        <small>{most === null ? 'kW' : `of ${numberText(most / 1_000, 1)} kW`}</small>
      </p>
      {share !== undefined && (
        <div class="meter" aria-hidden="true">
          <i ref={(element) => element?.style.setProperty('transform', `scaleX(${share})`)} />
        </div>
      )}
    </>
  )
}

function Limit({ connectorId, data }: { readonly connectorId: number; readonly data: State }) {
  const limit =
    data.limits.find((one) => one.connector_id === connectorId) ?? data.limits.find((one) => one.connector_id === null)
  if (limit === undefined || limit.watts === null) return null
  return (
    <p class="sub">
      Its site limits it to {numberText(limit.watts / 1_000, 1)} kW ({numberText(limit.amperes ?? 0, 1)} A on each
      phase)
      {limit.asked_amperes !== null && `, and has asked for ${numberText(limit.asked_amperes, 1)} A`}.
    </p>
  )
}
