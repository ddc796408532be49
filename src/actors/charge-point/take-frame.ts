// A frame that the charge point has sent: a request, which is answered, or an answer to a call.

import { type Frame, messages, readFrame, readRequest, refusedRequest, writeError } from '../../ocpp16/index.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { answerWith } from './answer-with.js'
import { askToBoot } from './ask-to-boot.js'
import { noteRemoteStart } from './auth-method.js'
import { takeAnswer } from './call-queue.js'
import { noteConfigurationRead } from './configuration-reads.js'
import { noteViolation } from './conformance.js'
import { handlerOf } from './handler-of.js'
import { keepWithin } from './keep-within.js'
import { answeredAfterwards } from './late-answers.js'
import { limits } from './limits.js'
import { noteRawReservation } from './raw-reservations.js'
import { noteCertificateAnswer } from './sent-certificate.js'
import { noteSignOfLife, registeredFor, type State } from './state.js'
import { countMessage } from './statistics.js'

export const tooManyMalformed = 'too many malformed frames'

type CallFrame = Extract<Frame, { type: 'call' }>

const none: readonly Effect[] = []

export function takeFrame(state: State, connection: number, text: string, context: Context): readonly Effect[] {
  const frame = readFrame(text)
  if (frame.type === 'call') {
    state.malformedInARow = 0
    const effects = keepWithin(state, request(state, connection, frame, context), text.length, context)
    const seen = noteSignOfLife(state, context)
    return seen.length === 0 ? effects : [...effects, ...seen]
  }
  if (frame.type === 'result' || frame.type === 'error') {
    state.malformedInARow = 0
    // An answer on a socket that has been replaced answers nothing of the present one.
    if (connection !== state.connection) return none
    const answer =
      frame.type === 'result'
        ? { type: 'answered' as const, payload: frame.payload }
        : { type: 'call-error' as const, code: frame.rawCode, description: frame.description, details: frame.details }
    const noted = frame.type === 'result' ? noteAnswer(state, frame.messageId, frame.payload, context) : none
    const certificate = noteCertificateAnswer(state, frame.messageId, answer, context)
    const forgotten = answeredAfterwards(state, frame.messageId, answer, context)
    return [
      ...noted,
      ...certificate,
      ...forgotten,
      ...takeAnswer(state.calls, frame.messageId, answer, state.connection, context),
    ]
  }
  if (frame.type === 'empty') return noteSignOfLife(state, context)
  noteViolation(state, { rule: frame.type === 'ignored' ? 'unknown-message-type' : 'malformed-frame' })
  if (frame.type === 'ignored') return none
  if (++state.malformedInARow > limits.malformedFramesInARow) return [effect.close(connection, 1002, tooManyMalformed)]
  if (frame.messageId === undefined) return none
  return [effect.frame(connection, writeError(frame.messageId, frame.code, frame.description))]
}

/** What an answer means beyond the command: some change what is known of the charge point, whoever asked. */
function noteAnswer(state: State, messageId: string, payload: unknown, context: Context): readonly Effect[] {
  const { outstanding, late } = state.calls
  const isLate = outstanding?.call.commandId !== messageId
  const asked = isLate ? late?.get(messageId) : outstanding.call
  if (asked === undefined) return none
  if (!isLate) noteRemoteStart(state, asked, payload, context)
  return [
    ...noteRawReservation(state, asked, payload, isLate, context),
    ...noteConfigurationRead(state, asked, payload, context),
  ]
}

function request(state: State, connection: number, frame: CallFrame, context: Context): readonly Effect[] {
  const handler = handlerOf(frame.action)
  if (handler === undefined) {
    const code = messages.has(frame.action) ? 'NotSupported' : 'NotImplemented'
    countMessage('unknown')
    noteViolation(state, { rule: 'unknown-action' })
    return [effect.frame(connection, writeError(frame.rawMessageId, code, `${code}: ${frame.action.slice(0, 50)}`))]
  }
  countMessage(frame.action)
  if (frame.repaired) noteViolation(state, { rule: 'broken-json' })
  if (!registeredFor(state, handler.needs)) return refuseUnregistered(state, connection, frame, context)
  const receivedAt = context.now()
  const reading = readRequest(handler.message, frame.payload, receivedAt)
  if (!reading.ok) {
    noteViolation(state, refusedRequest(frame.payload, reading))
    return [effect.frame(connection, writeError(frame.rawMessageId, reading.code, reading.description))]
  }
  for (const violation of reading.violations) noteViolation(state, violation)
  const answered = handler.handle(state, reading.value, context, receivedAt)
  return answerWith(answered, { connection, messageId: frame.rawMessageId })
}

/** A charge point that never booted with us is asked to, once; until then its messages are refused and come again. */
function refuseUnregistered(state: State, connection: number, frame: CallFrame, context: Context): readonly Effect[] {
  const refusal = effect.frame(
    connection,
    writeError(frame.rawMessageId, 'SecurityError', 'BootNotification has not been accepted'),
  )
  if (state.askedToBoot || state.row.registration !== 'none' || state.registration === undefined) return [refusal]
  state.askedToBoot = true
  return [refusal, ...askToBoot(state, context)]
}
