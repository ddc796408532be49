// Writes the outline of a glyph as TrueType keeps it (OpenType, glyf table, simple glyph). For instances of variable fonts, whose outlines
// are computed: the font library's own writer of them does not work with the version of its stream library that it is installed with.

interface Path {
  readonly commands: readonly { readonly command: string; readonly args: readonly number[] }[]
}

interface Point {
  readonly x: number
  readonly y: number
  readonly isOnCurve: boolean
}

const onCurve = 1
const bytesPerPoint = 5

export const outlineEncoder = {
  /** Without instructions: they are for the outline of the default instance. */
  encodeSimple({ commands }: Path): Buffer {
    const points: Point[] = []
    const ends: number[] = []
    for (const { command, args } of commands) {
      if (command === 'closePath') ends.push(points.length - 1)
      for (let at = 0; at + 1 < args.length; at += 2) {
        const isOnCurve = !(command === 'quadraticCurveTo' && at === 0)
        points.push({ x: Math.round(args[at] as number), y: Math.round(args[at + 1] as number), isOnCurve })
      }
    }
    if (points.length > 0 && ends.at(-1) !== points.length - 1) ends.push(points.length - 1)
    return encoded(points, ends)
  },
}

function encoded(points: readonly Point[], ends: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * Math.ceil((12 + 2 * ends.length + bytesPerPoint * points.length) / 4))
  let at = 0
  const write = (value: number): void => {
    at = bytes.writeInt16BE(value, at)
  }
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
  write(ends.length)
  for (const edge of points.length === 0
    ? [0, 0, 0, 0]
    : [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)])
    write(edge)
  for (const end of ends) write(end)
  write(0)
  for (const { isOnCurve } of points) at = bytes.writeUInt8(isOnCurve ? onCurve : 0, at)
  for (const coordinates of [xs, ys])
    for (const [index, value] of coordinates.entries()) write(value - (coordinates[index - 1] ?? 0))
  return bytes
}
