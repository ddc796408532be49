// One rollout: how far it is, what can be done with it, and how each of its charge points is.

import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { PageProps } from '../../app/pages.js'
import { useQuery } from '../../client/address.js'
import { api, ask, type Schema } from '../../client/api.js'
import { agoText, momentText, numberText, percentText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { may } from '../../client/session.js'
import { Ask } from '../../parts/ask.js'
import { Button } from '../../parts/button.js'
import { Chip, Tag, type TagKind } from '../../parts/chip.js'
import { Facts } from '../../parts/facts.js'
import { Field } from '../../parts/field.js'
import { Kpis } from '../../parts/kpi.js'
import { PageHead, Panel } from '../../parts/panel.js'
import { EmptyState, Loaded } from '../../parts/states.js'
import { type Column, Table } from '../../parts/table.js'

type Rollout = Schema<'FirmwareRollout'>
type Charger = Rollout['chargers'][number]
type Act = 'stage' | 'pause' | 'resume' | 'stop'

const words = (text: string): string => text.replaceAll('_', ' ')
const kinds: Readonly<Record<string, TagKind>> = {
  installed: 'ok',
  failed: 'bad',
  completed: 'ok',
  in_progress: 'info',
  paused: 'warn',
}

const waits: Readonly<Record<string, string>> = {
  connection: 'until it is connected',
  end_of_charging: 'until no car charges',
  resume: 'until the rollout goes on',
}

const columns: readonly Column<Charger>[] = [
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
    cell: ({ status }) => <Tag kind={kinds[status] ?? 'plain'}>{words(status)}</Tag>,
  },
  {
    id: 'about',
    name: 'What is known',
    width: 'minmax(160px, 2fr)',
    wideOnly: true,
    cell: ({ waiting_for: waiting, detail }) => (
      <span title={detail ?? ''}>
        {waiting === null ? (detail ?? '') : `waits ${waits[waiting] ?? words(waiting)}`}
      </span>
    ),
  },
  {
    id: 'version',
    name: 'Version',
    width: 'minmax(110px, 1fr)',
    wideOnly: true,
    cell: ({ version_before: before, firmware_version: now }) =>
      now === null ? <span class="dim">{before ?? ''}</span> : `${before ?? '?'} → ${now}`,
  },
  { id: 'updated', name: 'Since', width: '110px', cell: ({ updated_at: at }) => agoText(at) },
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
  const next = rollout.started_stages + 1
  return (
    <>
      <PageHead
        title={`Rollout of ${rollout.target_version ?? rollout.firmware_url.split('/').at(-1)}`}
        about={
          <>
            <Tag kind={kinds[rollout.status] ?? 'plain'}>{words(rollout.status)}</Tag>{' '}
            {rollout.reason === 'failure_budget'
              ? 'It stopped itself: too many charge points of a stage have failed.'
              : rollout.reason === 'stopped_by_request'
                ? 'Somebody has stopped it.'
                : rollout.pause_reason}
          </>
        }
        actions={
          isOpen && (
            <>
              {next <= rollout.stage_count && (
                <Button kind="primary" icon="play" onClick={() => setAct('stage')}>
                  {`Begin stage ${next}`}
                </Button>
              )}
              {rollout.status === 'in_progress' && (
                <Button icon="pause" onClick={() => setAct('pause')}>
                  Pause
                </Button>
              )}
              {rollout.status === 'paused' && (
                <Button icon="play" onClick={() => setAct('resume')}>
                  Resume
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
              rollout.soaks_until === null ? words(rollout.strategy) : `next by itself ${agoText(rollout.soaks_until)}`,
          },
          { name: 'Done', value: percentText(all === 0 ? 0 : (installed + failed) / all, 0) },
        ]}
      />
      <Panel title="Stages" padded>
        <Facts
          of={stages.slice(0, 20).map(({ stage, status: state, charge_point_ids: ids }) => ({
            name: `Stage ${stage}`,
            value: (
              <>
                <Tag kind={kinds[state] ?? 'plain'}>{words(state)}</Tag> {numberText(ids.length)} charge points
              </>
            ),
          }))}
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
            {words(one)}
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
            rowAt={(at) => rows[at] as Charger}
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
  if (act === 'stage')
    return (
      <Ask
        title={`Begin stage ${next}?`}
        does={`Send it to ${numberText(ids.length)}`}
        {...(ids.length > 1 && { word: String(ids.length) })}
        run={() => ask(api.POST('/api/v1/cpo/firmware/rollout/{rollout_id}/execute-stage', { params }))}
        close={close}
      >
        {`${numberText(ids.length)} charge points are told to download and install the firmware, and restart. Those that are not connected follow when they come back.`}
      </Ask>
    )
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
        <Field label="Why (optional)" value={reason} onChange={setReason} autofocus />
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
