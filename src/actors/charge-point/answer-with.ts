// The effects of a request, its answer among them.

import { writeEmptyResult, writeResult } from '../../ocpp16/index.js'
import { type Effect, effect } from '../../runtime/actor/actor.js'
import type { Answer, LaterAnswer } from './request-handler.js'
import type { AnswerTo } from './state.js'

export function answerWith(answered: Answer<unknown> | LaterAnswer, to: AnswerTo): readonly Effect[] {
  if ('later' in answered) return answered.later(to)
  const { response, effects } = answered
  const text = isEmpty(response) ? writeEmptyResult(to.messageId) : writeResult(to.messageId, response as object)
  const answer = effect.frame(to.connection, text)
  return effects === undefined ? [answer] : [...effects, answer]
}

function isEmpty(response: unknown): boolean {
  for (const _ in response as object) return false
  return true
}
