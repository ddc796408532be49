// How power was shared over the last hours or days: a chart of what might be drawn, what was given and what was drawn, and how far back it goes.

import { useQuery } from '../../client/address.js'
import { powerText } from '../../client/format.js'
import { Chart } from '../../parts/chart.js'
import { Segmented } from '../../parts/chip.js'

export const kwText = (kw: number | null): string => (kw === null ? '–' : powerText(kw * 1_000))

const ranges = {
  day: { name: '24 h', seconds: 86_400, bucket: '5min' },
  week: { name: '7 d', seconds: 7 * 86_400, bucket: '15min' },
  month: { name: '30 d', seconds: 30 * 86_400, bucket: '1hour' },
} as const
type Range = keyof typeof ranges

export interface Past {
  readonly range: Range
  readonly setRange: (range: Range) => void
  /** Up to now, as the service is asked for it. */
  readonly period: () => { readonly start: string; readonly end: string; readonly bucket: '5min' | '15min' | '1hour' }
}

/** How far back stands in the address. */
export function usePast(): Past {
  const [asked, set] = useQuery('range')
  const range: Range = asked === 'week' || asked === 'month' ? asked : 'day'
  const { seconds, bucket } = ranges[range]
  return {
    range,
    setRange: (next) => set(next === 'day' ? undefined : next),
    period() {
      const end = Math.ceil(Date.now() / 60_000) * 60_000
      return { start: new Date(end - seconds * 1_000).toISOString(), end: new Date(end).toISOString(), bucket }
    },
  }
}

export function PastRange({ range, setRange }: Pick<Past, 'range' | 'setRange'>) {
  return (
    <Segmented
      label="How far back"
      value={range}
      options={Object.entries(ranges).map(([value, { name }]) => ({ value: value as Range, name }))}
      onChange={setRange}
    />
  )
}

interface Point {
  readonly timestamp: string
  readonly drawn_kw: number
  readonly allocated_kw: number
  readonly budget_kw: number
}

interface PowerChartProps {
  readonly label: string
  readonly of: readonly Point[]
  readonly height?: number
}

export function PowerChart({ of, ...rest }: PowerChartProps) {
  return (
    <Chart
      {...rest}
      times={of.map(({ timestamp }) => Date.parse(timestamp) / 1_000)}
      axis={kwText}
      series={[
        {
          name: 'drawn',
          values: of.map(({ drawn_kw: kw }) => kw),
          color: '--chart-1',
          text: kwText,
          fill: true,
        },
        { name: 'given', values: of.map(({ allocated_kw: kw }) => kw), color: '--chart-2', text: kwText },
        {
          name: 'might draw',
          values: of.map(({ budget_kw: kw }) => kw),
          color: '--chart-3',
          text: kwText,
          dashed: true,
        },
      ]}
    />
  )
}
