// Operations of the API that an operator's credential may call and that the console does not, each with its reason: what `test/api/openapi.test.ts` compares with
// the sources of the console. An operation that is not named here needs a place in a page.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** By method and path; a path that ends in `/*` stands for all operations below it. */
export const withoutPage: Readonly<Record<string, string>> = {
  'GET /api/v1/chargepoints/search': 'the fleet has its own map and filter, over all charge points at once',
  'GET /api/v1/ocpp16/charge_points/status': 'the fleet has every state in its columns',
  'GET /api/v1/cpo/connection-attempts': 'the page of refused charge points has the attempts by charge point',
  'GET /api/v1/chargepoints/{charge_point_id}/uptime': 'the series of the charge point has its uptime',
  'GET /api/v1/chargepoints/{charge_point_id}/connection-status': 'the state and the diagnosis say the same and more',
  'GET /api/v1/chargepoints/{charge_point_id}/power': 'the series of the charge point has its power and its limits',
  'GET /api/v1/ocpp16/active_transactions/{charge_point_id}': 'the state of the charge point has its sessions',
  'GET /api/v1/conformance': 'the page of conformance reads GET /api/v1/cpo/conformance, which has examples too',
  'POST /api/v1/ocpp16/cancel_reservation': 'sent by send_command',
  'POST /api/v1/ocpp16/change_availability': 'sent by send_command',
  'POST /api/v1/ocpp16/clear_charging_profile': 'sent by send_command',
  'POST /api/v1/ocpp16/remote_start_transaction': 'sent by send_command, and the command start_session',
  'POST /api/v1/ocpp16/reserve_now': 'sent by send_command, and the page of reservations',
  'POST /api/v1/ocpp16/reset': 'sent by send_command, and the commands soft_reset and hard_reset',
  'POST /api/v1/ocpp16/set_charging_profile': 'sent by send_command',
  'POST /api/v1/ocpp16/trigger_message': 'sent by send_command',
  'GET /api/v1/installation/clock': 'the alert clock_jumped_ahead names it',
  'POST /api/v1/installation/clock/confirm': 'the alert clock_jumped_ahead names it',
  'GET /api/v1/configuration-templates/{template_id}': 'the list has them whole',
  'GET /api/v1/billing/rules/{rule_id}': 'the list has them whole',
  'GET /api/v1/org/api-keys/{key_id}': 'the list has them whole',
  'GET /api/v1/webhooks/endpoints/{endpoint_id}': 'the list has them whole',
  'DELETE /api/v1/tariffs/{tariff_id}/rates': 'a tariff that is saved without bands has none',
  'GET /api/v1/portal/sessions': 'for the portals of operators: the page of sessions has them',
  'GET /api/v1/portal/sessions/{session_id}/cost-breakdown': 'for portals: the page of the session explains its cost',
  'POST /api/v1/sessions/guest/authorize': 'for the payment pages of guests',
  'GET /api/v1/sessions/guest/{session_token}/*': 'for the payment pages of guests',
  'POST /api/v1/sessions/guest/{session_token}/stop': 'for the payment pages of guests',
  'POST /api/v1/organizations/invitations/accept': 'the page of an invitation signs its member in by accepting it',
  'POST /api/v1/site-owner/accept-invitation/{token}': 'for the portals of site owners',
  'GET /api/v1/site-owner/onboarding/*': 'for the portals of site owners',
  'POST /api/v1/site-owner/onboarding/*': 'for the portals of site owners',
  'PUT /api/v1/site-owner/onboarding/*': 'for the portals of site owners',
  'DELETE /api/v1/site-owner/onboarding/*': 'for the portals of site owners',
  'GET /api/v1/site-owner/profile': 'for the portals of site owners',
  'PUT /api/v1/site-owner/profile': 'for the portals of site owners',
  'GET /api/v1/site-owner/projects': 'for the portals of site owners',
  'PUT /api/v1/load-runs/{run_id}': 'the load tool reports its run',
  'POST /api/v1/load-runs/{run_id}/result': 'the load tool reports its run',
}

const sources = 'src/console'

/** With one name for whatever stands in a place of the path: `{charge_point_id}`, and in templates `${id}` and `${encodeURIComponent(id)}`. */
const plain = (path: string): string => path.replace(/\$?\{[^{}]*\}/g, '{}')

/** What the sources of the console name: `GET /api/v1/sites/{}`. Streams and files are read by their paths alone. */
function namedOperations(): ReadonlySet<string> {
  const text = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('server/'))
    .map((name) => readFileSync(join(sources, name), 'utf8'))
    .join('\n')
  const asked = [...text.matchAll(/\bapi\s*\.(GET|POST|PUT|PATCH|DELETE)\(\s*'([^']+)'/g)]
  const others = [...text.matchAll(/\brequest(?:<[^;]*?>)?\(\s*'([A-Z]+)',\s*'([^']+)'/g)]
  const read = [
    ...text.matchAll(/(?:path: \(\) =>|return|href=\{|fetch\()\s*['`](\/[^'`?]+?)(?:\$\{query\}|\?[^'`]*)?['`]/g),
  ]
  return new Set([
    ...[...asked, ...others].map(([, method, path]) => `${method} ${plain(path as string)}`),
    ...read.map(([, path]) => `GET ${plain(path as string)}`),
  ])
}

export interface Operation {
  readonly method: string
  readonly path: string
}

/** Those of the operations that neither the console names nor a list above, and the lines of the lists that no operation needs. */
export function unaccounted(operations: readonly Operation[]): {
  readonly missing: readonly string[]
  readonly needless: readonly string[]
} {
  const named = namedOperations()
  const excepted = Object.keys(withoutPage)
  const absent = operations
    .filter(({ method, path }) => !named.has(`${method} ${plain(path)}`))
    .map(({ method, path }) => `${method} ${path}`)
  const isOf = (operation: string, line: string): boolean =>
    line.endsWith('/*') ? operation.startsWith(line.slice(0, -1)) : operation === line
  return {
    missing: absent.filter((operation) => !excepted.some((line) => isOf(operation, line))),
    needless: excepted.filter((line) => !absent.some((operation) => isOf(operation, line))),
  }
}
