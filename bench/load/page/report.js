// The charts of a load report, drawn in the reader's browser with uPlot from the data in the page. It asks nobody for
// anything, and touches no text that came from outside.

;(() => {
  const uPlot = window.uPlot
  const { seconds, phases, distribution, targetRatePerSecond } = JSON.parse(
    document.getElementById('results').textContent,
  )
  const height = 250
  const minimumTime = 10
  const wholeSeconds = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200]
  let charts = []

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()

  function shownMs(value) {
    if (value >= 1000) return `${+(value / 1000).toPrecision(3)} s`
    return String(+value.toPrecision(3))
  }

  const shownCount = (value) => (value == null ? '-' : value.toLocaleString('en-US', { maximumFractionDigits: 2 }))
  const legendMs = (_chart, value) => (value == null ? '-' : `${shownMs(value)}${value >= 1000 ? '' : ' ms'}`)
  const legendCount = (_chart, value) => shownCount(value)

  function clock(value) {
    const whole = Math.round(value)
    return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
  }

  function axis(options) {
    return {
      stroke: colour('muted'),
      grid: { stroke: colour('grid'), width: 1 },
      ticks: { stroke: colour('grid'), width: 1, size: 4 },
      font: '11px system-ui, sans-serif',
      ...options,
    }
  }

  function line(label, name, value, options = {}) {
    return { label, stroke: colour(name), width: 1.75, points: { show: false }, value, ...options }
  }

  /** Whole powers of ten around the values. */
  function logarithmic(_chart, least, most) {
    if (least == null || most == null || most <= 0) return [0.1, 10]
    const from = 10 ** Math.floor(Math.log10(Math.max(least, 0.001)))
    const to = 10 ** Math.ceil(Math.log10(most))
    return [from, to > from ? to : from * 10]
  }

  const fromZero = (_chart, _least, most) => [0, most > 0 ? most * 1.08 : 1]

  const scales = {
    milliseconds: { distr: 3, range: logarithmic },
    count: { range: fromZero },
  }
  const milliseconds = () =>
    axis({
      scale: 'y',
      size: 56,
      values: (_chart, splits) => splits.map((value) => (value == null ? '' : shownMs(value))),
      filter: (_chart, splits) =>
        splits.map((value) => (Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-6 ? value : null)),
    })
  const counts = () =>
    axis({ scale: 'y', size: 56, values: (_chart, splits) => splits.map((value) => shownCount(value)) })

  /** What was before the measured time stands on a shade. */
  function shade(chart) {
    const { ctx } = chart
    for (const { name, from, to } of phases) {
      if (name === 'measured') continue
      const left = Math.max(chart.bbox.left, chart.valToPos(from, 'x', true))
      const right = Math.min(chart.bbox.left + chart.bbox.width, chart.valToPos(to, 'x', true))
      if (right <= left) continue
      ctx.save()
      ctx.fillStyle = colour('shade')
      ctx.fillRect(left, chart.bbox.top, right - left, chart.bbox.height)
      ctx.fillStyle = colour('muted')
      ctx.textAlign = 'left'
      ctx.textBaseline = 'top'
      ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`
      if (right - left > ctx.measureText(name).width + 8 * devicePixelRatio) {
        ctx.fillText(name, left + 4 * devicePixelRatio, chart.bbox.top + 5 * devicePixelRatio)
      }
      ctx.restore()
    }
  }

  function draw(id, options, data) {
    const place = document.getElementById(id)
    place.replaceChildren()
    const width = Math.max(280, place.clientWidth)
    const chart = new uPlot({ width, height, ...options }, data, place)
    charts.push({ chart, place })
  }

  function overTime(id, y, yAxis, series, columns, extraScales = {}, extraAxes = []) {
    const ends = Math.max(minimumTime, ...seconds.map(({ second }) => second))
    draw(
      id,
      {
        scales: { x: { time: false, range: () => [0, ends] }, y, ...extraScales },
        cursor: { sync: { key: 'time' }, drag: { x: false, y: false } },
        hooks: { drawClear: [shade] },
        axes: [
          axis({ size: 30, incrs: wholeSeconds, values: (_chart, splits) => splits.map(clock) }),
          yAxis,
          ...extraAxes,
        ],
        series: [{ label: 'time', value: (_chart, value) => (value == null ? '-' : clock(value)) }, ...series],
      },
      [seconds.map(({ second }) => second), ...columns.map((column) => seconds.map(column))],
    )
  }

  function distributionChart() {
    // 1 for 0 %, 10 for 90 %, 100 for 99 %: every nine is as wide as the one before it.
    const place = ([percentile]) => 1 / (1 - percentile / 100)
    const points = (of) => [of.map(place), of.map(([, value]) => value)]
    const latency = points(distribution.latencyMs)
    const serviceTime = points(distribution.serviceTimeMs)
    const named = [
      [2, '50 %'],
      [10, '90 %'],
      [100, '99 %'],
      [1_000, '99.9 %'],
      [10_000, '99.99 %'],
      [100_000, '99.999 %'],
      [1_000_000, '99.9999 %'],
    ]
    const most = Math.max(10, ...latency[0], ...serviceTime[0])
    const joined = uPlot.join([latency, serviceTime])
    draw(
      'distribution',
      {
        scales: { x: { time: false, distr: 3, range: () => [1, most] }, y: scales.milliseconds },
        cursor: { drag: { x: false, y: false } },
        axes: [
          axis({
            size: 30,
            splits: () => named.map(([value]) => value).filter((value) => value <= most),
            filter: (_chart, splits) => splits,
            values: (_chart, splits) => splits.map((value) => named.find(([one]) => one === value)?.[1] ?? ''),
          }),
          milliseconds(),
        ],
        series: [
          {
            label: 'percentile',
            value: (_chart, value) => (value == null ? '-' : `${+(100 * (1 - 1 / value)).toPrecision(6)} %`),
          },
          line('latency', 'one', legendMs, { spanGaps: true, fill: colour('fill') }),
          line('service time', 'two', legendMs, { spanGaps: true, dash: [5, 4] }),
        ],
      },
      joined,
    )
  }

  function drawAll() {
    for (const { chart } of charts) chart.destroy()
    charts = []
    distributionChart()
    overTime(
      'latency',
      scales.milliseconds,
      milliseconds(),
      [
        line('p50', 'one', legendMs),
        line('p90', 'two', legendMs),
        line('p99', 'three', legendMs),
        line('max', 'four', legendMs, { width: 1 }),
      ],
      [(row) => row.p50, (row) => row.p90, (row) => row.p99, (row) => row.maximum],
    )
    const target =
      targetRatePerSecond === null ? [] : [line('wanted', 'muted', legendCount, { dash: [4, 4], width: 1 })]
    overTime(
      'throughput',
      scales.count,
      counts(),
      [
        line('answered', 'one', legendCount, { fill: colour('fill') }),
        line('sent', 'two', legendCount, { dash: [5, 4] }),
        ...target,
      ],
      [(row) => row.answered, (row) => row.sent, ...(target.length > 0 ? [() => targetRatePerSecond] : [])],
    )
    overTime(
      'connections',
      scales.count,
      counts(),
      [
        line('connected', 'one', legendCount, { fill: colour('fill') }),
        line('booted', 'two', legendCount, { dash: [5, 4] }),
      ],
      [(row) => row.connected, (row) => row.booted],
    )
    overTime(
      'errors',
      scales.count,
      counts(),
      [
        line('errors', 'bad', legendCount, {
          fill: colour('bad'),
          width: 0,
          paths: uPlot.paths.bars({ size: [0.7, 24] }),
        }),
      ],
      [(row) => row.errors],
    )
    overTime(
      'generator',
      scales.count,
      counts(),
      [
        line('late by, ms', 'three', legendCount, { scale: 'y' }),
        line('cores', 'two', legendCount, { scale: 'cores' }),
      ],
      [(row) => row.lagMs, (row) => row.generatorCores],
      { cores: { range: (_chart, _least, most) => [0, Math.max(1, most * 1.08)] } },
      [axis({ scale: 'cores', side: 1, size: 40, grid: { show: false } })],
    )
    document.body.dataset.drawn = String(charts.length)
  }

  drawAll()
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll)
  addEventListener('resize', () => {
    for (const { chart, place } of charts) chart.setSize({ width: Math.max(280, place.clientWidth), height })
  })
})()
