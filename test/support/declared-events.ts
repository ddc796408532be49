// Holds events to what is declared of them: a known name, and data of its shape.

import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { events } from '../../src/events/index.js'

const ajv = new Ajv({ strict: false })
addFormats.default(ajv)
const validators = new Map<string, ValidateFunction>()

/** What is wrong with an event; undefined for one that is as declared, without fields that the declaration does not know. */
export function faultOfEvent(event: string, data: Readonly<Record<string, unknown>>): string | undefined {
  const definition = events.get(event)
  if (definition === undefined) return `${event} is not declared`
  let validate = validators.get(event)
  if (validate === undefined) {
    validate = ajv.compile({ ...definition.data, additionalProperties: false })
    validators.set(event, validate)
  }
  return validate(data) ? undefined : `${event}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(data)}`
}

/** The events of a store, each as declared: throws at the first that is not. */
export function declared<Row extends { readonly event: string; readonly data: Readonly<Record<string, unknown>> }>(
  rows: readonly Row[],
): readonly Row[] {
  for (const { event, data } of rows) {
    const fault = faultOfEvent(event, data)
    if (fault !== undefined) throw new Error(fault)
  }
  return rows
}
