// Series of figures over the last day, in memory of a fixed size: one value a second for ten minutes, and one for each ten seconds of a day. A
// distribution goes with them. Each series costs 37 KB, the distribution 1.5 MB. Nothing here is ever written to disk.

/** What several values become when they are shown as one. */
export type Combine = 'mean' | 'maximum' | 'sum'

export interface Measured {
  readonly value: number
  readonly combine: Combine
}

export interface Sample {
  /** By the name of the series; one that is missing has a gap. */
  readonly figures: ReadonlyMap<string, Measured>
  /** What has been counted since the sample before, by bucket of the distribution. */
  readonly counts: readonly number[]
}

export interface SeriesQuery {
  readonly seconds: number
  /** At most so many values of each series. */
  readonly points: number
}

export interface SeriesPart {
  /** Monotonic ms of the beginning of the first step. */
  readonly from: number
  readonly stepSeconds: number
  readonly points: number
  /** By name; null where nothing is known. */
  readonly figures: ReadonlyMap<string, readonly (number | null)[]>
  /** By step, and in it by bucket. */
  readonly counts: readonly (readonly number[])[]
}

export interface SeriesRing {
  /** `at` is monotonic ms, and does not fall. */
  add(at: number, sample: Sample): void
  /** Up to the newest sample. */
  read(query: SeriesQuery): SeriesPart
}

const fineSlots = 600
const coarseSlots = 8_640
const coarseSeconds = 10

interface Track {
  readonly values: Float32Array
  /** How many samples are in the newest slot. */
  samples: number
}

interface Column {
  readonly combine: Combine
  readonly fine: Track
  readonly coarse: Track
}

/** One resolution: a number for each slot of time, the newest in the place of the oldest. */
interface Scale {
  readonly seconds: number
  readonly slots: number
  readonly track: (column: Column) => Track
  readonly counts: Uint32Array
  newest: number
}

/** `most`: series beyond so many are not kept. */
export function createSeriesRing(buckets: number, most: number): SeriesRing {
  const columns = new Map<string, Column>()
  const scale = (seconds: number, slots: number, track: Scale['track']): Scale => ({
    seconds,
    slots,
    track,
    counts: new Uint32Array(slots * buckets),
    newest: -1,
  })
  const fine = scale(1, fineSlots, (column) => column.fine)
  const coarse = scale(coarseSeconds, coarseSlots, (column) => column.coarse)

  function columnOf(name: string, combine: Combine): Column | undefined {
    const known = columns.get(name)
    if (known !== undefined || columns.size >= most) return known
    const track = (slots: number): Track => ({ values: new Float32Array(slots).fill(Number.NaN), samples: 0 })
    const column = { combine, fine: track(fineSlots), coarse: track(coarseSlots) }
    columns.set(name, column)
    return column
  }

  /** Empties the slots between the newest and the one of `slot`. */
  function advance(scale: Scale, slot: number): void {
    if (slot === scale.newest) return
    const first = Math.max(scale.newest + 1, slot - scale.slots + 1)
    for (let passed = first; passed <= slot; passed++) {
      const place = passed % scale.slots
      for (const column of columns.values()) scale.track(column).values[place] = Number.NaN
      scale.counts.fill(0, place * buckets, (place + 1) * buckets)
    }
    for (const column of columns.values()) scale.track(column).samples = 0
    scale.newest = slot
  }

  function addTo(scale: Scale, at: number, { figures, counts }: Sample): void {
    const slot = Math.max(scale.newest, Math.floor(at / 1000 / scale.seconds))
    advance(scale, slot)
    const place = slot % scale.slots
    for (const [name, { value, combine }] of figures) {
      const column = columnOf(name, combine)
      if (column === undefined) continue
      const track = scale.track(column)
      track.values[place] = joined(combine, track.values[place] as number, track.samples, value)
      track.samples++
    }
    for (const [bucket, count] of counts.entries()) {
      const index = place * buckets + bucket
      scale.counts[index] = (scale.counts[index] as number) + count
    }
  }

  return {
    add(at, sample) {
      addTo(fine, at, sample)
      addTo(coarse, at, sample)
    },
    read({ seconds, points }) {
      const scale = seconds <= fineSlots ? fine : coarse
      const wanted = Math.min(scale.slots, Math.ceil(seconds / scale.seconds))
      const each = Math.ceil(wanted / points)
      const end = scale.newest + 1
      // Steps begin at multiples of their length, so that the next answer has the same ones.
      const first = Math.floor((end - wanted) / each) * each
      const steps = Math.ceil((end - first) / each)

      function slotsOf(step: number): number[] {
        const from = first + step * each
        const slots = Array.from({ length: Math.min(each, end - from) }, (_, index) => from + index)
        return slots.filter((slot) => slot >= 0 && slot <= scale.newest && slot > scale.newest - scale.slots)
      }

      const figures = new Map<string, (number | null)[]>()
      const places = Array.from({ length: steps }, (_, step) => slotsOf(step).map((slot) => slot % scale.slots))
      for (const [name, column] of columns) {
        const { values } = scale.track(column)
        figures.set(
          name,
          places.map((own) =>
            combined(
              column.combine,
              own.map((place) => values[place] as number),
            ),
          ),
        )
      }
      const counts = places.map((own) =>
        Array.from({ length: buckets }, (_, bucket) =>
          own.reduce((sum, place) => sum + (scale.counts[place * buckets + bucket] as number), 0),
        ),
      )
      return { from: first * scale.seconds * 1000, stepSeconds: each * scale.seconds, points: steps, figures, counts }
    },
  }
}

/** A value with another one, where it stands for so many already. */
function joined(combine: Combine, before: number, samples: number, value: number): number {
  if (samples === 0) return value
  if (combine === 'maximum') return Math.max(before, value)
  return combine === 'sum' ? before + value : before + (value - before) / (samples + 1)
}

function combined(combine: Combine, values: readonly number[]): number | null {
  const known = values.filter((value) => !Number.isNaN(value))
  if (known.length === 0) return null
  if (combine === 'maximum') return Math.max(...known)
  const sum = known.reduce((total, value) => total + value, 0)
  return combine === 'sum' ? sum : sum / known.length
}
