// A feed with a long past: events that are written into a store while no service has it open.

import { chargePointStatusChanged } from '../../src/events/charge-point.js'
import { domainEvent } from '../../src/events/define-event.js'
import { schemaVersion, tables } from '../../src/records/index.js'
import { installationTable } from '../../src/records/organization.js'
import { eventChange } from '../../src/runtime/actor/outbox.js'
import { openWriter } from '../../src/runtime/store/lmdb-store.js'
import { unowned } from '../../src/runtime/store/store.js'

const eventsPerCommit = 500

/** Of the installation's own organization; `characters` are in each event, beside the rest. */
export async function writePastEvents(data: string, count: number, characters: number): Promise<void> {
  const store = openWriter(data, tables, { schemaVersion })
  const organizationId = store.view().get(installationTable, ['installation'])?.default_organization_id ?? ''
  const at = Date.now()
  const eventOf = (index: number) =>
    domainEvent(
      chargePointStatusChanged,
      { organizationId, subject: 'CP-PAST' },
      {
        charge_point_id: 'CP-PAST',
        connector_id: index,
        status: 'Available',
        previous_status: null,
        error_code: 'NoError',
        info: 'x'.repeat(characters),
        timestamp: new Date(at).toISOString(),
      },
    )
  for (let first = 0; first < count; first += eventsPerCommit) {
    const changes = Array.from({ length: Math.min(eventsPerCommit, count - first) }, (_, index) =>
      eventChange(eventOf(first + index), at),
    )
    const result = await store.commit(unowned(changes))
    if (!result.ok) throw new Error(`the past could not be written: ${result.reason}`)
  }
  await store.close()
}
