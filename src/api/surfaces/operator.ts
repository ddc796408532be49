// The surface of operators and their systems: an API key says which organization calls, and its scopes what it may do there.

import { apiKeysTable, apiKeyUsesTable, type Scope } from '../../records/api-key.js'
import { type ConsoleSession, consoleSessionsTable } from '../../records/console-session.js'
import { putRow } from '../pipeline/changes.js'
import { defineSurface } from '../pipeline/surface.js'
import type { Throttle } from '../pipeline/throttles.js'
import { formatTimestamp } from '../pipeline/timestamp.js'
import { numberedPages } from './numbered-pages.js'
import { operatorCredential } from './operator-credential.js'
import { requestsPerHour } from './plan-quota.js'
import { grants, type Principal, principalId, principalName } from './principal.js'
import { problem } from './problem.js'

const guide = `## Authentication

Send an API key with each request, as \`Authorization: Bearer ak_...\` or as \`X-API-Key: ak_...\`. The first start of an installation prints
one, and \`POST /api/v1/org/api-keys\` creates more. Each key has scopes. The reference names the scope that each operation needs; \`write:X\`
includes \`read:X\`. What belongs to another organization is answered with 404, as if it did not exist. The ids and serial numbers of charge points
are unique across all organizations: one that another organization uses is refused with 409.

The console, at \`/console\`, calls the same operations with the cookie of a session, which \`POST /api/v1/console/session\` sets. A session counts only
for requests of the console's own pages: \`Sec-Fetch-Site: same-origin\`, and \`X-Ampshard: console\` with every method that may change something. It ends after 12 hours
without a request, after 7 days, and with the key or the member that it acts for.

## Lists

Lists take a \`page\`, from 1, and a page size, and return the \`total\`. A page past the end is empty. Events are read by cursor instead:
\`GET /api/v1/events\` returns the cursor of the next page.

\`\`\`js
async function* chargePoints() {
  for (let page = 1, seen = 0, total = 1; seen < total; page++) {
    const answer = await fetch(\`\${url}/api/v1/chargepoints?page=\${page}&per_page=200\`, { headers })
    const { data, total: all } = await answer.json()
    total = all
    seen += data.length
    yield* data
    if (data.length === 0) return
  }
}
\`\`\`

## Rate limits

The plan of an organization gives each key a quota for each clock hour: 1,000 requests on the plan \`free\`, 10,000 on \`pro\`, and on \`enterprise\` what was
agreed, or no quota. All keys of an organization together have ten times the quota of one. Answers to requests with a valid key have the headers \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`; a
limit of 2147483647 means that there is none. Requests that are refused before their key is looked up do not have them: those without a valid key (401),
to a path or with a method that does not exist (404, 405), and beyond the rates of keys and addresses.

Beside the quota there are these rates. The settings of an installation can change those of keys and addresses:

| What | Rate | Beyond it |
|---|---|---|
| Requests of one key | 2,000 a second on average, 20,000 at once | 429 \`rate_limit_exceeded\` |
| Requests of one session of the console, which have no quota | 20 a second on average, 100 at once | 429 \`rate_limit_exceeded\` |
| Requests of one address without a valid key; and, each counted apart, those with a key that has not been checked lately, and those for \`/healthz\`, \`/readyz\` and \`/metrics\` | 50 a second on average, 300 at once | 429 \`rate_limit_exceeded\` |
| Bodies over 65,536 bytes of one organization, or of one address without a valid key | 4 MiB a second on average, 32 MiB at once | 429 \`rate_limit_exceeded\` |
| Long reads of one organization (lists with combined filters, deep pages, searches, reports) | 2 at a time, 50 more wait | 503 \`overloaded\` |
| Commands to one charge point | 10 a second | 429 \`rate_limited\` |
| Commands of one organization that wait for their charge points | 4,000 | 429 \`rate_limited\` |
| Mails of one organization (invitations, site owners who are sent back) | 10 an hour to one address, 20 at once; 100 an hour to all, 500 at once | 429 \`rate_limited\` |
| Commands of one organization | 128 MiB of its history an hour on average, 256 MiB at once; 128 MiB are about 100,000 short commands | 429 \`rate_limited\` |

With more than one front (\`--fronts\`), each front counts requests and long reads for itself. Answers with 429 and 503 have \`Retry-After\`, the seconds to wait
before the request is repeated; so do those with 409 that only need another attempt.

## The form of errors

An error is \`{"error": {"code", "message", "request_id", "details"}}\`. Only errors of the key, its scopes and its quota are flat:
\`{"error": CODE, "message", "request_id"}\`.

\`\`\`json
{
  "error": {
    "code": "not_found",
    "message": "there is no charge point CP-0009",
    "request_id": "req_01JD5M3X8Q2V7K9T4N6P0R1S2W",
    "details": []
  }
}
\`\`\``

/** Of the session of a member, and of all sessions of a key: a page that loads asks for several things at once. */
const ofSession: Throttle = { perSecond: 20, burst: 100 }

/** Undefined in the minute of the sign-in, which has been stored with it. */
function seenAt(session: ConsoleSession, minute: number) {
  const seen_at = formatTimestamp(minute)
  if (seen_at <= session.seen_at) return undefined
  const { console_session_id, version } = session
  return {
    change: putRow(consoleSessionsTable, { ...session, seen_at }),
    // One that has been ended does not come back, and what else has changed it meanwhile stays.
    condition: { table: consoleSessionsTable.name, key: [console_session_id], is: 'version', version } as const,
  }
}

export const operator = defineSurface<Principal, Scope>({
  root: '/api/v1/',
  guide,
  callers: {
    credential: operatorCredential,
    nameOf: principalName,
    idOf: principalId,
    calledOf: ({ session }) => (session === undefined ? undefined : 'your session'),
    grants: ({ scopes }, scope) => grants(scopes, scope),
    requestsPerHour: ({ organization }, { enterpriseQuotaPerHour }) =>
      requestsPerHour(organization, enterpriseQuotaPerHour),
    rateOf: ({ session, key }) =>
      session && { throttle: ofSession, of: `console:${key?.key_id ?? session.console_session_id}` },
    quotaGroup: ({ organization }) => organization.organization_id,
    audited: ({ key, organization, member }) => ({
      organizationId: organization.organization_id,
      actor: {
        ...(key !== undefined && { key_id: key.key_id, key_name: key.name }),
        ...(member !== undefined && { user_id: member.user_id }),
      },
    }),
    repeats: { sealing: (presented) => presented },
    usedOf: ({ session, ...principal }) => session?.console_session_id ?? principalId(principal),
    noteUse({ key, session }, minute) {
      if (session !== undefined) return seenAt(session, minute)
      if (key === undefined) return undefined
      const { key_id, expires_at } = key
      const use = { key_id, last_used_at: formatTimestamp(minute), ...(expires_at !== undefined && { expires_at }) }
      // The note of a key that is being revoked would outlive it.
      return {
        change: putRow(apiKeyUsesTable, use),
        condition: { table: apiKeysTable.name, key: [key_id], is: 'present' },
      }
    },
  },
  shedFrom: { list: 2, command: 3, never: Number.POSITIVE_INFINITY },
  envelope: problem,
  pages: numberedPages,
})
