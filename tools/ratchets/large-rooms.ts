// Counts the files that a folder has beyond forty. Folders inside it are rooms of their own.

import { dirname } from 'node:path'
import type { Offence, Tree } from './tree.js'

const largestFiles = 40

export function findLargeRooms({ paths }: Tree): Offence[] {
  const rooms = new Map<string, string[]>()
  for (const path of paths) rooms.set(dirname(path), [...(rooms.get(dirname(path)) ?? []), path])
  return [...rooms].flatMap(([room, files]) =>
    files.slice(largestFiles).map((path) => ({ room, path, line: 1, text: `${room} has ${files.length} files` })),
  )
}
