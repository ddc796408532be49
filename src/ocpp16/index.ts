// OCPP 1.6-J's wire format, for the charge-point actor and for whoever documents or checks its messages.

export { callOf, type OcppCall } from './call.js'
export { type CallCheck, checkCall } from './check-call.js'
export { type ConformanceRule, conformanceRules, type RuleOutcome, ruleOutcomes } from './conformance-rules.js'
export { type OcppErrorCode, ocppErrorCodes, readErrorCode } from './error-codes.js'
export {
  type AnswerType,
  answerTypes,
  type Deviation,
  type Direction,
  describeExchange,
  type Exchange,
  type ExchangeKind,
  exchangeKinds,
  kindOf,
  refusedRequest,
} from './exchange.js'
export { answerFieldNames, fieldNamesOf } from './field-names.js'
export {
  constantResult,
  type Frame,
  type RawMessageId,
  readFrame,
  writeCall,
  writeEmptyResult,
  writeError,
  writeResult,
} from './frame.js'
export { type FrameHead, readHead } from './frame-head.js'
export { type KeptFrame, keptFrame, maskFrame, maskText, secretsIn } from './masked-frame.js'
export { messages } from './messages.js'
export { type Reading, readRequest, readResponse } from './reader.js'
export { type FrameSample, sampleOf } from './sample-frame.js'
export * from './schemas/all.js'
export {
  type AuthorizationStatus,
  type CertificateHashData,
  type ChargingProfile,
  type ChargingProfilePurpose,
  type ChargingRateUnit,
  type ChargingSchedule,
  certificateHashData,
  chargingProfile,
  chargingSchedule,
  type IdTagInfo,
  idTagInfo,
  type MeterValue,
  meterValue,
  type SampledValue,
  sampledValue,
} from './schemas/common.js'
export {
  defineMessage,
  type MessageDefinition,
  type Profile,
  type Repair,
  type Repairs,
  receivedTime,
  type Sender,
} from './schemas/define-message.js'
export { type Standard, standardOf } from './standard.js'
export { readTimestamp, writeTimestamp } from './timestamp.js'
export type { Violation, ViolationRule } from './violation.js'
