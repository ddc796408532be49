// One rollout: how far it is, what can be done with it, and how each of its charge points is.

import { useMemo, useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { PageProps } from '../../app/pages.js'
import { useQuery } from '../../client/address.js'
import { api, ask } from '../../client/api.js'
import { agoText, momentText, numberText, percentText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import {
  isStageOver,
  type Rollout,
  type RolloutCharger,
  rolloutKinds,
  rolloutStatus,
  rolloutWords,
  stageStatus,
  waitingText,
  waitText,
} from '../../client/rollout-words.js'
import { may } from '../../client/session.js'
import { Ask } from '../../parts/ask.js'
import { Button } from '../../parts/button.js'
import { Chip, Tag } from '../../parts/chip.js'
import { Facts } from '../../parts/facts.js'
import { Field } from '../../parts/field.js'
import { Kpis } from '../../parts/kpi.js'
import { PageHead, Panel } from '../../parts/panel.js'
import { EmptyState, Loaded } from '../../parts/states.js'
import { type Column, Table } from '../../parts/table.js'

type Act = 'stage' | 'pause' | 'resume' | 'stop'

const columnsOf = (rollout: Rollout): readonly Column<RolloutCharger>[] => [
  {
    id: 'charge-point',
    name: 'Charge point',
    width: 'minmax(120px, 1fr)',
    cell: ({ charge_point_id: id }) => (
      <Link href={`/charge-points/${encodeURIComponent(id)}`} class="mono">
        {id}
      </Link>
    ),
  },
  { id: 'stage', name: 'Stage', width: '60px', align: 'end', cell: ({ stage }) => String(stage) },
  {
    id: 'status',
    name: 'State',
    width: '120px',
    narrow: 'end',
    cell: ({ status }) => <Tag kind={rolloutKinds[status] ?? 'plain'}>{rolloutWords(status)}</Tag>,
  },
  {
    id: 'about',
    name: 'What is known',
    width: 'minmax(160px, 2fr)',
    cell: (charger) => {
      const text = waitText(charger, rollout) ?? charger.detail ?? ''
      return <span title={text}>{text}</span>
    },
  },
  {
    id: 'version',
    name: 'Version',
    width: 'minmax(110px, 1fr)',
    wideOnly: true,
    cell: ({ version_before: before, firmware_version: now }) =>
      now === null ? <span class="dim">{before ?? ''}</span> : `${before ?? '?'} → ${now}`,
  },
  { id: 'updated', name: 'Since', width: '110px', wideOnly: true, cell: ({ updated_at: at }) => agoText(at) },
]

export function Page({ params: { rollout_id = '' } }: PageProps) {
  const rollout = useResource(
    (signal) => ask(api.GET('/api/v1/cpo/firmware/rollout/{rollout_id}', { params: { path: { rollout_id } }, signal })),
    [rollout_id],
    { everySeconds: 5 },
  )
  return <Loaded of={rollout}>{(data) => <Shown rollout={data} reload={rollout.reload} />}</Loaded>
}

function Shown({ rollout, reload }: { readonly rollout: Rollout; readonly reload: () => void }) {
  const [act, setAct] = useState<Act>()
  const [status, setStatus] = useQuery('status')
  const { charge_points: all, installed, failed, stages, chargers } = rollout
  const isOpen = may('write:charge_points') && !['completed', 'failed'].includes(rollout.status)
  const rows = status === undefined ? chargers : chargers.filter((charger) => charger.status === status)
  const statuses = [...new Set(chargers.map((charger) => charger.status))]
  const [statusText, kind] = rolloutStatus(rollout)
  const columns = useMemo(() => columnsOf(rollout), [rollout])
  const next = rollout.started_stages + 1
  const isOver = isStageOver(rollout)
  const isPaused = rollout.status === 'paused'
  // With a time until the next stage, nobody begins it before its time.
  const mayBegin = next <= rollout.stage_count && (isOver || rollout.soak_minutes === null)
  return (
    <>
      <PageHead
        title={`Rollout of ${rollout.target_version ?? rollout.firmware_url.split('/').at(-1)}`}
        about={
          <>
            <Tag kind={kind}>{statusText}</Tag>{' '}
            {rollout.reason === 'failure_budget'
              ? 'It stopped itself: too many charge points of a stage have failed.'
              : rollout.reason === 'stopped_by_request'
                ? 'Somebody has stopped it.'
                : isPaused
                  ? rollout.pause_reason
                  : waitingText(rollout)}
          </>
        }
        actions={
          isOpen && (
            <>
              {isPaused && (
                <Button kind="primary" icon="play" onClick={() => setAct('resume')}>
                  Resume
                </Button>
              )}
              {mayBegin && (
                <Button
                  {...(isOver && !isPaused && { kind: 'primary' as const })}
                  icon="play"
                  onClick={() => setAct('stage')}
                >
                  {`Begin stage ${next}`}
                </Button>
              )}
              {rollout.status === 'in_progress' && (
                <Button icon="pause" onClick={() => setAct('pause')}>
                  Pause
                </Button>
              )}
              <Button kind="danger" icon="x" onClick={() => setAct('stop')}>
                Stop
              </Button>
            </>
          )
        }
      />
      <Kpis
        of={[
          { name: 'Installed', value: numberText(installed), unit: `of ${numberText(all)}` },
          {
            name: 'Failed',
            value: numberText(failed),
            about: `stops above ${rollout.max_failure_percent} % of a stage`,
          },
          {
            name: 'Stage',
            value: numberText(rollout.started_stages),
            unit: `of ${numberText(rollout.stage_count)}`,
            about:
              rollout.soaks_until === null
                ? rolloutWords(rollout.strategy)
                : `next by itself ${agoText(rollout.soaks_until)}`,
          },
          { name: 'Done', value: percentText(all === 0 ? 0 : (installed + failed) / all, 0) },
        ]}
      />
      <Panel title="Stages" padded>
        <div class="stack">
          <Facts
            of={stages.slice(0, 20).map((of) => {
              const [words, ofStage] = stageStatus(rollout, of)
              const count = of.charge_point_ids.length
              return {
                name: `Stage ${of.stage}`,
                value: (
                  <>
                    <Tag kind={ofStage}>{words}</Tag>{' '}
                    {count === 1 ? '1 charge point' : `${numberText(count)} charge points`}
                  </>
                ),
              }
            })}
          />
          <Facts
            of={[
              { name: 'Firmware', value: <span class="mono">{rollout.firmware_url}</span> },
              {
                name: 'Made',
                value: (
                  <span
                    title={rollout.created_by}
                  >{`${momentText(rollout.created_at)} by ${rollout.created_by_name}`}</span>
                ),
              },
              { name: 'While a car charges', value: rollout.not_while_charging ? 'waits' : 'is sent all the same' },
              { name: 'Signed', value: rollout.is_signed ? 'yes' : 'no' },
            ]}
          />
        </div>
      </Panel>
      <Panel
        title="Charge points"
        class="fills"
        actions={statuses.map((one) => (
          <Chip
            key={one}
            pressed={one === status}
            onClick={() => setStatus(one === status ? undefined : one)}
            count={chargers.filter((charger) => charger.status === one).length}
          >
            {rolloutWords(one)}
          </Chip>
        ))}
      >
        {rows.length === 0 ? (
          <EmptyState icon="layers" title="None of the charge points is in this state" />
        ) : (
          <Table
            label="Charge points of the rollout"
            columns={columns}
            count={rows.length}
            rowAt={(at) => rows[at] as RolloutCharger}
            keyOf={({ charge_point_id: id }) => id}
          />
        )}
      </Panel>
      {act !== undefined && (
        <Question
          act={act}
          rollout={rollout}
          close={() => {
            setAct(undefined)
            reload()
          }}
        />
      )}
    </>
  )
}

function Question({
  act,
  rollout,
  close,
}: {
  readonly act: Act
  readonly rollout: Rollout
  readonly close: () => void
}) {
  const [reason, setReason] = useState('')
  const params = { path: { rollout_id: rollout.rollout_id } }
  const next = rollout.started_stages + 1
  const ids = rollout.stages[next - 1]?.charge_point_ids ?? []
  if (act === 'stage') {
    const isEarly = !isStageOver(rollout)
    return (
      <Ask
        title={isEarly ? `Begin stage ${next} before stage ${next - 1} has ended?` : `Begin stage ${next}?`}
        does={`Send it to ${numberText(ids.length)}`}
        danger={isEarly}
        {...(ids.length > 1 && { word: String(ids.length) })}
        run={() =>
          ask(
            api.POST('/api/v1/cpo/firmware/rollout/{rollout_id}/execute-stage', {
              params,
              ...(isEarly && { body: { stage: next } }),
            }),
          )
        }
        close={close}
      >
        {isEarly && <p>Whether the firmware works is not known yet: stage {next - 1} has not ended.</p>}
        <p>
          {ids.length === 1 ? '1 charge point is' : `${numberText(ids.length)} charge points are`} told to download and
          install the firmware, and restart. Those that are not connected follow when they come back.
        </p>
      </Ask>
    )
  }
  if (act === 'pause')
    return (
      <Ask
        title="Pause the rollout?"
        does="Pause it"
        run={() =>
          ask(
            api.POST('/api/v1/cpo/firmware/rollout/{rollout_id}/pause', {
              params,
              body: reason === '' ? {} : { reason },
            }),
          )
        }
        close={close}
      >
        <p>Charge points that were sent the update go on with it; no other is sent it until the rollout goes on.</p>
        <Field label="Why (optional)" path="/reason" value={reason} onChange={setReason} autofocus />
      </Ask>
    )
  if (act === 'resume')
    return (
      <Ask
        title="Resume the rollout?"
        does="Resume it"
        run={() => ask(api.POST('/api/v1/cpo/firmware/rollout/{rollout_id}/resume', { params }))}
        close={close}
      >
        It goes on where it was; no other stage begins.
      </Ask>
    )
  return (
    <Ask
      title="Stop the rollout for good?"
      does="Stop it"
      danger
      word="stop"
      run={() => ask(api.POST('/api/v1/cpo/firmware/rollout/{rollout_id}/stop', { params }))}
      close={close}
    >
      Charge points that were sent the update go on with it; no other is sent it. It cannot be resumed. Type stop to do
      it.
    </Ask>
  )
}
