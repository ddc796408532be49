// Captures: somebody has everything recorded that a charge point and the service say to each other, for a while, and takes it away as a file.

import { Type } from 'typebox'
import { chargePointAddress } from '../../../actors/charge-point/messages.js'
import {
  bytesPerMegabyte,
  type Capture,
  capturedMessagesTable,
  capturesTable,
  endOf,
  isOfRegistration,
} from '../../../records/capture.js'
import type { ChargePoint } from '../../../records/charge-point.js'
import { conflict, notFound } from '../../../runtime/errors.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { principalName } from '../../surfaces/principal.js'
import { chargePoints } from '../charge-points/area.js'
import { area } from './area.js'
import { scriptOf } from './capture-script.js'
import { limits } from './limits.js'

const endings = ['time', 'size', 'request'] as const

const captureSchema = named('Capture', {
  capture_id: Type.String(),
  charge_point_id: Type.String(),
  running: Type.Boolean(),
  ended_by: nullable(Type.Enum([...endings], { description: '`request`: somebody has ended it. null while it runs.' })),
  started_at: timestamp(),
  ends_at: timestamp('When it ends at the latest, or has ended.'),
  megabytes: Type.Integer({ description: 'It ends when it is as large as this.' }),
  messages: Type.Integer({ minimum: 0 }),
  bytes: Type.Integer({ minimum: 0 }),
  started_by: Type.String(),
})

const captureParams = { capture_id: Type.String({ maxLength: 64 }) }

function bytesOf(view: ReadView, { capture_id }: Capture): number {
  return view.total(capturedMessagesTable, 'bytesOfCapture', [capture_id])
}

function endingOf(view: ReadView, capture: Capture, row: ChargePoint, now: number): (typeof endings)[number] | null {
  if (capture.stopped_at !== undefined || !isOfRegistration(capture, row)) return 'request'
  if (bytesOf(view, capture) >= capture.megabytes * bytesPerMegabyte) return 'size'
  return endOf(capture) <= now ? 'time' : null
}

function captureView(view: ReadView, capture: Capture, row: ChargePoint, now: number) {
  const { capture_id, charge_point_id, started_at, megabytes, started_by } = capture
  const ended_by = endingOf(view, capture, row, now)
  return {
    capture_id,
    charge_point_id,
    running: ended_by === null,
    ended_by,
    started_at,
    ends_at: formatTimestamp(endOf(capture)),
    megabytes,
    messages: view.total(capturedMessagesTable, 'byCapture', [capture_id]),
    bytes: bytesOf(view, capture),
    started_by,
  }
}

function ownCapture(capture: Capture | undefined, { charge_point_id, organization_id }: ChargePoint): Capture {
  const isOwn = capture?.organization_id === organization_id && capture.charge_point_id === charge_point_id
  if (capture === undefined || !isOwn) throw notFound('there is no such capture')
  return capture
}

const capturesOf = (view: ReadView, { organization_id, charge_point_id }: ChargePoint): readonly Capture[] =>
  view.listBy(capturesTable, 'byChargePoint', [organization_id, charge_point_id], {
    reverse: true,
    limit: limits.listedCaptures,
  })

const startCapture = area.post('/chargepoints/{charge_point_id}/captures', {
  operationId: 'startCapture',
  summary: 'Record everything that a charge point and the service say to each other',
  description:
    'Records all messages, heartbeats and meter values included, until the time is over or the size is reached. Secrets are masked. ' +
    'A capture is kept for 7 days. One runs at a time of a charge point, and 50 of an organization.',
  of: chargePoints,
  body: Type.Object({
    minutes: Type.Integer({
      minimum: 1,
      maximum: limits.captureMinutes,
      default: 15,
      description: 'How long it records.',
    }),
    megabytes: Type.Integer({
      minimum: 1,
      maximum: limits.captureMegabytes,
      default: 5,
      description: 'How much it records.',
    }),
  }),
  bodyOptional: true,
  answer: captureSchema,
  status: 201,
  errors: [conflict],
  change({ row, body, principal }, draft, services) {
    const now = services.clock.now()
    const { view } = draft
    const [newest] = capturesOf(view, row)
    if (newest !== undefined && endingOf(view, newest, row, now) === null)
      throw conflict('a capture of the charge point runs already; end it first')
    const open = view.countBetween(capturesTable, 'open', [row.organization_id], { from: [now] })
    if (open >= limits.capturesPerOrganization) throw conflict(`${open} captures of the organization run already`)
    // Of two requests at once, the other looks again.
    const group = [row.organization_id]
    const total = view.total(capturesTable, 'open', group) + 1
    draft.add({ conditions: [{ condition: { table: capturesTable.name, index: 'open', group, is: 'below', total } }] })
    const capture = draft.put<Capture>(capturesTable, {
      capture_id: services.newId('cap'),
      organization_id: row.organization_id,
      charge_point_id: row.charge_point_id,
      registered_at: row.created_at,
      started_at: formatTimestamp(now),
      ends_at: formatTimestamp(now + body.minutes * 60_000),
      megabytes: body.megabytes,
      started_by: principalName(principal),
    })
    draft.tell({ to: chargePointAddress(row.charge_point_id), message: { type: 'capture-changed' } })
    return captureView(view, capture, row, now)
  },
})

const listCaptures = area.get('/chargepoints/{charge_point_id}/captures', {
  operationId: 'listCaptures',
  summary: 'List the captures of a charge point, the newest first',
  description: 'Returns the newest 20 of the last 7 days.',
  of: chargePoints,
  answer: Type.Object({ data: Type.Array(captureSchema) }),
  read({ row }, services) {
    const view = services.view()
    const now = services.clock.now()
    return { data: capturesOf(view, row).map((capture) => captureView(view, capture, row, now)) }
  },
})

const endCapture = area.delete('/chargepoints/{charge_point_id}/captures/{capture_id}', {
  operationId: 'endCapture',
  summary: 'End a capture',
  description: 'What it has recorded stays until it is 7 days old.',
  of: chargePoints,
  params: captureParams,
  answer: null,
  change({ row, params }, draft, services) {
    const capture = ownCapture(draft.get(capturesTable, [params.capture_id]), row)
    const now = services.clock.now()
    if (endingOf(draft.view, capture, row, now) !== null) return undefined
    draft.put(capturesTable, { ...capture, stopped_at: formatTimestamp(now) })
    draft.tell({ to: chargePointAddress(row.charge_point_id), message: { type: 'capture-changed' } })
    return undefined
  },
})

const downloadCapture = area.route({
  method: 'GET',
  path: '/chargepoints/{charge_point_id}/captures/{capture_id}/script',
  operationId: 'downloadCapture',
  summary: 'Download a capture as a script',
  description:
    'Returns JSON Lines: the first says of which charge point it is, each other is a frame with `at_ms` since the beginning, `direction` (`in`: of the charge point) and `frame`. ' +
    '`ampshard simulate --replay FILE --url ws://...` plays it as that charge point.',
  of: chargePoints,
  params: captureParams,
  responses: { 200: 'application/x-ndjson' },
  sheddable: 'list',
  handle({ row, params, isStillAllowed }, services) {
    const capture = ownCapture(services.view().get(capturesTable, [params.capture_id]), row)
    return {
      status: 200,
      stream: scriptOf(capture, services.view, isStillAllowed),
      contentType: 'application/x-ndjson',
      headers: {
        'Content-Disposition': `attachment; filename="${capture.charge_point_id}-${capture.capture_id}.jsonl"`,
      },
    }
  },
})

export const captureRoutes = [startCapture, listCaptures, endCapture, downloadCapture]
