// What a charge point knows of time passing: it never looks at a clock or sets a timer of its own.

export interface TimetableEntry {
  /** Undefined once it has run or was cancelled. */
  task: (() => void) | undefined
}

export interface Timetable {
  /** Monotonic milliseconds. */
  now(): number
  after(delayMs: number, task: () => void): TimetableEntry
  cancel(entry: TimetableEntry | undefined): void
}
