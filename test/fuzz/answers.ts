// What the service may say on a socket, checked as a charge point that trusts nobody would.

import { Ajv, type ValidateFunction } from 'ajv'
import { messages } from '../../src/ocpp16/index.js'
import type { FuzzFrame } from './frames.js'

export interface Debts {
  owe(owed: NonNullable<FuzzFrame['owed']>): void
  /** A frame that may be answered. */
  mayOwe(): void
  /** Takes a frame of the service; returns a CALL to be answered, `start` of a transaction, or what is wrong. */
  take(text: string): Taken
  /** How many answers are due. */
  readonly size: number
  /** Ids and actions that are due, the oldest first. */
  due(): readonly string[]
}

export type Taken =
  | { readonly type: 'call'; readonly id: string; readonly action: string }
  | { readonly type: 'answer'; readonly startedTransaction: number | undefined }
  | { readonly type: 'wrong'; readonly what: string }

const errorCodes = new Set([
  ...['NotImplemented', 'NotSupported', 'InternalError', 'ProtocolError', 'SecurityError', 'FormationViolation'],
  ...['PropertyConstraintViolation', 'OccurenceConstraintViolation', 'TypeConstraintViolation', 'GenericError'],
])
const ajv = new Ajv({ strict: false, validateFormats: false })
const validators = new Map<string, ValidateFunction>()

function validResponse(action: string, payload: unknown): boolean {
  const definition = messages.get(action)
  if (definition === undefined) return false
  const known = validators.get(action) ?? ajv.compile(definition.response)
  validators.set(action, known)
  return known(payload) === true
}

export function createDebts(): Debts {
  const owed = new Map<string, string[]>()
  let size = 0
  let mayBe = 0

  function settle(id: string): string | undefined {
    const actions = owed.get(id)
    const action = actions?.shift()
    if (action === undefined) return undefined
    if (actions?.length === 0) owed.delete(id)
    size--
    return action
  }

  function takeResult(elements: readonly unknown[]): Taken {
    const action = settle(`${elements[1]}`)
    // A frame that was mended may have become a call; nobody knows its id here.
    if (action === undefined) return mayBe-- > 0 ? answered : wrong('an answer to nothing')
    const payload = elements[2]
    if (elements.length !== 3 || !validResponse(action, payload)) return wrong(`an answer to ${action} that is none`)
    const { transactionId } = payload as { transactionId?: number }
    return { type: 'answer', startedTransaction: action === 'StartTransaction' ? transactionId : undefined }
  }

  function takeError(elements: readonly unknown[]): Taken {
    const [, id, code, description, details] = elements
    const action = settle(`${id}`)
    if (action === undefined && mayBe-- <= 0) return wrong('a CALLERROR to nothing')
    const object = typeof details === 'object' && details !== null && !Array.isArray(details)
    if (elements.length !== 5 || !errorCodes.has(String(code)) || typeof description !== 'string' || !object)
      return wrong('a CALLERROR that is none')
    return code === 'InternalError' ? wrong(`InternalError to ${action}`) : answered
  }

  return {
    owe({ id, action }) {
      owed.set(id, [...(owed.get(id) ?? []), action])
      size++
    },
    mayOwe: () => void mayBe++,
    take(text) {
      let frame: unknown
      try {
        frame = JSON.parse(text)
      } catch {
        return wrong('the service sent what is not JSON')
      }
      if (!Array.isArray(frame)) return wrong('the service sent what is no frame')
      const [type, id, action] = frame as unknown[]
      if (type === 3) return takeResult(frame)
      if (type === 4) return takeError(frame)
      if (type === 2 && typeof id === 'string' && typeof action === 'string' && frame.length === 4)
        return { type: 'call', id, action }
      return wrong('the service sent what is no frame')
    },
    get size() {
      return size
    },
    due: () => [...owed].map(([id, actions]) => `${actions[0]} ${id.slice(0, 40)}`),
  }
}

const answered: Taken = { type: 'answer', startedTransaction: undefined }

function wrong(what: string): Taken {
  return { type: 'wrong', what }
}
