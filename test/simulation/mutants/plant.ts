// The simulated world, or another module, with one module that it needs changed, as a file of its own: a process that loads it has one
// file to load instead of a thousand.

import { readFile, rm, writeFile } from 'node:fs/promises'
import { basename, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildContext, context } from 'esbuild'
import type { PlantedBug } from './mutant.js'

/** Throws when a line is not there any more: the bug is of another version of the code. */
export function plant(bug: PlantedBug, source: string): string {
  const edits = bug.also === undefined ? [bug] : [bug, bug.also]
  return edits.reduce((text, { find, replace }) => {
    const parts = text.split(find)
    if (parts.length !== 2)
      throw new Error(`the planted bug ${bug.name} is found ${parts.length - 1} times in ${bug.file}: ${find}`)
    return parts.join(replace)
  }, source)
}

export interface Planter {
  /** Runs `use` with a file that exports what the entry does, which is there as long as that takes. */
  with<Result>(bug: PlantedBug, use: (file: string) => Promise<Result>): Promise<Result>
  end(): Promise<void>
}

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const world = 'test/simulation/world.ts'

/** `bugs` are those that may be planted; `entry` is the path of a source from the project's root. */
export async function createPlanter(bugs: readonly PlantedBug[], entry = world): Promise<Planter> {
  let planted: PlantedBug | undefined
  const pathOf = ({ file }: PlantedBug): string => root + file.replaceAll('/', sep)
  const names = new Set(bugs.map(({ file }) => basename(file, '.ts')))
  const building: BuildContext = await context({
    entryPoints: [root + entry.replaceAll('/', sep)],
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    write: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'planted',
        setup(build) {
          build.onLoad({ filter: new RegExp(`[\\\\/](${[...names].join('|')})\\.ts$`) }, async ({ path }) =>
            planted === undefined || path !== pathOf(planted)
              ? undefined
              : { contents: plant(planted, await readFile(path, 'utf8')), loader: 'ts' },
          )
        },
      },
    ],
  })
  // One at a time: all of them are made by the same build.
  let before: Promise<unknown> = Promise.resolve()

  async function write(bug: PlantedBug): Promise<string> {
    planted = bug
    const { outputFiles = [] } = await building.rebuild()
    const file = fileURLToPath(new URL(`planted-${bug.name}.js`, import.meta.url))
    await writeFile(file, outputFiles[0]?.contents ?? '')
    return file
  }

  return {
    async with(bug, use) {
      const written = before.then(() => write(bug))
      before = written.catch(() => undefined)
      const file = await written
      try {
        return await use(file)
      } finally {
        await rm(file, { force: true })
      }
    },
    end: () => building.dispose(),
  }
}
