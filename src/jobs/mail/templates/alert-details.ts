// The details of alerts, in words.

import { type AlertDetails, alertDetailFields } from '../../../alert-kinds/index.js'
import { numberText } from '../../documents/words.js'
import { timeText } from './layout.js'

type Fact = readonly [name: string, value: string]

/** By their declarations; what a later version has stored beside these is left out. */
export function detailFacts(details: AlertDetails | undefined, timeZone: string | undefined): readonly Fact[] {
  const stored: Readonly<Record<string, unknown>> = details ?? {}
  return Object.entries(alertDetailFields).flatMap(([name, { label, schema }]): readonly Fact[] => {
    const value = stored[name]
    if (label === undefined || value === undefined || value === '') return []
    if (typeof value === 'number') return [[label, numberText(value, 0)]]
    const isTime = (schema as { readonly format?: string }).format === 'date-time'
    return [[label, isTime ? timeText(String(value), timeZone) : String(value)]]
  })
}
