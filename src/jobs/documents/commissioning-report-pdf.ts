// The report of a commissioning as a PDF, for installer and operator to sign: what was tested, when, by whom, with which results. Prints what it
// is given. Times are in UTC, since both sides sign the same paper.

import type { Exchange, StepName, StepStatus } from '../../records/commissioning.js'
import type { CommissioningReport, ReportedCertificate, TestedCharge } from '../../records/commissioning-report.js'
import { isTaken, type KeyOutcome } from '../../records/configuration.js'
import {
  type Detail,
  drawDetails,
  drawLetterhead,
  drawNotes,
  finishDocument,
  partyLines,
  partyName,
  typefaceOf,
} from './letterhead.js'
import { colors, contentWidth, openSheet, type Sheet, sheet } from './sheet.js'
import { type Column, drawTable, type Row } from './table.js'
import { dateText, durationText, numberText, timeText } from './words.js'

const zone = 'UTC'
const results = {
  running: 'Running',
  paused: 'Paused',
  completed: 'Passed',
  failed: 'Failed',
  stopped: 'Stopped',
} as const

const stepTitles: Readonly<Record<StepName, string>> = {
  connectivity: 'Connectivity',
  heartbeat: 'Sign of life',
  configuration: 'Configuration',
  connector_test: 'Connectors',
  test_transaction: 'Test transaction',
}

const stepResults: Readonly<Record<StepStatus, string>> = {
  pending: 'Not begun',
  running: 'Running',
  passed: 'Passed',
  failed: 'Failed',
  skipped: 'Skipped',
}

const keyResults: Readonly<Record<KeyOutcome, string>> = {
  applied: 'Applied',
  unverified: 'Accepted, not reported',
  reboot_required: 'Applied after a restart',
  other_value: 'Other value',
  rejected: 'Rejected',
  read_only: 'Read-only',
  not_supported: 'Not supported',
  too_long: 'List too long',
  reboots: 'Restarts the charge point',
  error: 'Answered with an error',
  unanswered: 'Not answered',
  not_attempted: 'Not attempted',
}

const stepColumns = [
  { title: 'Step', share: 19 },
  { title: 'Result', share: 12 },
  { title: 'Finding', share: 55 },
  { title: 'Duration', share: 14, align: 'right' },
] as const

const evidenceColumns = [
  { title: 'Step', share: 19 },
  { title: 'Time', share: 12 },
  { title: 'Sent', share: 30 },
  { title: 'Answer', share: 25 },
  { title: 'After', share: 14, align: 'right' },
] as const

const issueColumns = [
  { title: 'Issue', share: 24 },
  { title: 'Severity', share: 12 },
  { title: 'Status', share: 12 },
  { title: 'Description', share: 52 },
] as const

const keyColumns = [
  { title: 'Configuration key', share: 34 },
  { title: 'Wanted', share: 22 },
  { title: 'Result', share: 22 },
  { title: 'Reported', share: 22 },
] as const

/** Adds to `unshown` what no font has. */
export async function commissioningReportPdf(
  report: CommissioningReport,
  unshown = new Set<string>(),
): Promise<Buffer> {
  const { session, installer, layout } = report
  const on = openSheet({
    typeface: await typefaceOf(report, installer),
    unshown,
    title: `Commissioning report ${session.charge_point_id}`,
    author: partyName(installer),
    at: Date.parse(session.ended_at),
    layout,
  })
  drawLetterhead(on, {
    kind: 'Commissioning report',
    number: results[session.status],
    facts: [dateText(session.ended_at, zone)],
    issuer: installer,
  })
  drawDetails(on, [chargePointOf(report), commissioningOf(report)])
  drawDetails(on, [
    { label: 'OPERATOR', lines: operatorLines(on, report) },
    {
      label: 'PROJECT AND PLACE',
      lines: [report.place.project_id, report.place.address ?? 'No address was given.'],
    },
  ])
  drawDetails(on, [connectionOf(report), certificateOf(report.certificate)])
  if (report.charge !== undefined) drawDetails(on, [chargeOf(report.charge)])

  drawPart(on, 'Results', stepColumns, stepRows(report))
  const evidence = evidenceRows(report)
  if (evidence.length > 0) drawPart(on, 'Evidence', evidenceColumns, evidence)
  drawConfiguration(on, report)
  if (report.issues.length > 0) drawPart(on, 'Reported issues', issueColumns, issueRows(report))
  drawSignatures(on, report)
  drawNotes(on, ['All times are in UTC.', ...versionNotes(report)])
  return finishDocument(on, installer, `Commissioning report ${session.session_id}`)
}

function chargePointOf({ session, registered, tested }: CommissioningReport): Detail {
  const { vendor, model } = tested ?? registered
  const serialNumber = tested?.serial_number ?? registered.serial_number
  const firmware = tested?.firmware_version
  return {
    label: 'CHARGE POINT',
    lines: [
      session.charge_point_id,
      `${vendor}, ${model}`,
      `Serial number ${serialNumber}`,
      firmware === undefined ? 'Firmware version not reported' : `Firmware ${firmware}`,
      ...(tested?.meter_serial_number === undefined ? [] : [`Meter ${tested.meter_serial_number}`]),
    ],
  }
}

function commissioningOf({ session, installer_name }: CommissioningReport): Detail {
  return {
    label: 'COMMISSIONED BY',
    lines: [
      installer_name ?? 'An installer whose account is deleted',
      `From ${timeText(session.started_at, zone)}`,
      `to ${timeText(session.ended_at, zone)}`,
      `Template ${session.template_id}`,
    ],
  }
}

function operatorLines(on: Sheet, { operator }: CommissioningReport): string[] {
  return operator === undefined
    ? ['Not claimed by an organization yet']
    : [partyName(operator), ...partyLines(on, operator)]
}

/** What each security profile shows of the charge point. */
const shownIn = ['by its id alone', 'with a password', 'with a password', 'with a client certificate'] as const

function connectionOf({ connected_by }: CommissioningReport): Detail {
  const label = 'CONNECTION'
  const ocpp = 'OCPP 1.6-J'
  if (connected_by === undefined) return { label, lines: [ocpp, 'Its security profile was not noted.'] }
  const { security_profile, over_tls } = connected_by
  const transport = over_tls ? 'Over TLS' : 'Without TLS'
  return {
    label,
    lines: [`${ocpp}, security profile ${security_profile}`, `${transport}, ${shownIn[security_profile]}`],
  }
}

function certificateOf(certificate: ReportedCertificate): Detail {
  const label = 'CLIENT CERTIFICATE'
  switch (certificate.type) {
    case 'none':
      return { label, lines: ['None', 'The charge point has never connected with one.'] }
    case 'other':
      return { label, lines: ['Of another issuer', 'The charge point has connected with it.'] }
    case 'issued': {
      const { serial_number, valid_from, expires_at, status } = certificate
      const days = `From ${dateText(valid_from, zone)} to ${dateText(expires_at, zone)}`
      return { label, lines: [`Serial number ${serial_number}`, days, `Status: ${status}`] }
    }
  }
}

function chargeOf(charge: TestedCharge): Detail {
  const { transaction_id, connector_id, id_tag, started_at, ended_at, energy_wh, meter_start, meter_stop } = charge
  const kwh = (wh: number): string => `${numberText(wh / 1_000, 3, 3)} kWh`
  const seconds = ended_at === undefined ? undefined : (Date.parse(ended_at) - Date.parse(started_at)) / 1_000
  const energy = energy_wh === undefined ? 'Energy not known' : kwh(energy_wh)
  return {
    label: 'TEST TRANSACTION',
    lines: [
      seconds === undefined ? energy : `${energy} in ${durationText(seconds)}`,
      `Connector ${connector_id}, transaction ${transaction_id}`,
      `From ${timeText(started_at, zone)}`,
      `Meter ${kwh(meter_start)} to ${meter_stop === undefined ? 'an unknown value' : kwh(meter_stop)}`,
      `Id tag ${id_tag}`,
    ],
  }
}

const headingHeight = 24
/** Of a heading, the header of its table and one row: less of it does not begin at the end of a page. */
const leastHeight = 90

function drawHeading(on: Sheet, title: string, below: number): void {
  if (!on.fits(headingHeight + below)) on.newPage()
  on.text(title, sheet.margin, on.y, { size: 12, weight: 'bold' })
  on.y += headingHeight
}

function drawPart(on: Sheet, title: string, columns: readonly Column[], rows: readonly Row[]): void {
  drawHeading(on, title, leastHeight)
  drawTable(on, columns, rows)
  on.y += 22
}

function stepRows({ session }: CommissioningReport): Row[] {
  return session.steps.map(({ name, status, detail, duration_ms }) => ({
    cells: [
      stepTitles[name],
      stepResults[status],
      detail ?? '',
      duration_ms === undefined ? '' : durationText(duration_ms / 1_000),
    ],
  }))
}

function evidenceRows({ session }: CommissioningReport): Row[] {
  return session.steps.flatMap(({ name, evidence }) =>
    evidence.map((exchange) => ({
      cells: [
        stepTitles[name],
        exchange.sent_at.slice(11, 19),
        sentText(exchange),
        answerText(exchange),
        exchange.response_time_ms === undefined ? '' : `${numberText(exchange.response_time_ms, 0, 0)} ms`,
      ],
    })),
  )
}

/** `TriggerMessage (requestedMessage: Heartbeat)` */
function sentText({ sent, parameters = {} }: Exchange): string {
  const named = Object.entries(parameters).map(([name, value]) => `${name}: ${String(value)}`)
  return named.length === 0 ? sent : `${sent} (${named.join(', ')})`
}

function answerText({ outcome, answer }: Exchange): string {
  const because = answer === undefined ? '' : ` (${answer})`
  switch (outcome) {
    case 'answered':
      return answer ?? 'Answered'
    case 'error':
      return `Error${because}`
    case 'timeout':
      return `No answer${because}`
    case 'unsent':
      return `Not sent${because}`
    case 'not_asked':
      return `Not asked, known of the model${because}`
    case 'unknown':
      return `Not known${because}`
  }
}

/** Issues that are printed in full; of others, so many characters. */
const issuesInFull = 20
const charactersOfOthers = 120

function issueRows({ issues }: CommissioningReport): Row[] {
  return issues.flatMap(({ reference_number, severity, status, description, created_at }, index) => {
    const start = [...description].slice(0, charactersOfOthers).join('')
    const isWhole = index < issuesInFull || start === description
    const [first = '', ...more] = piecesOf(isWhole ? description : `${start} …`)
    return [
      { cells: [reference_number, severity, status, first], note: dateText(created_at, zone) },
      ...more.map((piece) => ({ cells: ['', '', '', piece] })),
    ]
  })
}

/** Less than a page of any script: a row is never cut. */
const charactersInRow = 550

function piecesOf(text: string): string[] {
  const characters = [...text]
  const count = Math.ceil(characters.length / charactersInRow)
  return Array.from({ length: count }, (_, at) =>
    characters.slice(at * charactersInRow, (at + 1) * charactersInRow).join(''),
  )
}

/** Keys that are not as wanted; the others are a number. */
function drawConfiguration(on: Sheet, { keys, session }: CommissioningReport): void {
  if (keys === undefined || keys.length === 0) return
  const deviating = keys.filter((key) => !isTaken(key) || key.outcome !== 'applied')
  const template = session.configuration_template_id
  const count = numberText(keys.length - deviating.length, 0)
  drawHeading(on, 'Configuration', leastHeight)
  const source = template === undefined ? '' : `, with the template ${template}`
  on.y += on.text(
    `${count} of ${numberText(keys.length, 0)} keys are set and read back${source}.`,
    sheet.margin,
    on.y,
    { width: contentWidth },
  )
  on.y += 10
  if (deviating.length > 0)
    drawTable(
      on,
      keyColumns,
      deviating.map(({ key, value, outcome, detail }) => ({
        cells: [key, value, outcome === undefined ? 'Not attempted' : keyResults[outcome], detail ?? ''],
      })),
    )
  on.y += 22
}

const signatureFields = ['Name', 'Place and date', 'Signature'] as const
const fieldHeight = 40
const signaturesHeight = 44 + signatureFields.length * fieldHeight

function drawSignatures(on: Sheet, { installer, operator }: CommissioningReport): void {
  drawHeading(on, 'Signatures', signaturesHeight)
  const width = contentWidth / 2
  const top = on.y
  const sides = [
    ['For the installer', partyName(installer)],
    ['For the operator', operator === undefined ? '' : partyName(operator)],
  ] as const
  for (const [index, [label, party]] of sides.entries()) {
    const x = sheet.margin + index * width
    on.text(label, x, top, { size: 8, weight: 'bold', color: colors.muted })
    on.text(on.shortened(party, '', { size: 10.5, weight: 'bold', width: width - 24 }), x, top + 14, {
      size: 10.5,
      weight: 'bold',
    })
    for (const [at, field] of signatureFields.entries()) {
      const y = top + 34 + (at + 1) * fieldHeight - 14
      on.rule(y, colors.ink, 0.6, x, x + width - 24)
      on.text(field, x, y + 3, { size: 8, color: colors.muted })
    }
  }
  on.y = top + signaturesHeight + 6
}

function versionNotes({ registered, tested }: CommissioningReport): string[] {
  if (tested === undefined)
    return ['The vendor, the model and the serial number are those that the installer has registered.']
  const differs = (said: string | undefined, was: string): boolean => said !== undefined && said !== was
  const isOther =
    differs(tested.vendor, registered.vendor) ||
    differs(tested.model, registered.model) ||
    differs(tested.serial_number, registered.serial_number)
  if (!isOther) return []
  const { vendor, model, serial_number } = registered
  return [
    `The charge point has reported what is printed here. Its installer has registered ${vendor}, ${model}, serial number ${serial_number}.`,
  ]
}
