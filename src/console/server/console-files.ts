// The files of the console as the build has left them in dist/assets/console: each is read when it is first asked for, and kept.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Encoding, takes } from '../../api/pipeline/accepted-encoding.js'
import { assetPath } from '../../runtime/assets.js'

/** What the build says of a file; tools/build-console.ts writes it. */
interface ListedFile {
  readonly type: string
  /** Which compressed forms lie beside it, the smallest first. */
  readonly encodings: readonly Encoding[]
}

export interface ConsoleManifest {
  readonly files: Readonly<Record<string, ListedFile>>
}

export interface ConsoleFile {
  readonly type: string
  readonly encoding: Encoding | undefined
  readonly body: Uint8Array
}

const endings: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' }

export interface ConsoleFiles {
  /** `accepted` is what the header Accept-Encoding says. Undefined for what is not one of the files. */
  read(name: string, accepted: string | undefined): ConsoleFile | undefined
}

export function createConsoleFiles(folder = assetPath('console')): ConsoleFiles {
  const bodies = new Map<string, Uint8Array>()
  let listed: ConsoleManifest['files'] | undefined

  function manifest(): ConsoleManifest['files'] {
    const path = join(folder, 'manifest.json')
    return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as ConsoleManifest).files : {}
  }

  function bodyOf(name: string): Uint8Array {
    const kept = bodies.get(name) ?? readFileSync(join(folder, name))
    bodies.set(name, kept)
    return kept
  }

  return {
    read(name, accepted) {
      listed ??= manifest()
      if (!Object.hasOwn(listed, name)) return undefined
      const { type, encodings } = listed[name] as ListedFile
      const encoding = encodings.find((one) => takes(accepted, one))
      return { type, encoding, body: bodyOf(encoding === undefined ? name : name + endings[encoding]) }
    },
  }
}
