// What every user of the interface has to know, as Markdown at the head of the OpenAPI document.

import type { ErrorKind } from '../../runtime/errors.js'

const rowsOf = (kinds: readonly ErrorKind[]) =>
  kinds.map(({ code, status, meaning }) => `| ${status} | \`${code}\` | ${meaning} |`)

export const guide = (
  kinds: readonly ErrorKind[],
): string => `Charge point management: charge points over OCPP 1.6-J, commands, sessions, tariffs, guests, invoices, events and organizations.

## Authentication

Send an API key with each request, as \`Authorization: Bearer ak_...\` or as \`X-API-Key: ak_...\`. The first start of an installation prints
one; \`POST /api/v1/org/api-keys\` makes more. Each key has scopes, and the reference names the scope that each operation needs; \`write:X\` includes \`read:X\`.
What belongs to another organization is answered with 404, as if it did not exist.

## Requests and answers

Bodies are JSON (\`Content-Type: application/json\`, 1 MiB at most). Times leave as \`2026-11-20T09:30:00.000Z\`; any ISO 8601 offset is taken.
Money is a JSON number, exact to the minor unit of its currency. Every answer has the header \`X-Request-ID\`. A field of an answer is always
there, and null without a value; the few that are left out where they do not apply are marked as not required.

Fields of a body and parameters of a query that an operation does not know are ignored, and every answer to such a request names them in
\`X-Ampshard-Unknown-Fields\`: JSON pointers into the body (\`/components/0/colour\`) and names of parameters, percent-encoded and separated by
commas. With \`Prefer: handling=strict\` ([RFC 7240](https://www.rfc-editor.org/rfc/rfc7240)) such a request is refused instead: 400 \`validation_error\`, with each of them in
\`details\`, and \`Preference-Applied: handling=strict\`.

## Lists

Lists take \`page\` (from 1) and a size, and answer with \`total\`. A page past the end is an empty list. Events are read by cursor instead:
\`GET /api/v1/events\` returns the cursor to go on from.

## Repeating a request

Send an \`Idempotency-Key\` with a POST, and a repeat within 24 hours gets the first answer again, with
\`Idempotent-Replayed: true\`; nothing is done twice. The same key with another body is a 409 \`idempotency_conflict\`. Not kept are 400, 429, and a 500 or 503 that was given before anything was done: repeat
the request with the same key. A 503 that leaves open whether a charge point was asked is kept, so that it is not asked twice.

## Rate limits

A key has a quota for each clock hour, by the plan of its organization. \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` are on each answer, with a limit of
2147483647 where none applies; 429 and 503 carry \`Retry-After\` in seconds. A charge point takes ten commands a second.

## Webhooks

Deliveries are signed as [Standard Webhooks](https://www.standardwebhooks.com) describes: the headers \`webhook-id\`, \`webhook-timestamp\` and \`webhook-signature\` over the raw body. Verify
the signature before you parse, answer 2xx within the timeout, and drop ids that you have seen: delivery is at least once. A secret of the form
\`whsec_<base64>\` is decoded first; any other secret is used as the bytes of its text (\`new Webhook(secret, {format: 'raw'})\`). The schema of each event is under Webhooks in
the reference and at \`GET /api/v1/events/schemas\`.

## Errors

Errors are \`{"error": {"code", "message", "request_id", "details"}}\`; failures of the key, its scopes and its quota are flat: \`{"error": CODE, "message", "request_id"}\`. Go by
the code; the message is for people.

| Status | Code | Meaning |
|---|---|---|
${rowsOf(kinds).join('\n')}
`
