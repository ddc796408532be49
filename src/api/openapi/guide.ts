// What every caller of the API has to know, as Markdown at the head of the OpenAPI document: what holds for all surfaces, and what
// each surface says of itself.

import { type ErrorKind, errorKinds } from '../../runtime/errors.js'
import type { Route } from '../pipeline/route.js'

const rowsOf = (kinds: readonly ErrorKind[]) =>
  kinds.map(({ code, status, meaning }) => `| ${status} | \`${code}\` | ${meaning} |`)

export function guideOf(routes: readonly Route[]): string {
  const guides = new Set(routes.map(({ surface }) => surface.guide).filter((guide) => guide !== undefined))
  return `The API of a charge point management system: charge points (OCPP 1.6-J), commands, sessions, tariffs, guests, invoices, events and
organizations.

## Your first request

The first start of an installation prints an API key. This lists its charge points:

\`\`\`sh
export URL=http://127.0.0.1:8080
export AMPSHARD_API_KEY=ak_...
curl "$URL/api/v1/chargepoints" -H "Authorization: Bearer $AMPSHARD_API_KEY"
\`\`\`

\`\`\`json
{
  "charge_points": [],
  "data": [],
  "total": 0,
  "page": 1,
  "per_page": 50
}
\`\`\`

${[...guides].join('\n\n')}

## Requests and answers

Bodies are JSON (\`Content-Type: application/json\`, at most 1 MiB and 6,000 fields that nobody knows). Times in answers look like \`2026-11-20T09:30:00.000Z\`; in requests, any
ISO 8601 offset is accepted, a time without an offset is in UTC, and a date without a time is the beginning of that day in UTC. Money is a
JSON number, exact to the minor unit of its currency. Every answer has the header \`X-Request-ID\`. Every field of an answer is present, and null
if it has no value; the few that can be absent are marked as not required.

Unknown fields of a body and unknown parameters of a query are ignored, but for the parameters of a command: one that the command does not have is
refused with 400 \`validation_error\` and its path, because the charge point would do something else than was meant. Every answer to a request with ignored ones names them in
\`X-Ampshard-Unknown-Fields\`: JSON pointers into the body (\`/components/0/colour\`) and names of parameters, percent-encoded and separated by
commas. With \`Prefer: handling=strict\` ([RFC 7240](https://www.rfc-editor.org/rfc/rfc7240)), such a request is refused instead, with 400
\`validation_error\`, each of them in \`details\`, and \`Preference-Applied: handling=strict\`.

## Repeating a request

Send an \`Idempotency-Key\` with a POST, and you can safely repeat it: for 24 hours, a repeat gets the first answer again, with
\`Idempotent-Replayed: true\`, and nothing is done twice. The same key with another body is refused with 409 \`idempotency_conflict\`. Answers with
400 or 429, and those with 500 or 503 before anything was done, are not kept: repeat the request with the same key. A 503 that leaves open whether
a charge point received a command is kept, so that the command is not sent twice.

\`\`\`sh
curl -X POST "$URL/api/v1/cpo/commands/CP-0001" -H "Authorization: Bearer $AMPSHARD_API_KEY" \\
  -H "Idempotency-Key: 0d6ff6a2-5a34-4ab0-8f65-2b1c9f1a7c11" -H "Content-Type: application/json" \\
  -d '{"command": "unlock_connector", "parameters": {"connector_id": 1}}'
\`\`\`

## Webhooks

Deliveries are signed as described by [Standard Webhooks](https://www.standardwebhooks.com): the headers \`webhook-id\`, \`webhook-timestamp\` and
\`webhook-signature\` over the raw body. Verify the signature before you parse the body, answer with 2xx before the timeout, and ignore ids that you have
already seen, because an event is delivered at least once. A secret of the form \`whsec_<base64>\` is decoded first; of any other secret, the bytes of the
text are the key (\`new Webhook(secret, {format: 'raw'})\`). The schema of each event is under Webhooks in
the reference, and at \`GET /api/v1/events/schemas\`.

## Errors

Use the code of an error in your program; the message is for people.

| Status | Code | Meaning |
|---|---|---|
${rowsOf(errorKinds()).join('\n')}
`
}
