// What the reference has of every event: its JSON Schemas, and its place in the OpenAPI document under `webhooks`.

import { Type } from 'typebox'
import type { EventDefinition } from '../../events/define-event.js'
import { apiVersion, formASchema, formBSchema } from '../../events/envelope.js'
import { events } from '../../events/index.js'
import { anyObject } from '../pipeline/schemas.js'
import { exampleOf } from './example.js'

const dialect = 'https://json-schema.org/draft/2020-12/schema'

export const eventSchemas = Type.Object({
  api_version: Type.String({ description: 'The version of the payloads in form B.' }),
  events: Type.Array(
    Type.Object({
      event: Type.String(),
      description: Type.String(),
      data: anyObject('The JSON Schema of `data`, which form B calls `object`.'),
      form_a: anyObject('The JSON Schema of a delivery in form A.'),
      form_b: anyObject('The JSON Schema of a delivery in form B.'),
      example: anyObject('A delivery in form B.'),
    }),
  ),
})

function describe(definition: EventDefinition) {
  const { name, description, data } = definition
  const forms = { data, form_a: formASchema(definition), form_b: formBSchema(definition) }
  return {
    event: name,
    description,
    data: { $schema: dialect, ...forms.data },
    form_a: { $schema: dialect, ...forms.form_a },
    form_b: { $schema: dialect, ...forms.form_b },
    example: exampleOf(forms.form_b),
  }
}

export function schemasOfEvents() {
  return { api_version: apiVersion, events: [...events.values()].map(describe) }
}

/** OpenAPI 3.1, `webhooks`: what endpoints have to take. */
export function openApiWebhooks(): Readonly<Record<string, unknown>> {
  return Object.fromEntries([...events.values()].map((definition) => [definition.name, { post: webhook(definition) }]))
}

function webhook(definition: EventDefinition) {
  const forms = { a: formASchema(definition), b: formBSchema(definition) }
  return {
    operationId: `on.${definition.name}`,
    summary: definition.description,
    description: 'Sent in the payload format of the endpoint. The same event may be delivered more than once.',
    tags: ['Events'],
    security: [],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            oneOf: [
              { title: 'form A', ...forms.a },
              { title: 'form B', ...forms.b },
            ],
          },
          examples: {
            a: { summary: 'form A', value: exampleOf(forms.a) },
            b: { summary: 'form B', value: exampleOf(forms.b) },
          },
        },
      },
    },
    responses: {
      '2XX': { description: 'The delivery is accepted. After any other answer, or none, it is sent again.' },
    },
  }
}
