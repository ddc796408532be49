// What the pages of a charge point say: the checks of a connection and what somebody did, in the words of the field.

import type { Schema } from '../../client/api.js'
import { dateText, minuteText, momentText, numberText, zone } from '../../client/format.js'

export type Diagnosis = Schema<'ConnectionDiagnosis'>
export type Stage = Diagnosis['stages'][number]

interface StageWords {
  readonly passed: string
  readonly failed: string
  /** Where it was not asked, or not reached. */
  readonly named: string
}

export const stageWords: Readonly<Record<Stage['stage'], StageWords>> = {
  reaches: { passed: 'It reaches us', failed: 'Nothing arrives under its id', named: 'Reaching us' },
  admitted: {
    passed: 'The service takes connections',
    failed: 'The service did not take its connection',
    named: 'A service that takes connections',
  },
  path: { passed: 'The address has its id', failed: 'The address is not right', named: 'An address with its id' },
  registered: { passed: 'The id is registered', failed: 'The id was not registered', named: 'A registered id' },
  subprotocol: { passed: 'It speaks OCPP 1.6', failed: 'It does not speak OCPP 1.6', named: 'OCPP 1.6' },
  certificate: {
    passed: 'Its client certificate is good',
    failed: 'Its client certificate is not good',
    named: 'Client certificate',
  },
  password: { passed: 'Its password is right', failed: 'It does not sign in with its password', named: 'Password' },
  flapping: {
    passed: 'It does not come too often',
    failed: 'Its connection breaks too often, or it sends too much',
    named: 'Not too often',
  },
  online: { passed: 'It is online', failed: 'It is not online', named: 'Online' },
}

/** In a sentence that begins with it. */
const actionWords: Readonly<Record<string, string>> = {
  createAuthorizationKey: 'A new password was made',
  deleteAuthorizationKey: 'The password was deleted',
  updateChargePoint: 'The charge point was changed',
  registerChargePoint: 'The charge point was registered',
  deleteChargePoint: 'The charge point was removed',
  raiseChargePointSecurityProfile: 'It was told to use a higher security profile',
  changeChargePointConfiguration: 'Its configuration was changed',
  applyChargePointConfiguration: 'Its configuration was applied',
  generateCertificate: 'A client certificate was made',
  revokeCertificate: 'A client certificate was revoked',
  revokeCertificates: 'Its client certificates were revoked',
  executeCommand: 'A command was sent to it',
  executeBulkCommand: 'A command was sent to it',
  sendOcppCommand: 'A command was sent to it',
  resetChargePoint: 'It was told to restart',
  linkCharger: 'It was moved into a site',
  unlinkCharger: 'It was taken out of its site',
  putChargePointTariff: 'Its tariff was changed',
}

/** As the API calls it, in words; of one that is not known here, its name is taken apart. */
export function actionText(action: string): string {
  const spaced = action.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return actionWords[action] ?? spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

/** Where the address itself is what has no id, there is none to be told. */
export const hasNoId = ({ last }: Diagnosis): boolean => last[0]?.reason === 'no_identity'

/** The address that has to be set in it, in words; undefined where others come first, or where it may be one of several. */
export function addressWords(diagnosis: Diagnosis): string | undefined {
  const { registered, differs_from: near, lost_together } = diagnosis
  if (lost_together !== null || hasNoId(diagnosis) || near.length > 1) return undefined
  const [meant] = near
  if (meant !== undefined) return `If it is ${meant.charge_point_id}, its address has to be:`
  return registered ? 'Its address has to be:' : 'Once it is registered, its address has to be:'
}

/** When all of them went, and how many of the others are there. */
export function lostTogetherText({ first_at, still_connected }: NonNullable<Diagnosis['lost_together']>): string {
  const others =
    still_connected === null
      ? ''
      : ` ${still_connected === 0 ? 'None' : numberText(still_connected)} of the others there ${still_connected === 1 ? 'is' : 'are'} connected.`
  return `They went away at ${minuteText(first_at)} on ${dateText(first_at)}.${others}`
}

/** What a technician at the charger needs, as text that can be sent. */
export function technicianText(diagnosis: Diagnosis, endpoint: string): string {
  const { charge_point_id, cause, steps, last, stages, lost_together, neighbours, since } = diagnosis
  const failed = stages.find(({ outcome }) => outcome === 'failed')
  const [newest] = last
  const online = neighbours.filter((one) => one.online).length
  const address = addressWords(diagnosis)
  return [
    hasNoId(diagnosis) ? 'A charge point is not online.' : `Charge point ${charge_point_id} is not online.`,
    '',
    `What is wrong: ${cause}`,
    ...(lost_together === null ? [] : [lostTogetherText(lost_together)]),
    ...(steps.length === 1
      ? [`What to do: ${steps[0]}`]
      : ['What to do, in this order:', ...steps.map((step, at) => `${at + 1}. ${step}`)]),
    '',
    ...(address === undefined ? [] : [`${address} ${endpoint}`]),
    ...(failed === undefined ? [] : [`Stopped at: ${stageWords[failed.stage].failed} (${failed.detail})`]),
    ...(since === null ? [] : [`Connected last: ${momentText(since)}`]),
    ...(newest === undefined
      ? []
      : [
          `Last attempt: ${momentText(newest.at)}${newest.remote_address === null ? '' : ` from ${newest.remote_address}`}, ${newest.reason}, HTTP ${newest.http_status}`,
        ]),
    ...(neighbours.length === 0 ? [] : [`Its neighbours: ${online} of ${neighbours.length} connected`]),
    `Times are of the zone ${zone()}.`,
  ].join('\n')
}
