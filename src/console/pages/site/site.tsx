// One site: what it may draw and draws, what each car is given and for which reason, how that was in the past, and how it would have been with less or more.

import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { type ApiError, api, ask, type Schema } from '../../client/api.js'
import { durationText, numberText, timeText } from '../../client/format.js'
import { asApiError, useResource } from '../../client/resource.js'
import { may } from '../../client/session.js'
import { Button } from '../../parts/button.js'
import { Tag, type TagKind } from '../../parts/chip.js'
import { Facts } from '../../parts/facts.js'
import { Field } from '../../parts/field.js'
import { Kpis } from '../../parts/kpi.js'
import { Panel } from '../../parts/panel.js'
import { EmptyState, ErrorState, Loaded } from '../../parts/states.js'
import { type Column, Table } from '../../parts/table.js'
import { type Site, useSite } from './here.js'
import { kwText, PastRange, PowerChart, usePast } from './past-power.js'
import { strategyName } from './strategies.js'

type Allocation = Schema<'PowerAllocation'>
type Charger = Allocation['chargers'][number]
type Past = Schema<'PastPowerAllocation'>

const kinds: Readonly<Record<string, TagKind>> = {
  applied: 'ok',
  pending: 'info',
  paused: 'warn',
  rejected: 'bad',
  ignored: 'bad',
}

const columns: readonly Column<Charger>[] = [
  {
    id: 'charge-point',
    name: 'Connector',
    narrow: 'title',
    width: 'minmax(120px, 1fr)',
    cell: ({ charge_point_id: id, connector_id: connector }) => (
      <Link href={`/charge-points/${encodeURIComponent(id)}`} class="mono">
        {`${id} ${connector}`}
      </Link>
    ),
  },
  {
    id: 'allocated',
    name: 'Is given',
    width: '90px',
    align: 'end',
    narrow: 'end',
    cell: ({ allocated_kw: kw }) => <b>{kwText(kw)}</b>,
  },
  { id: 'drawn', name: 'Draws', width: '90px', align: 'end', wideOnly: true, cell: ({ drawn_kw: kw }) => kwText(kw) },
  {
    id: 'demand',
    name: 'Takes at most',
    width: '90px',
    align: 'end',
    wideOnly: true,
    cell: ({ demand_kw: kw }) => kwText(kw),
  },
  {
    id: 'state',
    name: 'Limit',
    narrow: 'title',
    width: '90px',
    cell: ({ state }) => <Tag kind={kinds[state] ?? 'plain'}>{state}</Tag>,
  },
  {
    id: 'why',
    name: 'Why',
    width: 'minmax(180px, 3fr)',
    wraps: true,
    cell: ({ explanation, reason }) => <span title={`${reason}: ${explanation}`}>{explanation}</span>,
  },
]

export function Page() {
  const { site } = useSite()
  const { site_id } = site
  const params = { path: { site_id } }
  const summary = useResource(
    (signal) => ask(api.GET('/api/v1/sites/{site_id}/summary', { params, signal })),
    [site_id],
    { everySeconds: 10 },
  )
  const allocation = useResource(
    (signal) => ask(api.GET('/api/v1/smart-charging/sites/{site_id}/allocation', { params, signal })),
    [site_id],
    { everySeconds: 5, enabled: site.is_managed },
  )
  return (
    <>
      <Loaded of={summary} rows={2}>
        {(data) => (
          <Kpis
            of={[
              { name: 'Draws', value: kwText(data.current_draw_kw) },
              {
                name: 'Limit now',
                value: data.budget_kw === null ? '–' : kwText(data.budget_kw),
                about: `grid connection ${kwText(data.max_grid_power_kw)}`,
              },
              { name: 'Cars that charge', value: numberText(data.active_sessions) },
              {
                name: 'Charge points',
                value: numberText(site.charger_count),
                about: statesText(data),
              },
            ]}
          />
        )}
      </Loaded>
      {site.is_managed ? (
        <>
          <Loaded of={allocation}>{(data) => <Shares allocation={data} />}</Loaded>
          <PastPanel site={site} />
        </>
      ) : (
        <Panel>
          <EmptyState icon="plug-zap" title="The charge points of this site do not share its power">
            <span>Each may draw all that it can.</span>
            {may('write:charge_points') && (
              <Link class="link" href={`/sites/${encodeURIComponent(site_id)}/power`}>
                Share the power
              </Link>
            )}
          </EmptyState>
        </Panel>
      )}
    </>
  )
}

function statesText({ charger_statuses: { offline = 0 }, faulted }: Schema<'SiteSummary'>): string {
  const told = [faulted > 0 && `${faulted} faulted`, offline > 0 && `${offline} offline`].filter(Boolean)
  return told.join(', ') || 'none faulted, none offline'
}

function Shares({ allocation }: { readonly allocation: Allocation }) {
  const { chargers, unlimited, warnings } = allocation
  return (
    <Panel
      title="Who is given what, and why"
      hint={`${strategyName(allocation.strategy)}: ${kwText(allocation.allocated_kw)} of ${kwText(allocation.total_budget_kw)} given, ${kwText(allocation.reserved_kw)} set aside, as of ${timeText(allocation.computed_at)}`}
    >
      {chargers.length === 0 ? (
        <EmptyState icon="plug-zap" title="No car charges here now">
          <span>
            {warnings[0]?.message ?? `The first one to come may draw up to ${kwText(allocation.total_budget_kw)}.`}
          </span>
        </EmptyState>
      ) : (
        <Table
          label="What each car is given"
          fits
          columns={columns}
          count={chargers.length}
          rowAt={(at) => chargers[at] as Charger}
          keyOf={({ charge_point_id: id, connector_id: connector }) => `${id} ${connector}`}
        />
      )}
      {unlimited.length > 0 && (
        <div class="padded">
          <Facts
            of={unlimited.map(({ charge_point_id: id, counted_kw: kw, reason }) => ({
              name: id,
              value: `takes no standing limit, ${kwText(kw)} set aside: ${reason}`,
            }))}
          />
        </div>
      )}
    </Panel>
  )
}

function PastPanel({ site: { site_id, budget_kw } }: { readonly site: Site }) {
  const { range, setRange, period } = usePast()
  const [limit, setLimit] = useState('')
  const [simulated, setSimulated] = useState<Past>()
  const [error, setError] = useState<ApiError>()
  const [isRunning, setRunning] = useState(false)

  const history = useResource(
    (signal) =>
      ask(
        api.GET('/api/v1/smart-charging/sites/{site_id}/allocation/history', {
          params: { path: { site_id }, query: period() },
          signal,
        }),
      ),
    [site_id, range],
    { everySeconds: 300 },
  )

  async function simulate(): Promise<void> {
    setRunning(true)
    setError(undefined)
    try {
      const body = {
        configuration: { max_power_kw: Number(limit), strategy: 'equal' as const },
        past: period(),
      }
      const answer = await ask(
        api.POST('/api/v1/smart-charging/sites/{site_id}/simulate', { params: { path: { site_id } }, body }),
      )
      setSimulated(answer as Past)
    } catch (failure) {
      setError(asApiError(failure))
      setSimulated(undefined)
    } finally {
      setRunning(false)
    }
  }

  return (
    <Panel
      title="How it was"
      hint="the metered average of each step"
      actions={
        <PastRange
          range={range}
          setRange={(next) => {
            setSimulated(undefined)
            setRange(next)
          }}
        />
      }
      padded
    >
      <Loaded of={history} rows={3}>
        {({ points }) =>
          points.length === 0 ? (
            <p class="dim">No car charged here in this time.</p>
          ) : (
            <PowerChart label="Power of the site: what it might draw, what was given, and what was drawn" of={points} />
          )
        }
      </Loaded>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault()
          void simulate()
        }}
      >
        <Field
          label="What if the site had had so many kW"
          value={limit}
          onChange={setLimit}
          inputmode="decimal"
          placeholder={budget_kw === null ? '' : numberText(budget_kw / 2, 1)}
          hint="Shared equally, over the time above. Nothing is changed, and nothing is sent."
        />
        <Button type="submit" icon="calculator" disabled={!(Number(limit) > 0) || isRunning}>
          Work it out
        </Button>
      </form>
      {error !== undefined && <ErrorState error={error} />}
      {simulated !== undefined && <Outcome past={simulated} limit={limit} />}
    </Panel>
  )
}

function Outcome({ past, limit }: { readonly past: Past; readonly limit: string }) {
  const share = past.drawn_kwh === 0 ? 0 : past.not_served_kwh / past.drawn_kwh
  return (
    <div role="status">
      <p>
        {past.not_served_kwh === 0
          ? `With ${limit} kW, every car would have had what it drew.`
          : `With ${limit} kW, ${numberText(past.not_served_kwh, 1)} of ${numberText(past.drawn_kwh, 1)} kWh would have had to wait (${numberText(share * 100, 1)} %).`}{' '}
        {`Cars would have had less than they wanted for ${durationText(past.limited_minutes * 60)}; they did for ${durationText(past.was_limited_minutes * 60)}.`}
      </p>
      <Facts
        of={past.chargers
          .filter(({ not_served_kwh: kwh }) => kwh > 0)
          .sort((one, other) => other.not_served_kwh - one.not_served_kwh)
          .slice(0, 10)
          .map(({ charge_point_id: id, not_served_kwh: kwh, limited_minutes: minutes }) => ({
            name: id,
            value: `${numberText(kwh, 1)} kWh later, ${durationText(minutes * 60)} with less`,
          }))}
      />
    </div>
  )
}
