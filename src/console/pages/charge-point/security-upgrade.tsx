// The way of the charge point to a higher security profile: where it stands, step by step, why it has failed and what to do, and beginning it.

import { useEffect, useRef, useState } from 'preact/hooks'
import { api, ask } from '../../client/api.js'
import { agoText, momentText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { may } from '../../client/session.js'
import { Button } from '../../parts/button.js'
import { Panel } from '../../parts/panel.js'
import { EmptyState, Loaded } from '../../parts/states.js'
import type { State } from './here.js'
import { Ladder, outcomeWords } from './ladder.js'
import { RaiseDialog } from './raise-security-profile.js'
import { higherProfiles, remedyOf, type Standing, titleOfStep, type UpgradeStep } from './security-upgrade-words.js'

export interface UpgradeProps {
  readonly data: State
  readonly reload: () => void
}

export function Upgrade({ data, reload }: UpgradeProps) {
  const { charge_point_id, online } = data
  const standing = useResource(
    (signal) =>
      ask(
        api.GET('/api/v1/chargepoints/{charge_point_id}/security-profile', {
          params: { path: { charge_point_id } },
          signal,
        }),
      ),
    [charge_point_id],
    { everySeconds: 3 },
  )
  const status = standing.data?.status
  const seen = useRef(status)
  useEffect(() => {
    if (seen.current === 'running' && status !== 'running') reload()
    seen.current = status
  }, [status])
  const [isRaising, setRaising] = useState(false)
  const higher = higherProfiles(data)
  const isRunning = status === 'running'
  const mayRaise = may('write:charge_points') && typeof higher !== 'string'
  return (
    <Panel
      title="To a higher profile"
      hint={standing.data === undefined ? undefined : hintOf(standing.data)}
      actions={
        mayRaise && (
          <Button
            small
            icon="shield-check"
            disabled={standing.data === undefined}
            whyNot={
              online
                ? isRunning
                  ? 'It is under way already.'
                  : undefined
                : 'It is offline: begin once it has connected.'
            }
            onClick={() => setRaising(true)}
          >
            {status === 'failed' ? 'Begin again' : 'Begin'}
          </Button>
        )
      }
    >
      <Loaded of={standing} rows={3}>
        {(found) =>
          found.status === null ? (
            <EmptyState icon="shield" title="Nobody has asked for a higher profile">
              <span>
                {typeof higher === 'string'
                  ? higher
                  : `It can be taken to profile ${higher.join(' or ')}${online ? '.' : ' when it is connected.'}`}
              </span>
            </EmptyState>
          ) : (
            <Progress of={found} />
          )
        }
      </Loaded>
      {isRaising && typeof higher !== 'string' && (
        <RaiseDialog
          data={data}
          higher={higher}
          refusedAuthority={standing.data?.reason === 'refused' && standing.data.step === 'authority_certificate'}
          close={() => setRaising(false)}
          done={() => {
            standing.reload()
            reload()
          }}
        />
      )}
    </Panel>
  )
}

function hintOf({ status, from_security_profile: from, target_security_profile: to, ended_at: end }: Standing) {
  const ended = end === null ? '' : `, ${agoText(end)}`
  if (status === 'running') return `On its way from ${from} to ${to}`
  if (status === 'completed') return `It has come to profile ${to}${ended}`
  return status === 'failed' ? `It has not come to profile ${to}${ended}` : undefined
}

function Progress({ of }: { readonly of: Standing }) {
  const { status, begun_by, begun_at, until, steps } = of
  return (
    <>
      <Ladder
        rungs={steps.map((step) => ({
          id: `${step.security_profile} ${step.name}`,
          outcome: step.status,
          title: titleOfStep(step),
          read: outcomeWords[step.status],
          detail: detailOf(step),
        }))}
      />
      <div class="below-ladder">
        {status === 'failed' && (
          <>
            <p>{remedyOf(of)}</p>
            <p class="sub">It can connect as before.</p>
          </>
        )}
        {status === 'running' && until !== null && (
          <p class="sub">
            Until it has come in the new way, it can connect as before. If it has not by {momentText(until)}, this has
            failed.
          </p>
        )}
        {begun_at !== null && (
          <p class="dim">
            Begun {momentText(begun_at)}
            {begun_by !== null && (
              <>
                {' '}
                by <span class="mono">{begun_by}</span>
              </>
            )}
          </p>
        )}
      </div>
    </>
  )
}

function detailOf({ status, detail, attempts, started_at, ended_at }: UpgradeStep): string {
  const at = status === 'running' ? started_at : ended_at
  return [
    detail ?? '',
    at === null
      ? ''
      : `${status === 'running' ? 'Since' : 'At'} ${momentText(at)}${attempts > 1 ? `, sent ${attempts} times` : ''}.`,
  ]
    .filter((part) => part !== '')
    .join(' ')
}
