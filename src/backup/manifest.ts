// The manifest of a backup: what was copied, when, and the hash by which the copy is known. It is written last, so a
// directory without one holds no backup.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { type Static, Type } from 'typebox'

export const manifestFile = 'manifest.json'

/** Raised when an older program could not make sense of a backup. */
export const backupFormat = 1

const sha256Pattern = '^[0-9a-f]{64}$'

const manifestSchema = Type.Object({
  format: Type.Integer({ minimum: 1 }),
  /** The program's. */
  version: Type.String(),
  schema_version: Type.Integer({ minimum: 1 }),
  /** Before the copy began: everything acknowledged by then is in it. */
  taken_at: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' }),
  completed_at: Type.String(),
  /** Of the store's file. */
  bytes: Type.Integer({ minimum: 1 }),
  sha256: Type.String({ pattern: sha256Pattern }),
  /** Rows by table. */
  rows: Type.Record(Type.String(), Type.Integer({ minimum: 0 })),
  /** Of the authorities that the installation had made; absent in backups from before they were in them. */
  authorities: Type.Optional(
    Type.Array(
      Type.Object({
        file: Type.String({ pattern: '^[^/\\\\.][^/\\\\]*\\.pem$' }),
        sha256: Type.String({ pattern: sha256Pattern }),
      }),
    ),
  ),
  /** Whether every row, list and total of the copy was checked against each other. */
  checked: Type.Boolean(),
})

export type Manifest = Static<typeof manifestSchema>

const isManifest = new Ajv({ strict: false }).compile<Manifest>(manifestSchema)

/** Undefined when the directory holds no complete backup. Throws when it holds one that this program cannot read. */
export function readManifest(directory: string): Manifest | undefined {
  const path = join(directory, manifestFile)
  if (!existsSync(path)) return undefined
  const manifest = parsed(path)
  const { format } = manifest as { format?: unknown }
  if (typeof format === 'number' && format > backupFormat)
    throw new Error(
      `the backup at ${directory} has format ${format}, this program knows ${backupFormat}: use a newer one`,
    )
  if (!isManifest(manifest)) throw new Error(`${path} is not the manifest of a backup`)
  return manifest
}

function parsed(path: string): unknown {
  try {
    return Object(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    throw new Error(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}
