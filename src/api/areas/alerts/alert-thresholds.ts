// The thresholds of alerts as the API takes and shows them; which there are, and their bounds, is declared with the kinds of alerts.

import { Type } from 'typebox'
import { type AlertThresholds, alertThresholds, type ThresholdName } from '../../../alert-kinds/index.js'
import { nullable } from '../../pipeline/schemas.js'

type Threshold = ReturnType<typeof threshold>

function threshold(name: ThresholdName) {
  const { minimum, maximum, fallback, meaning } = alertThresholds[name]
  return nullable(
    Type.Integer({
      minimum,
      maximum,
      description: `${meaning} The default is ${fallback}; null switches these alerts off.`,
    }),
  )
}

const names = Object.keys(alertThresholds) as readonly ThresholdName[]

function forEach<Value>(make: (name: ThresholdName) => Value): Readonly<Record<ThresholdName, Value>> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<ThresholdName, Value>
}

export const thresholdsSchema = Type.Object(forEach<Threshold>(threshold))

export const changedThresholdsSchema = Type.Object(forEach((name) => Type.Optional(threshold(name))))

/** All of them, as they hold. */
export function thresholdsView(set: Partial<AlertThresholds> | undefined): AlertThresholds {
  return forEach((name) => {
    const chosen = set?.[name]
    return chosen === undefined ? alertThresholds[name].fallback : chosen
  })
}

/** Those that are set after a change; what it does not name stays. */
export function changedThresholds(
  set: Partial<AlertThresholds> | undefined,
  change: { readonly [Name in ThresholdName]?: number | null | undefined },
): Partial<AlertThresholds> {
  const changed = names.flatMap((name) => (change[name] === undefined ? [] : [[name, change[name]]]))
  return { ...set, ...Object.fromEntries(changed) }
}
