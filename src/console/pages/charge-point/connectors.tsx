// The connectors of a charge point, one below the other: what each does, in words before codes, and what can be done at it with one hand.

import { Link } from 'wouter-preact'
import { durationText, energyText, moneyText, numberText, timeText } from '../../client/format.js'
import { mayCommand } from '../../client/session.js'
import { Button } from '../../parts/button.js'
import { StateLabel } from '../../parts/state-glyph.js'
import { faultWordsOf } from './fault-words.js'
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
              whyNot={state === 'Faulted' ? 'A faulted connector charges nobody.' : undefined}
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

function Trouble({ connector, online }: { readonly connector: Connector; readonly online: boolean }) {
  const { error_code: code, vendor_error_code: vendor, info, status } = connector
  const isWrong = code !== null && code !== 'NoError'
  if (!isWrong && (info === null || info === '')) {
    if (online || status === null) return null
    return <p class="sub">Its last word was {status}.</p>
  }
  const { means, toDo } = faultWordsOf(code)
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
