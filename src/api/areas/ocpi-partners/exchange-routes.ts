// The log of a partner: the first thing to look at when roaming does not work.

import { Type } from 'typebox'
import {
  newestExchanges,
  type OcpiExchange,
  type OcpiExchangeSide,
  ocpiDirections,
  ocpiExchangesKept,
} from '../../../records/ocpi-exchange.js'
import { pageOf } from '../../pipeline/paging.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { area, partners } from './area.js'

const sideFields = {
  headers: Type.Record(Type.String(), Type.String(), { description: 'Without tokens.' }),
  body: nullable(Type.String({ description: 'As text, without tokens; a long one is cut.' })),
}

const exchangeSchema = named('RoamingExchange', {
  at: timestamp(),
  direction: Type.Enum([...ocpiDirections], {
    description: '`in`: the partner called the service. `out`: the service called the partner.',
  }),
  module: Type.String({ description: 'The module of OCPI, or `versions`.' }),
  method: Type.String(),
  url: Type.String(),
  milliseconds: Type.Number({ minimum: 0 }),
  error: nullable(Type.String({ description: 'What went wrong.' })),
  request: Type.Object(sideFields),
  answer: nullable(
    Type.Object({
      status: Type.Integer({ description: 'HTTP.' }),
      status_code: nullable(Type.Integer({ description: 'OCPI 2.2.1, 5.' })),
      ...sideFields,
    }),
  ),
  left_out: Type.Integer({
    minimum: 0,
    description: 'How many exchanges of the same kind went well since the one before, and are not in the log.',
  }),
})

const sideView = ({ headers, body }: OcpiExchangeSide) => ({ headers, body: body ?? null })

function exchangeView({
  at,
  direction,
  module,
  method,
  url,
  milliseconds,
  error,
  request,
  answer,
  left_out,
}: OcpiExchange) {
  return {
    at: formatTimestamp(at),
    direction,
    module,
    method,
    url,
    milliseconds,
    error: error ?? null,
    request: sideView(request),
    answer:
      answer === undefined
        ? null
        : { status: answer.status, status_code: answer.status_code ?? null, ...sideView(answer) },
    left_out: left_out ?? 0,
  }
}

const listExchanges = area.list('/partners/{partner_id}/exchanges', {
  operationId: 'listRoamingExchanges',
  summary: 'List the last exchanges with a roaming partner, the newest first',
  description: `The log has the last ${ocpiExchangesKept} exchanges, in both directions, with request and answer side by side: everything that failed or changed something, and of what goes well again and again one of each kind in ten seconds.`,
  of: partners,
  row: exchangeSchema,
  perPage: 25,
  maximum: ocpiExchangesKept,
  read({ row: { partner_id }, query }, services) {
    const all = newestExchanges(services.view(), partner_id)
    return { rows: pageOf(all, query).map(exchangeView), total: all.length }
  },
})

export const exchangeRoutes = [listExchanges]
