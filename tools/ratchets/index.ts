// The list of measures, and their offences in the project. The allowed counts are in test/ratchets.json.

import { findEnglish } from './english.js'
import { findLargeRooms } from './large-rooms.js'
import { findLongFunctions } from './long-functions.js'
import { type Offence, readTree, type Tree } from './tree.js'
import { findUnusedExports } from './unused-exports.js'

interface Measure {
  /** Its name in test/ratchets.json. */
  readonly name: string
  readonly find: (tree: Tree) => Offence[]
}

const measures: readonly Measure[] = [
  { name: 'stilted English', find: findEnglish },
  { name: 'functions over 150 lines', find: findLongFunctions },
  { name: 'files over 40 in a folder', find: findLargeRooms },
  { name: 'unused exports', find: findUnusedExports },
]

/** The offences of each measure, by its name. `root` is the folder of the project. */
export function measureProject(root: string): ReadonlyMap<string, readonly Offence[]> {
  const tree = readTree(root)
  return new Map(measures.map(({ name, find }) => [name, find(tree)]))
}
