// What a box does that is asked for its configuration or to say something: as it should, unless it is one of the odd ones.

import type { Payload } from '../../../bench/charge-point/call-channel.js'
import type { Box } from '../boxes.js'
import type { Faults } from '../faults.js'
import { type Able, consentTo, refusal } from './odd-answers.js'

export interface BoxAnswers {
  /** Undefined where it is as with any charge point. */
  to(action: string, payload: Payload): Able | undefined
}

export interface BoxAnswersOptions {
  readonly box: Box
  readonly faults: Faults
  readonly later: (milliseconds: number, run: () => void) => void
  /** Sends the message that a TriggerMessage asks for. */
  readonly say: (message: string, connectorId: number | undefined) => void
  readonly reboot: () => void
}

export function createBoxAnswers({ box, faults, later, say, reboot }: BoxAnswersOptions): BoxAnswers {
  const { random } = faults
  const { keys, fixed } = box
  // What is odd about it.
  const rebootsAtChanges = random() < 0.15
  const keepsValues = random() < 0.1
  const refusesStarts = random() < 0.1
  const triggersNothing = random() < 0.1
  if (random() < 0.3) fixed.add('LocalAuthListEnabled').add('ConnectionTimeOut')

  function change(key: string, value: string): Able {
    if (fixed.has(key)) return { payload: { status: 'NotSupported' }, act: undefined }
    return consentTo('ChangeConfiguration', () => {
      if (!keepsValues) keys.set(key, value)
      if (rebootsAtChanges) later(500, reboot)
    })
  }

  function read(wanted: readonly string[] = [...keys.keys()]): object {
    const known = wanted.filter((key) => keys.has(key))
    return {
      configurationKey: known.map((key) => ({ key, readonly: fixed.has(key), value: keys.get(key) })),
      unknownKey: wanted.filter((key) => !keys.has(key)),
    }
  }

  return {
    to(action, payload) {
      switch (action) {
        case 'ChangeConfiguration':
          return change(String(payload.key), String(payload.value))
        case 'GetConfiguration':
          return { payload: read(payload.key as readonly string[] | undefined), act: () => undefined }
        case 'TriggerMessage': {
          if (triggersNothing) return { payload: { status: 'NotImplemented' }, act: undefined }
          const connectorId = payload.connectorId as number | undefined
          return consentTo(action, () => later(100, () => say(String(payload.requestedMessage), connectorId)))
        }
        case 'RemoteStartTransaction':
          return refusesStarts ? refusal : undefined
        default:
          return undefined
      }
    },
  }
}
