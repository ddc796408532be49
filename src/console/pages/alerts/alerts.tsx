// Alerts: what needs attention first, and what has ended on demand. One is acknowledged by whoever takes care of it; it ends by itself, with its cause.

import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { useQuery } from '../../client/address.js'
import { api, ask, type Schema } from '../../client/api.js'
import { agoText, durationText, momentText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { may } from '../../client/session.js'
import { Button } from '../../parts/button.js'
import { Segmented, Tag } from '../../parts/chip.js'
import { type Fact, Facts } from '../../parts/facts.js'
import { Field } from '../../parts/field.js'
import { Pager, useFilter, usePage } from '../../parts/pager.js'
import { PageHead, Panel } from '../../parts/panel.js'
import { EmptyState, Loaded } from '../../parts/states.js'
import { type Column, type NarrowRow, Table } from '../../parts/table.js'
import { attempt } from '../../parts/toast.js'
import { AcknowledgeAll, acknowledge, mayBeAcknowledged } from './acknowledge.js'
import { RulesDialog } from './rules.js'

type Alert = Schema<'Alert'>

const perPage = 50
const everySeconds = 10

/** `connector_faulted` as people say it. */
const wordsOf = (kind: string): string => sentence(kind.replaceAll('_', ' '))

const kinds = [
  'charge_point_offline',
  'connector_faulted',
  'charge_point_clock_off',
  'connections_refused',
  'session_implausible',
  'session_closed_after_silence',
  'charging_without_tariff',
  'site_power_exceeded',
  'power_limit_ignored',
  'power_limit_refused',
  'security_event',
  'certificate_expiring',
  'certificate_request_refused',
  'firmware_rollout_stopped',
  'webhook_endpoint_failing',
  'webhook_endpoint_disabled',
  'guest_payment',
  'storage_space_low',
] as const

/** As the service says it, as a sentence. */
const sentence = (message: string): string => message.charAt(0).toUpperCase() + message.slice(1)

const ended = ({ triggered_at, resolved_at }: Alert): number =>
  ((resolved_at === null ? Date.now() : Date.parse(resolved_at)) - Date.parse(triggered_at)) / 1_000

function State({ alert: { status, acknowledged_at, acknowledged_by_name: name } }: { readonly alert: Alert }) {
  if (status === 'resolved') return <Tag kind="ok">ended</Tag>
  if (acknowledged_at !== null)
    return (
      <span title={`Acknowledged by ${name}`}>
        <Tag kind="info">acknowledged</Tag>
      </span>
    )
  return <Tag kind="warn">{status === 'notice' ? 'notice' : 'open'}</Tag>
}

/** With the code by which one fault is told from another. */
function messageOf({ message, details }: Alert): string {
  const code = (details as { readonly error_code?: string }).error_code
  return code === undefined ? sentence(message) : `${sentence(message)}: ${code}`
}

const columns: readonly Column<Alert>[] = [
  {
    id: 'severity',
    name: 'Severity',
    width: '90px',
    cell: ({ severity, status }) => (
      <Tag kind={status === 'resolved' ? 'plain' : severity === 'critical' ? 'bad' : 'warn'}>{severity}</Tag>
    ),
  },
  {
    id: 'message',
    name: 'What',
    width: 'minmax(160px, 2fr)',
    cell: (alert) => <span title={wordsOf(alert.kind)}>{messageOf(alert)}</span>,
  },
  {
    id: 'charge_point',
    name: 'Charge point',
    width: 'minmax(110px, 1fr)',
    cell: ({ charge_point_id: id }) =>
      id === null ? null : (
        <Link class="link mono" href={`/charge-points/${encodeURIComponent(id)}`}>
          {id}
        </Link>
      ),
  },
  { id: 'since', name: 'Since', width: '110px', wideOnly: true, cell: ({ triggered_at: at }) => agoText(at) },
  {
    id: 'for',
    name: 'For',
    width: '100px',
    wideOnly: true,
    align: 'end',
    cell: (alert) => (alert.status === 'notice' ? '' : durationText(ended(alert))),
  },
  { id: 'state', name: 'State', width: '120px', cell: (alert) => <State alert={alert} /> },
]

const narrow: NarrowRow<Alert> = {
  title: messageOf,
  wraps: 'title',
  about: ({ charge_point_id: id, triggered_at: at }) => `${id === null ? '' : `${id}, `}${agoText(at)}`,
  end: (alert) => (alert.severity === 'critical' ? <Tag kind="bad">critical</Tag> : <State alert={alert} />),
}

/** What is known beside: each detail under its own name. */
function detailsOf({ details }: Alert): readonly Fact[] {
  return Object.entries(details as Readonly<Record<string, unknown>>)
    .filter(([name]) => name !== 'session_id')
    .map(([name, value]) => ({
      name: wordsOf(name.replace(/_seconds$/, '')),
      value: /_(?:since|at)$/.test(name)
        ? momentText(String(value))
        : /_seconds$/.test(name)
          ? durationText(Math.abs(Number(value)))
          : Array.isArray(value)
            ? value.join(', ')
            : String(value ?? ''),
    }))
}

function Detail({
  alert,
  close,
  reload,
}: {
  readonly alert: Alert
  readonly close: () => void
  readonly reload: () => void
}) {
  const sessionId = (alert.details as { readonly session_id?: string }).session_id

  async function acknowledgeIt(): Promise<void> {
    await attempt(() => acknowledge(alert), 'The alert is acknowledged, in your name.')
    reload()
  }

  return (
    <Panel
      title={wordsOf(alert.kind)}
      hint={<State alert={alert} />}
      padded
      actions={<Button kind="ghost" small icon="x" label="Close" onClick={close} />}
    >
      <div class="stack">
        <p>{sentence(alert.message)}.</p>
        <Facts
          of={[
            {
              name: 'Charge point',
              value:
                alert.charge_point_id === null ? undefined : (
                  <Link class="link mono" href={`/charge-points/${encodeURIComponent(alert.charge_point_id)}`}>
                    {alert.charge_point_id}
                  </Link>
                ),
            },
            { name: 'Connector', value: alert.connector_id },
            { name: 'Since', value: momentText(alert.triggered_at) },
            {
              name: 'Ended',
              value:
                alert.resolved_at === null
                  ? undefined
                  : `${momentText(alert.resolved_at)}${alert.resolution === null ? '' : `: ${alert.resolution}`}`,
            },
            {
              name: 'Acknowledged',
              value:
                alert.acknowledged_at === null ? undefined : (
                  <span title={alert.acknowledged_by ?? undefined}>
                    {momentText(alert.acknowledged_at)}, by {alert.acknowledged_by_name}
                  </span>
                ),
            },
            ...detailsOf(alert),
            {
              name: 'Session',
              value:
                sessionId === undefined ? undefined : (
                  <Link class="link mono" href={`/sessions/${sessionId}`}>
                    {sessionId}
                  </Link>
                ),
            },
            { name: 'Id', value: <span class="mono">{alert.alert_id}</span> },
          ]}
        />
        {may('write:charge_points') && mayBeAcknowledged(alert) && (
          <div class="row-of">
            <Button kind="primary" icon="check" onClick={() => void acknowledgeIt()}>
              Acknowledge
            </Button>
            <span class="dim">
              {alert.status === 'notice' ? 'It leaves this list.' : 'It stays until its cause is gone.'}
            </span>
          </div>
        )}
      </div>
    </Panel>
  )
}

function One({ id, close, reload }: { readonly id: string; readonly close: () => void; readonly reload: () => void }) {
  const alert = useResource(
    (signal) => ask(api.GET('/api/v1/alerts/{alert_id}', { params: { path: { alert_id: id } }, signal })),
    [id],
  )
  return (
    <Loaded of={alert}>
      {(data) => (
        <Detail
          alert={data}
          close={close}
          reload={() => {
            alert.reload()
            reload()
          }}
        />
      )}
    </Loaded>
  )
}

export function Page() {
  const [status, setStatus] = useFilter('status')
  const [kind, setKind] = useFilter('kind')
  const [chargePoint, setChargePoint] = useFilter('charge_point')
  const [chosen, choose] = useQuery('alert')
  const [page] = usePage()
  const [isRules, setRules] = useState(false)
  const list = useResource(
    (signal) =>
      ask(
        api.GET('/api/v1/alerts', {
          params: {
            query: {
              page,
              per_page: perPage,
              ...(status !== undefined && { status: status as Alert['status'] | 'all' }),
              ...(kind !== undefined && { kind: kind as Alert['kind'] }),
              ...(chargePoint !== undefined && { charge_point_id: chargePoint }),
            },
          },
          signal,
        }),
      ),
    [status, kind, chargePoint, page],
    { everySeconds },
  )
  return (
    <>
      <PageHead
        title="Alerts"
        about="What needs attention, until its cause is gone or somebody has acknowledged the notice"
        actions={
          <>
            {may('write:charge_points') && (
              <AcknowledgeAll alerts={(list.data?.alerts ?? []).filter(mayBeAcknowledged)} reload={list.reload} />
            )}
            {may('write:organisations') && (
              <Button icon="sliders-horizontal" onClick={() => setRules(true)}>
                Rules and mails
              </Button>
            )}
          </>
        }
      >
        <div class="filters">
          <Segmented
            label="State"
            value={status ?? ''}
            options={[
              { value: '', name: 'Needs attention' },
              { value: 'open', name: 'Open' },
              { value: 'notice', name: 'Notices' },
              { value: 'resolved', name: 'Ended' },
              { value: 'all', name: 'All' },
            ]}
            onChange={setStatus}
          />
          <Field
            label="Kind"
            hideLabel
            value={kind ?? ''}
            onChange={setKind}
            options={[{ value: '', name: 'Any kind' }, ...kinds.map((value) => ({ value, name: wordsOf(value) }))]}
          />
          <Field
            label="Charge point"
            hideLabel
            placeholder="Charge point"
            value={chargePoint ?? ''}
            onChange={setChargePoint}
            type="search"
            mono
          />
        </div>
      </PageHead>
      {chosen !== undefined && <One id={chosen} close={() => choose(undefined)} reload={list.reload} />}
      <Panel class="fills">
        <Loaded of={list}>
          {({ alerts, total }) => (
            <>
              {alerts.length === 0 ? (
                <EmptyState icon="circle-check" title={status === undefined ? 'Nothing needs you' : 'There are none'} />
              ) : (
                <Table
                  label="Alerts"
                  columns={columns}
                  narrow={narrow}
                  count={alerts.length}
                  rowAt={(at) => alerts[at] as Alert}
                  keyOf={({ alert_id }) => alert_id}
                  open={({ alert_id }) => choose(alert_id, true)}
                />
              )}
              <Pager total={total} perPage={perPage} of="alerts" />
            </>
          )}
        </Loaded>
      </Panel>
      {isRules && <RulesDialog close={() => setRules(false)} />}
    </>
  )
}
