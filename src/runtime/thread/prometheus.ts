// Writes measurements in the Prometheus text format, out of snapshots that other threads have counted.
// prom-client keeps its own counters per thread; ours are counted on the hot paths, so only its format is used.

import { Counter, Gauge, Registry } from 'prom-client'

export type Labels = Readonly<Record<string, string>>

export interface Exposition {
  counter(name: string, help: string, value: number, labels?: Labels): void
  gauge(name: string, help: string, value: number, labels?: Labels): void
  /** Seconds as Prometheus wants them; bounds and sum in ms. */
  histogram(
    name: string,
    help: string,
    times: { readonly bounds: readonly number[]; readonly counts: readonly number[]; readonly sumMs: number },
    labels?: Labels,
  ): void
  text(): Promise<string>
}

export function createExposition(): Exposition {
  const registry = new Registry()
  const histograms: string[] = []

  function metric(kind: typeof Counter | typeof Gauge, name: string, help: string, labels: Labels): Counter | Gauge {
    const known = registry.getSingleMetric(name) as Counter | Gauge | undefined
    return known ?? new kind({ name, help, labelNames: Object.keys(labels), registers: [registry] })
  }

  return {
    counter: (name, help, value, labels = {}) => metric(Counter, name, help, labels).inc({ ...labels }, value),
    gauge: (name, help, value, labels = {}) => (metric(Gauge, name, help, labels) as Gauge).set({ ...labels }, value),
    histogram(name, help, { bounds, counts, sumMs }, labels = {}) {
      const shown = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
      if (!histograms.some((line) => line.startsWith(`# HELP ${name} `)))
        histograms.push(`# HELP ${name} ${help}`, `# TYPE ${name} histogram`)
      let below = 0
      for (const [at, count] of counts.entries()) {
        below += count
        const bound = bounds[at]
        const le = bound === undefined ? '+Inf' : String(bound / 1000)
        histograms.push(`${name}_bucket{${[...shown, `le="${le}"`].join(',')}} ${below}`)
      }
      const suffix = shown.length === 0 ? '' : `{${shown.join(',')}}`
      histograms.push(`${name}_sum${suffix} ${sumMs / 1000}`, `${name}_count${suffix} ${below}`)
    },
    text: async () => `${await registry.metrics()}\n${histograms.join('\n')}\n`,
  }
}
