// Who is refused now: one line for each id that was refused in the last 24 hours and has not come in since. Passes from one id to the next in an
// index, so that a page costs its ids, however often each of them knocks.

import { type Static, Type } from 'typebox'
import { checks, isRefusalReason, refusalReasons } from '../../../edge/refusal-reasons.js'
import { attemptOwner, type ConnectionAttempt, connectionAttemptsTable } from '../../../records/connection-attempt.js'
import { shapeOf } from '../../../records/id-shape.js'
import { isOnline } from '../../../records/presence.js'
import { patternOf } from '../../../runtime/fault-words.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { longOncePaused } from '../../pipeline/long-reads.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { area } from '../charge-points/area.js'
import { endpointOf, stateOf } from '../charge-points/charge-points.js'
import { askerOf } from './asker.js'
import { limits } from './limits.js'
import { refusedWords, unregisteredWords } from './refused-words.js'
import { registeredAs } from './whose-attempt.js'

const refusedChargePoint = named('RefusedChargePoint', {
  charge_point_id: Type.String({
    description: 'As it is registered; of one that nobody has registered, as it was sent.',
  }),
  registered: Type.Boolean(),
  name: nullable(Type.String({ description: 'null if it is not registered.' })),
  attempts: Type.Integer({ minimum: 1, description: 'In the last 24 hours, with the id as it was sent last.' }),
  last_attempted_at: timestamp(),
  remote_address: Type.String(),
  reason: Type.String({ description: 'As in the list of connection attempts.' }),
  stage: Type.Enum([...checks], { description: 'The check that it has not passed, as in its diagnosis.' }),
  cause: Type.String({ description: 'What is wrong, in plain words.' }),
  remedy: Type.String({ description: 'What to do about it, in plain words.' }),
  comes_back: Type.Boolean({ description: 'Whether it was only told to come later: it comes back by itself.' }),
})

const refusedPage = named('RefusedChargePoints', {
  data: Type.Array(refusedChargePoint),
  next: nullable(Type.String({ description: 'What to send as `after` for the next page; null at the end.' })),
})

const listRefusedChargePoints = area.get('/cpo/refused-charge-points', {
  operationId: 'listRefusedChargePoints',
  summary: 'List the charge points that are refused now',
  description:
    'One line for each id that was refused in the last 24 hours and has not been connected since, in the order of the ids. Ids that nobody has registered are ' +
    'listed for the operator of the installation only. A page may have fewer lines than `limit`, also where more follow.',
  query: Type.Object({
    after: Type.Optional(
      Type.String({
        ...patternOf('^[01] [\\s\\S]+$', 'the `next` of a page'),
        maxLength: 400,
        description: '`next` of the page before.',
      }),
    ),
    limit: Type.Integer({ minimum: 1, maximum: limits.refused, default: 100, description: 'Ids that are looked at.' }),
  }),
  answer: refusedPage,
  sheddable: 'list',
  read: ({ principal, query, remoteAddress }, services) =>
    refusedPageOf(principal.organization.organization_id, query, remoteAddress, services),
})

type Line = Static<typeof refusedChargePoint>

async function refusedPageOf(
  organizationId: string,
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
  remoteAddress: string,
  services: Services,
): Promise<Static<typeof refusedPage>> {
  const view = services.view()
  const { seesAll } = askerOf(organizationId, remoteAddress, services)
  const owners = seesAll ? [organizationId, ''] : [organizationId]
  // Which of the two lists, and the last shape of it.
  const [place = '0', ...rest] = (after ?? '0').split(' ')
  let at = place === '1' && seesAll ? 1 : 0
  let from = after === undefined ? '' : `${rest.join(' ')}\0`
  const data: Line[] = []
  let looked = 0
  const read = longOncePaused(services.longReads.of(organizationId))
  try {
    for (; at < owners.length; at++, from = '') {
      const owner = owners[at] as string
      for (
        let newest = newestBehind(view, owner, from);
        newest !== undefined;
        newest = newestBehind(view, owner, from)
      ) {
        if (looked++ >= limit) return { data, next: `${at} ${from.slice(0, -1)}` }
        const line = lineOf(view, newest, organizationId, services)
        if (line !== undefined) data.push(line)
        from = `${shapeOf(newest.charge_point_id)}\0`
        if (read.isOver()) await read.pause()
      }
    }
  } finally {
    read.end()
  }
  return { data, next: null }
}

/** The newest attempt of the next shape. */
function newestBehind(view: ReadView, owner: string, from: string): ConnectionAttempt | undefined {
  const [next] = view.listBy(connectionAttemptsTable, 'byShape', [owner], { from: [from], limit: 1 })
  if (next === undefined) return undefined
  return newestOf(view, owner, shapeOf(next.charge_point_id))
}

function newestOf(view: ReadView, owner: string, shape: string): ConnectionAttempt | undefined {
  const query = { from: [shape], to: [`${shape}\0`], reverse: true, limit: 1 }
  return view.listBy(connectionAttemptsTable, 'byShape', [owner], query)[0]
}

/** Undefined for one that is somebody else's, and for one that has come in. */
function lineOf(
  view: ReadView,
  attempt: ConnectionAttempt,
  organizationId: string,
  { presence, config }: Services,
): Line | undefined {
  const registered = registeredAs(view, attempt)
  if (registered !== undefined && registered.organization_id !== organizationId) return undefined
  // The line of its own list is the one.
  const isListed = registered !== undefined && attemptOwner(attempt) === ''
  if (isListed && newestOf(view, organizationId, shapeOf(attempt.charge_point_id)) !== undefined) return undefined
  const state = registered === undefined ? undefined : stateOf(view, registered)
  if (isOnline(state, presence.live) || (state?.connected_at ?? '') > attempt.attempted_at) return undefined
  const id = registered?.charge_point_id ?? attempt.charge_point_id
  const { reason } = attempt
  const words =
    registered === undefined
      ? unregisteredWords(reason, id, endpointOf(config, ''), attempt.remote_address)
      : refusedWords(reason, endpointOf(config, id), false)
  const group = [attempt.organization_id, attempt.charge_point_id]
  return {
    charge_point_id: id,
    registered: registered !== undefined,
    name: registered?.name ?? null,
    attempts: Math.max(
      1,
      view.total(connectionAttemptsTable, 'byChargePoint', group) +
        view.total(connectionAttemptsTable, 'repeated', ['id', ...group]),
    ),
    last_attempted_at: attempt.attempted_at,
    remote_address: attempt.remote_address,
    reason,
    stage: isRefusalReason(reason) ? refusalReasons[reason].check : 'admitted',
    ...words,
    comes_back: attempt.http_status === 503,
  }
}

export const refusedRoutes = [listRefusedChargePoints]
