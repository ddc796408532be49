// The figures of the fleet now, and of today where whoever looks may see money.

import { api, ask } from '../../client/api.js'
import { totals } from '../../client/fleet.js'
import { moneyText, numberText, zone } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { may } from '../../client/session.js'
import { type Kpi, Kpis } from '../../parts/kpi.js'
import { Sparkline } from '../../parts/sparkline.js'

const everySeconds = 60
const seriesEverySeconds = 300
const dayMs = 86_400_000
const stepSeconds = 900 as const

/** When the day began in the zone of the organization. */
function dayBegin(now: number): Date {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone(),
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(now)
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value ?? 0)
  return new Date(now - ((of('hour') * 60 + of('minute')) * 60 + of('second')) * 1_000 - (now % 1_000))
}

function scaled(value: number, unit: string): readonly [string, string] {
  if (value >= 1e6) return [numberText(value / 1e6, 2), `G${unit}`]
  if (value >= 1e3) return [numberText(value / 1e3, 1), `M${unit}`]
  return [numberText(value, 1), `k${unit}`]
}

const drawn = ['power_watts', 'sessions', 'energy_wh', 'online', 'faulted'] as const
type Drawn = (typeof drawn)[number]

/** The last 24 hours of a figure; nothing where nothing of them is known. */
function useLines(): (metric: Drawn, label: string, color?: string) => Pick<Kpi, 'line'> {
  const series = useResource(
    async (signal) => {
      const now = Date.now()
      const query = {
        metrics: [...drawn],
        from: new Date(now - dayMs).toISOString(),
        to: new Date(now).toISOString(),
        step: stepSeconds,
      }
      return (await ask(api.GET('/api/v1/cpo/fleet/series', { params: { query }, signal }))).metrics
    },
    [],
    { everySeconds: seriesEverySeconds, enabled: may('read:analytics') },
  )
  return (metric, label, color) => {
    const values = series.data?.[metric] ?? []
    const known = values.filter((value) => value !== null)
    if (known.length < 2) return {}
    const bounds = [Math.min(...known), Math.max(...known)].map((value) => numberText(value))
    return {
      line: (
        <Sparkline
          values={values}
          label={`${label} over the last 24 hours: from ${bounds[0]} to ${bounds[1]}`}
          isBetween={metric === 'online'}
          {...(color !== undefined && { color })}
        />
      ),
    }
  }
}

const dash = '–'

/** Of one currency, as nearly everywhere, its code is the unit. */
function revenueOf(today: readonly { readonly total: number; readonly currency: string }[] | undefined) {
  if (today === undefined) return { value: dash }
  const texts = today.map(({ total, currency }) => moneyText(total.toFixed(2), currency))
  const [only = '0', ...others] = texts
  if (others.length > 0) return { value: texts.join(', ') }
  const [value = '', unit] = only.split(' ')
  return { value, ...(unit !== undefined && { unit }) }
}

export function Figures() {
  const now = totals.value
  const lineOf = useLines()
  const maySeeMoney = may('read:billing')
  const today = useResource(
    async (signal) => {
      const query = { from: dayBegin(Date.now()).toISOString() }
      return (await ask(api.GET('/api/v1/billing/revenue', { params: { query }, signal }))).totals
    },
    [],
    { everySeconds, enabled: maySeeMoney },
  )
  const [power, powerUnit] = now === undefined ? [dash, ''] : scaled(now.power_kw, 'W')
  const energy = today.data?.reduce((sum, { energy_kwh: kwh }) => sum + kwh, 0)
  const [energyText, energyUnit] = energy === undefined ? [dash, ''] : scaled(energy, 'Wh')
  const sessions = today.data?.reduce((sum, { count }) => sum + count, 0) ?? 0
  const charging = now?.connectors.by_status.Charging ?? 0
  const share = now === undefined || now.total === 0 ? undefined : now.online / now.total
  const figures: readonly Kpi[] = [
    {
      name: 'Power now',
      value: power,
      unit: powerUnit,
      about: now && `${numberText(charging)} connectors charge`,
      ...lineOf('power_watts', 'Watts'),
    },
    {
      name: 'Sessions running',
      value: now === undefined ? dash : numberText(now.active_sessions),
      about: now && `${numberText(now.connectors.total)} connectors in all`,
      ...lineOf('sessions', 'Sessions that run'),
    },
    ...(maySeeMoney
      ? [
          {
            name: 'Energy today',
            value: energyText,
            unit: energyUnit,
            about: `${numberText(sessions)} sessions have ended`,
            ...lineOf('energy_wh', 'Watt hours in each quarter of an hour'),
          },
          {
            name: 'Revenue today',
            ...revenueOf(today.data),
            about: 'ended sessions, with tax',
          },
        ]
      : []),
    {
      name: 'Online',
      value: share === undefined ? dash : numberText(share * 100, 2),
      unit: '%',
      about: now && `${numberText(now.online)} of ${numberText(now.total)} charge points`,
      ...lineOf('online', 'Charge points online', '--ok'),
    },
    {
      name: 'Faulted connectors',
      value: now === undefined ? dash : numberText(now.connectors.by_status.Faulted ?? 0),
      about: now && `${numberText(now.connectors.by_status.Unavailable ?? 0)} out of service`,
      ...lineOf('faulted', 'Charge points that cannot be used for a fault', '--bad'),
    },
  ]
  return <Kpis of={figures} />
}
