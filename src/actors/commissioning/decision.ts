// What a step of a commissioning does next.

import type { OcppCall } from '../../ocpp16/index.js'

export type Decision =
  | { readonly type: 'ping' }
  | { readonly type: 'call'; readonly call: OcppCall }
  /** It is not sent: the answer is known. */
  | { readonly type: 'skip'; readonly sent: string; readonly parameters?: OcppCall['payload']; readonly answer: string }
  | { readonly type: 'apply' }
  | { readonly type: 'start-test'; readonly connectorId: number }
  | { readonly type: 'wait' }
  | { readonly type: 'passed'; readonly detail: string; readonly isDoubtful?: true }
  | { readonly type: 'failed'; readonly detail: string }

export const wait: Decision = { type: 'wait' }
export const passed = (detail: string): Decision => ({ type: 'passed', detail })
export const doubtful = (detail: string): Decision => ({ type: 'passed', detail, isDoubtful: true })
export const failed = (detail: string): Decision => ({ type: 'failed', detail })
export const call = (made: OcppCall): Decision => ({ type: 'call', call: made })
export const skip = (sent: string, answer: string): Decision => ({ type: 'skip', sent, answer })
