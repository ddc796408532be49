// Watches the free space of the store's disk: tells the store what the disk still takes, and raises and resolves the alert.
// An alert that the disk has no room for is raised as soon as it has.

import type { Logger } from 'pino'
import { storageSpaceLow, storageSubject } from '../alert-kinds/storage-space-low.js'
import { finding, standingChanges } from '../alerts/alert.js'
import { installationTable } from '../records/organization.js'
import type { Clock } from '../runtime/clock.js'
import { makeId } from '../runtime/ids.js'
import { lowBytesOf, type Space } from '../runtime/store/storage/space.js'
import { type Store, unowned } from '../runtime/store/store.js'

export interface SpaceWatch {
  /** Measures now; resolves when an alert that this raises or resolves is on disk, or was refused. */
  look(): Promise<void>
  /** Bytes that the service may still use; undefined until it was measured. */
  readonly freeBytes: number | undefined
}

export interface DiskSpace {
  readonly freeBytes: number
  readonly totalBytes: number
}

export interface SpaceWatchOptions {
  /** Whose disk it is: of each node's alert one process decides. */
  readonly node: number
  /** Throws where it cannot be measured. */
  readonly measureDisk: () => DiskSpace
  readonly space: Space
  /** Undefined before the store is open: nobody can be alerted yet. */
  readonly store: () => Pick<Store, 'view' | 'commit'> | undefined
  /** What an operator takes for low; else it follows from the size of the disk. */
  readonly lowBytes: number | undefined
  readonly clock: Clock
  readonly random: () => number
  readonly log: Logger
}

export function watchSpace(options: SpaceWatchOptions): SpaceWatch {
  const { node, measureDisk, space, store, lowBytes, clock, random, log } = options
  let freeBytes: number | undefined
  let telling = false

  function measure(): number {
    const disk = measureDisk()
    freeBytes = disk.freeBytes
    const low = lowBytes ?? lowBytesOf(disk.totalBytes)
    const before = space.level
    const level = space.note(freeBytes, low)
    if (level > before) log.warn({ level, freeBytes }, 'free space of the disk is low')
    else if (level < before) log.info({ level, freeBytes }, 'there is more free space again')
    return low
  }

  async function look(): Promise<void> {
    const low = measure()
    const opened = store()
    if (opened === undefined || telling) return
    const owner = opened.view().get(installationTable, ['installation'])?.default_organization_id
    if (owner === undefined) return
    const now = clock.now()
    const newId = (prefix: string) => makeId(prefix, now, random)
    const about = { organizationId: owner, subject: storageSubject(node) }
    const found = finding(storageSpaceLow, about, { freeBytes: freeBytes ?? 0, lowBytes: Math.round(low) })
    const changes = standingChanges(opened.view(), found, space.level > 0, { now, newId })
    if (changes.length === 0) return
    telling = true
    try {
      await opened.commit(unowned(changes))
    } finally {
      telling = false
    }
  }

  return {
    look,
    get freeBytes() {
      return freeBytes
    },
  }
}
