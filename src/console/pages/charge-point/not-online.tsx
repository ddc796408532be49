// Why a charge point is not online: the check that stops it, what to do about it in words for somebody who knows no OCPP, what probably led to it, its
// attempts and its neighbours.

import './not-online.css'
import './two-sided.css'
import { Link } from 'wouter-preact'
import { api, ask } from '../../client/api.js'
import { agoText, durationText, minuteText, momentText, numberText, timeText } from '../../client/format.js'
import { type Resource, useResource } from '../../client/resource.js'
import { Button } from '../../parts/button.js'
import { Tag } from '../../parts/chip.js'
import { copyText } from '../../parts/download.js'
import { Icon } from '../../parts/icon.js'
import { Panel } from '../../parts/panel.js'
import { StateLabel, stateOf } from '../../parts/state-glyph.js'
import { Ladder, type Rung } from './ladder.js'
import { PossibleAttempts } from './possible-attempts.js'
import {
  actionText,
  addressWords,
  type Diagnosis,
  lostTogetherText,
  type Stage,
  stageWords,
  technicianText,
} from './words.js'

export function useDiagnosis(id: string, everySeconds = 5): Resource<Diagnosis> {
  return useResource(
    (signal) =>
      ask(
        api.GET('/api/v1/chargepoints/{charge_point_id}/connection-diagnosis', {
          params: { path: { charge_point_id: id } },
          signal,
        }),
      ),
    [id],
    { everySeconds },
  )
}

export interface NotOnlineProps {
  readonly data: Diagnosis
  /** The one thing that can be done here about it, where there is one. */
  readonly remedy?: preact.ComponentChildren
}

export function NotOnline({ data, remedy }: NotOnlineProps) {
  return (
    <div class="two-sided">
      <div class="stack">
        <ToDo data={data} remedy={remedy} />
        <Attempts data={data} />
      </div>
      <div class="stack">
        <Checks stages={data.stages} />
        {data.neighbours.length > 0 && <Neighbours data={data} />}
      </div>
    </div>
  )
}

function Checks({ stages }: { readonly stages: readonly Stage[] }) {
  return (
    <Panel title="Where it is stopped" hint="the checks of each connection, in their order">
      <Ladder
        rungs={stages.map((stage) => ({
          id: stage.stage,
          title: titleOf(stage),
          detail: stage.detail,
          ...standings[stage.outcome],
        }))}
      />
    </Panel>
  )
}

const standings: Readonly<Record<Stage['outcome'], Pick<Rung, 'outcome' | 'read'>>> = {
  passed: { outcome: 'passed' },
  failed: { outcome: 'failed' },
  not_asked: { outcome: 'skipped', read: 'not asked' },
  not_reached: { outcome: 'pending', read: 'not reached' },
}

function titleOf({ stage, outcome }: Stage): string {
  const { passed, failed, named } = stageWords[stage]
  if (outcome === 'passed') return passed
  return outcome === 'failed' ? failed : named
}

function ToDo({ data, remedy }: { readonly data: Diagnosis; readonly remedy: preact.ComponentChildren }) {
  const { probable_cause: led, refused_since: since } = data
  const address = addressWords(data)
  const copy = () =>
    copyText(technicianText(data, data.ocpp_endpoint), 'Copied. Paste it into a message to the technician.')
  return (
    <Panel title="What to do" class="to-do">
      <div class="inside">
        <p class="lead">{data.cause}</p>
        {data.lost_together !== null && <p class="sub">{lostTogetherText(data.lost_together)}</p>}
        {data.steps.length === 1 ? (
          <p class="advice">{data.advice}</p>
        ) : (
          <ol class="advice">
            {data.steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        )}
        {led !== null && (
          <p class="led">
            <Icon name="info" />
            <span>
              {actionText(led.action)} at {momentText(led.at)}
              {led.by === null ? '' : ` by ${led.by}`}
              {since === null
                ? ', shortly before it went away.'
                : `. The first refusal was ${durationText((Date.parse(since) - Date.parse(led.at)) / 1_000)} later.`}
            </span>
          </p>
        )}
        {address !== undefined && (
          <p class="sub">
            {address} <span class="mono">{data.ocpp_endpoint}</span>
          </p>
        )}
        <div class="row-of">
          {data.differs_from.map(({ charge_point_id, name }) => (
            <Link
              key={charge_point_id}
              class="button plain small"
              href={`/charge-points/${encodeURIComponent(charge_point_id)}`}
              title={name}
            >
              Open {charge_point_id}
            </Link>
          ))}
          {remedy}
          <Button icon="copy" onClick={() => void copy()}>
            Copy this for the technician
          </Button>
        </div>
      </div>
    </Panel>
  )
}

function Attempts({ data }: { readonly data: Diagnosis }) {
  const { attempts_24h: hours, last, similar, refused_since: since } = data
  const count = hours.reduce((sum, hour) => sum + hour.count, 0)
  const most = Math.max(1, ...hours.map((hour) => hour.count))
  if (count === 0 && similar.length === 0)
    return (
      <Panel title="Refused attempts" hint="none in 24 hours" padded>
        <p class="sub">
          Nothing has been refused under its id, or under one that is like it. <Link href="/refused">Refused</Link> has
          those of unknown charge points, of which it may be one.
        </p>
      </Panel>
    )
  return (
    <Panel
      title="Refused attempts"
      hint={`${numberText(count)} refused in 24 hours${since === null ? '' : `, the first ${agoText(since)}`}`}
      class="attempts"
    >
      {count > 0 && (
        <div class="hours" role="img" aria-label={`Refused attempts by the hour; at most ${most}`}>
          {hours.map(({ at, count: of }) => (
            <i key={at} title={`${minuteText(at)}: ${of}`} class={of === 0 ? 'none' : ''} ref={tall(of / most)} />
          ))}
          <span>{minuteText(hours[0]?.at ?? Date.now())}</span>
          <span>now</span>
        </div>
      )}
      {last.length > 0 && (
        <table>
          <thead>
            <tr>
              <th>When</th>
              <th>From</th>
              <th>Refused as</th>
              <th class="wide">What it was answered</th>
            </tr>
          </thead>
          <tbody>
            {last.slice(0, 8).map((attempt) => (
              <tr key={attempt.attempt_id} title={attempt.cause}>
                <td class="mono">
                  {timeText(attempt.at)}
                  {attempt.times > 1 && <span class="dim"> ×{numberText(attempt.times)}</span>}
                </td>
                <td class="mono">{attempt.remote_address ?? 'not known'}</td>
                <td>
                  <Tag kind="bad">{attempt.reason}</Tag> <span class="dim">{attempt.http_status}</span>
                </td>
                <td class="wide sub">{attempt.advice}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {last[0]?.reason === 'flapping' && (
        <p class="sub letting">Only refused attempts count here, and not the connections that were let in before.</p>
      )}
      {similar.length > 0 && <PossibleAttempts of={similar} />}
    </Panel>
  )
}

const tall = (share: number) => (element: HTMLElement | null) => {
  if (element !== null) element.style.height = `${Math.max(4, Math.round(share * 100))}%`
}

function Neighbours({ data }: { readonly data: Diagnosis }) {
  const online = data.neighbours.filter((one) => one.online).length
  return (
    <Panel title="Its neighbours" hint={`${online} of ${data.neighbours.length} connected`}>
      <ul class="neighbours">
        {data.neighbours.map(({ charge_point_id, status, online: isOnline, same_address, name }) => (
          <li key={charge_point_id}>
            <Link class="mono" href={`/charge-points/${encodeURIComponent(charge_point_id)}`} title={name}>
              {charge_point_id}
            </Link>
            <StateLabel state={stateOf(status)} />
            <span class="dim">
              {same_address ? 'same network, ' : ''}
              {isOnline ? 'connected' : 'not connected'}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
