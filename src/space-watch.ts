// Watches the free space of the store's disk: tells the store what the disk still takes, and raises and resolves the alert.
// An alert that the disk has no room for is raised as soon as it has.

import { statfsSync } from 'node:fs'
import type { Logger } from 'pino'
import { alertResolved, alertTriggered } from './actors/events/alert.js'
import { domainEvent } from './actors/events/define-event.js'
import { type Alert, alertsTable } from './actors/records/alert.js'
import { installationTable } from './actors/records/organization.js'
import type { Clock } from './runtime/clock.js'
import { encodeRow } from './runtime/codec.js'
import { eventChange } from './runtime/outbox.js'
import { lowBytesOf, type Space } from './runtime/storage/space.js'
import { type Change, type Store, unowned } from './runtime/store.js'

const alert = 'storage_space_low'
const subject = 'storage'

export interface SpaceWatch {
  /** Measures now; resolves when an alert that this raises or resolves is on disk, or was refused. */
  look(): Promise<void>
  /** Bytes that the service may still use; undefined until it was measured. */
  readonly freeBytes: number | undefined
}

export interface SpaceWatchOptions {
  readonly path: string
  readonly space: Space
  /** Undefined before the store is open: nobody can be alerted yet. */
  readonly store: () => Pick<Store, 'view' | 'commit'> | undefined
  /** What an operator takes for low; else it follows from the size of the disk. */
  readonly lowBytes: number | undefined
  readonly clock: Clock
  readonly log: Logger
}

export function watchSpace({ path, space, store, lowBytes, clock, log }: SpaceWatchOptions): SpaceWatch {
  let freeBytes: number | undefined
  let telling = false

  function measure(): number {
    const { bavail, bsize, blocks } = statfsSync(path)
    freeBytes = bavail * bsize
    const low = lowBytes ?? lowBytesOf(blocks * bsize)
    const before = space.level
    const level = space.note(freeBytes, low)
    if (level > before) log.warn({ level, freeBytes }, 'free space of the disk is low')
    else if (level < before) log.info({ level, freeBytes }, 'there is more free space again')
    return low
  }

  function changes(raised: Alert | undefined, organizationId: string, low: number): Change[] {
    const now = new Date(clock.now()).toISOString()
    const about = { alert, free_bytes: freeBytes ?? 0, low_bytes: Math.round(low) }
    const owner = { organizationId, subject }
    if (raised !== undefined) {
      const message = 'the disk of the store has free space again'
      return [
        { type: 'remove', table: alertsTable.name, key: alertsTable.key(raised) },
        eventChange(
          domainEvent(alertResolved, owner, {
            ...about,
            message,
            triggered_at: raised.triggered_at,
            resolved_at: now,
          }),
          clock.now(),
        ),
      ]
    }
    const message = 'free space of the disk is low: of meter values only the energy register is kept'
    return [
      putAlert({ alert, organization_id: organizationId, triggered_at: now }),
      eventChange(domainEvent(alertTriggered, owner, { ...about, message, triggered_at: now }), clock.now()),
    ]
  }

  async function look(): Promise<void> {
    const low = measure()
    const opened = store()
    if (opened === undefined || telling) return
    const raised = opened.view().get(alertsTable, [alert])
    const owner = opened.view().get(installationTable, ['installation'])?.default_organization_id
    if ((raised !== undefined) === space.level > 0 || owner === undefined) return
    telling = true
    try {
      await opened.commit(unowned(changes(raised, owner, low)))
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

function putAlert(row: Alert): Change {
  return { type: 'put', table: alertsTable.name, key: alertsTable.key(row), row: encodeRow(row) }
}
