// The authorities that the installation has made, in a backup: without them, nothing that a restored store knows of certificates would be good,
// and every charge point would need another. Their keys are copied as they are stored, encrypted where there is a passphrase.

import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { authorityFilesIn, authorityFolder, storeAuthority } from '../jobs/pki/authority-files.js'
import type { Manifest } from './manifest.js'

type Copied = NonNullable<Manifest['authorities']>

/** To be called once the store is copied: whatever has signed what is in the copy is there then. */
export function copyAuthorities(data: string, place: string): Copied {
  return authorityFilesIn(data).map((file) => {
    const content = readFileSync(join(data, authorityFolder, file), 'utf8')
    storeAuthority(join(place, authorityFolder, file), content)
    return { file, sha256: sha256Of(content) }
  })
}

export interface ReadAuthority {
  readonly file: string
  readonly content: string
}

/** Those of a backup. Throws where one is not what the manifest says. */
export function readAuthorities(directory: string, { authorities = [] }: Manifest): readonly ReadAuthority[] {
  return authorities.map(({ file, sha256 }) => {
    const path = join(directory, authorityFolder, file)
    if (!existsSync(path)) throw new Error(`the backup is damaged: it has no ${join(authorityFolder, file)}`)
    const content = readFileSync(path, 'utf8')
    if (sha256Of(content) !== sha256)
      throw new Error(`the backup is damaged: ${path} has another SHA-256 than its manifest`)
    return { file, content }
  })
}

/** Beside those that are there, which stay as they are: what they have signed since is good. */
export function addAuthorities(data: string, authorities: readonly ReadAuthority[]): void {
  const present = authorityFilesIn(data)
  for (const { file, content } of authorities)
    if (!present.includes(file)) storeAuthority(join(data, authorityFolder, file), content)
}

function sha256Of(content: string): string {
  return createHash('sha256').update(content).digest('hex')
}
