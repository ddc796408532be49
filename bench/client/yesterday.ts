// What was said yesterday, as the log of messages has kept it, for whoever looks for one message of it; and what all sites drew together.

import { chargePointsTable } from '../../src/records/charge-point.js'
import { type Message, messagesTable } from '../../src/records/message.js'
import { type PowerRollUp, powerRollUpsTable, rollUpStart, rollUps } from '../../src/records/power-roll-up.js'
import { encodeRow } from '../../src/runtime/codec.js'
import { makeId } from '../../src/runtime/ids.js'
import { type Store, unowned } from '../../src/runtime/store/store.js'
import type { Table } from '../../src/runtime/store/table.js'

/** The charge point that has said it; it is not connected today. */
export const talkative = 'JOURNEY-0004'

const minuteMs = 60_000
const hoursOfTalk = 12

/** Local time: the browser has that of the process. */
function yesterdayAt(hours: number, minutes: number, seconds: number): number {
  const day = new Date()
  day.setDate(day.getDate() - 1)
  return day.setHours(hours, minutes, seconds, 0)
}

/** When the transaction that is looked for began: 14:51. */
export const soughtAt = yesterdayAt(14, 51, 9)
export const soughtId = 'yesterday-1451'

/** As a field for a time has it: local, to the minute. */
export const minuteText = (at: number): string => {
  const two = (part: number): string => String(part).padStart(2, '0')
  const time = new Date(at)
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}T${two(time.getHours())}:${two(time.getMinutes())}`
}

function put<Row>(table: Table<Row>, row: Row) {
  return { type: 'put', table: table.name, key: table.key(row), row: encodeRow(row) } as const
}

/** The last six hours before these, in steps of five minutes. */
function powerOfFleet(organization_id: string): PowerRollUp {
  const [, rollUp] = rollUps
  const starts_at = rollUpStart(rollUp, Date.now()) - rollUp.rowMs
  return {
    organization_id,
    subject_id: organization_id,
    site_id: '',
    minutes: rollUp.minutes,
    starts_at,
    kept_until: starts_at + rollUp.rowMs + rollUp.keptMs,
    values: Array.from({ length: rollUp.rowMs / rollUp.minutes / minuteMs }, (_, at) => [
      rollUp.minutes * minuteMs,
      90_000,
      50_000,
      30_000 + at * 100,
      12,
    ]).flat(),
  }
}

/** A status each minute from morning till evening, and one transaction. */
export async function writeYesterday(store: Store, organizationId: string): Promise<void> {
  const made = new Date(soughtAt - 30 * 86_400_000).toISOString()
  const message = (at: number, messageId: string, fields: Pick<Message, 'kind' | 'action' | 'request' | 'answer'>) =>
    put<Message>(messagesTable, {
      id: makeId('msg', at, Math.random),
      organization_id: organizationId,
      charge_point_id: talkative,
      at,
      direction: 'in',
      message_id: messageId,
      connector_id: 1,
      answer_type: 'result',
      milliseconds: 7,
      ...fields,
    })
  // Each at the full minute: the transaction is the newest of its own.
  const begin = yesterdayAt(14, 51, 0) - (hoursOfTalk / 2) * 60 * minuteMs
  const statuses = Array.from({ length: hoursOfTalk * 60 }, (_, minute) => {
    const id = `yesterday-${minute}`
    const payload = { connectorId: 1, errorCode: 'NoError', status: minute % 2 === 0 ? 'Available' : 'Preparing' }
    return message(begin + minute * minuteMs, id, {
      kind: 'status',
      action: 'StatusNotification',
      request: JSON.stringify([2, id, 'StatusNotification', payload]),
      answer: JSON.stringify([3, id, {}]),
    })
  })
  // A clock without a zone, which is taken for UTC.
  const timestamp = new Date(soughtAt).toISOString().slice(0, 19)
  const request = { connectorId: 1, idTag: 'TAG-1', meterStart: 1_000, timestamp }
  const changes = [
    put(chargePointsTable, {
      charge_point_id: talkative,
      organization_id: organizationId,
      version: 1,
      name: talkative,
      latitude: 52.5,
      longitude: 13.4,
      address: 'Example street 4',
      connector_count: 1,
      max_power_kw: 22,
      created_at: made,
      updated_at: made,
    }),
    put(powerRollUpsTable, powerOfFleet(organizationId)),
    ...statuses,
    message(soughtAt, soughtId, {
      kind: 'transaction',
      action: 'StartTransaction',
      request: JSON.stringify([2, soughtId, 'StartTransaction', request]),
      answer: JSON.stringify([3, soughtId, { transactionId: 7, idTagInfo: { status: 'Accepted' } }]),
    }),
  ]
  const result = await store.commit(unowned(changes))
  if (!result.ok) throw new Error(`what was said yesterday could not be written: ${result.reason}`)
}
