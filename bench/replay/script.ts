// A script: what a charge point and a service have said to each other, frame by frame, as a capture is exported (JSON Lines). It is checked when it is read.

export interface ScriptFrame {
  /** Since the beginning. */
  readonly atMs: number
  /** `in`: of the charge point. */
  readonly direction: 'in' | 'out'
  /** A frame of OCPP 1.6-J; what cannot be read as one is played as it is. */
  readonly text: string
  readonly elements: readonly unknown[] | undefined
}

export interface Script {
  readonly chargePointId: string
  /** Wall ms. */
  readonly startedAt: number
  readonly frames: readonly ScriptFrame[]
}

/** Throws an Error that says what is wrong, and in which line. */
export function readScript(text: string): Script {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const head = parse(lines[0] ?? '', 1)
  if (head.type !== 'ampshard-script' || head.version !== 1)
    throw new Error('line 1 is not the head of a script of version 1: {"type":"ampshard-script","version":1,...}')
  if (typeof head.charge_point_id !== 'string') throw new Error('line 1 names no charge_point_id')
  return {
    chargePointId: head.charge_point_id,
    startedAt: Date.parse(String(head.started_at)) || 0,
    frames: lines.slice(1).map((line, at) => frameOf(parse(line, at + 2), at + 2)),
  }
}

function parse(line: string, number: number): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>
  } catch {
    // Said below.
  }
  throw new Error(`line ${number} is not a JSON object`)
}

function frameOf({ at_ms, direction, frame }: Readonly<Record<string, unknown>>, number: number): ScriptFrame {
  const isKnown = direction === 'in' || direction === 'out'
  if (typeof at_ms !== 'number' || !isKnown || typeof frame !== 'string')
    throw new Error(`line ${number} is not {"at_ms": number, "direction": "in" or "out", "frame": text}`)
  return { atMs: at_ms, direction, text: frame, elements: elementsOf(frame) }
}

export function elementsOf(text: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
