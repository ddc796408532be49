// A commissioning is started, stopped, paused, resumed, and started anew.

import { Type } from 'typebox'
import {
  type ChangeCommissioningMessage,
  type CommissioningReply,
  commissioningAddress,
  type StartCommissioningMessage,
} from '../../../actors/commissioning/messages.js'
import { currentStep } from '../../../actors/commissioning/progress.js'
import type { InstalledChargePoint } from '../../../records/charge-point.js'
import { type CommissioningSession, commissioningStatuses, stepNames } from '../../../records/commissioning.js'
import { commissioningTemplateFor } from '../../../records/commissioning-template.js'
import { valueText } from '../../../records/configuration-value.js'
import { wantedConfiguration } from '../../../records/wanted-configuration.js'
import { notFound, overloaded } from '../../../runtime/errors.js'
import { askActor } from '../../pipeline/ask-actor.js'
import { nullable, timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { verifiedIdentity } from '../../surfaces/installer-requirements.js'
import { sharedTemplates } from '../configuration/template-routes.js'
import { installerChargePoints } from '../installer-charge-points/area.js'
import { requireNotEnded } from '../installer-charge-points/change-installed.js'
import {
  alreadyCommissioned,
  chargePointClaimed,
  installersNotConnected,
  notConnected,
} from '../installer-charge-points/errors.js'
import { area } from './area.js'
import { commissioningNotPaused, commissioningNotRunning, sessionAlreadyRunning } from './errors.js'
import { commissioningTemplates } from './read-routes.js'
import { sessionSchema, sessionView } from './sessions.js'

interface StartBody {
  readonly template_id?: string
  readonly skip_test_transaction?: boolean
}

/** Throws what the actor refuses. */
async function ask(
  { charge_point_id: chargePointId }: InstalledChargePoint,
  message: StartCommissioningMessage | ChangeCommissioningMessage,
  services: Services,
): Promise<CommissioningSession> {
  const reply = (await askActor(services, commissioningAddress(chargePointId), message)) as CommissioningReply
  const extras = { chargePointId }
  switch (reply.type) {
    case 'session':
      return reply.session
    case 'already-running':
      throw sessionAlreadyRunning(
        'a commissioning of the charge point is running, or paused: stop it, or restart it',
        extras,
      )
    case 'already-commissioned':
      throw alreadyCommissioned('the charge point is commissioned', extras)
    case 'not-connected':
      throw installersNotConnected(chargePointId)
    case 'not-in-state':
      if (message.type === 'resume')
        throw commissioningNotPaused('no commissioning of the charge point is paused', extras)
      throw commissioningNotRunning('no commissioning of the charge point is running', extras)
    case 'unknown':
      throw notFound('there is no such charge point', extras)
  }
}

function begin(row: InstalledChargePoint, body: StartBody, restarts: boolean, services: Services) {
  requireNotEnded(row)
  const { charge_point_id: chargePointId, installed } = row
  const templates = commissioningTemplates(services)
  const template =
    body.template_id === undefined
      ? commissioningTemplateFor(installed.model, templates)
      : templates.find(({ template_id }) => template_id === body.template_id)
  if (template === undefined) throw notFound('there is no such template', { chargePointId })
  const wanted = wantedConfiguration(services.view(), row, sharedTemplates(services))
  const isLeftOut = (name: string): boolean => body.skip_test_transaction === true && name === 'test_transaction'
  const message: StartCommissioningMessage = {
    type: 'start',
    sessionId: services.newId('com'),
    installerId: installed.installer_id,
    templateId: template.template_id,
    steps: template.steps.filter((name) => !isLeftOut(name)),
    configuration: Object.entries(wanted.parameters).map(([key, value]) => ({ key, value: valueText(value) })),
    ...(wanted.template !== undefined && { configurationTemplateId: wanted.template.template_id }),
    restarts,
  }
  return ask(row, message, services)
}

const templateId = Type.Optional(
  Type.String({ minLength: 1, maxLength: 64, description: 'The template for the model, unless it is given.' }),
)
const skip = Type.Optional(Type.Boolean({ default: false }))

const start = area.route({
  method: 'POST',
  path: '/{charge_point_id}/start',
  operationId: 'startCommissioning',
  summary: 'Start the commissioning of a charge point',
  description:
    'The charge point has to be connected, and not commissioned yet. GET .../status shows the progress. The commissioning goes on after restarts of the ' +
    'service, after which the charge point has five minutes to return, and over losses of the connection of up to 60 seconds. A step that fails ends it. For the test transaction, plug in a vehicle or a test box: the ' +
    'transaction has a tag of its own, and is stopped in every case.',
  of: installerChargePoints,
  requires: [verifiedIdentity],
  body: Type.Object({ template_id: templateId, skip_test_transaction: skip }),
  bodyOptional: true,
  responses: { 202: sessionSchema },
  errors: [sessionAlreadyRunning, notConnected, chargePointClaimed, alreadyCommissioned, overloaded],
  sheddable: 'command',
  examples: { all: {}, withoutTransaction: { skip_test_transaction: true } },
  handle: async ({ row, body }, services) => ({
    status: 202,
    body: sessionView(await begin(row, body ?? {}, false, services)),
  }),
})

const restart = area.route({
  method: 'POST',
  path: '/{charge_point_id}/restart',
  operationId: 'restartCommissioning',
  summary: 'Start the commissioning of a charge point anew',
  description: 'One that runs, or is paused, is stopped. All steps are taken again; the log of the one before stays.',
  of: installerChargePoints,
  requires: [verifiedIdentity],
  body: Type.Object({ template_id: templateId, skip_test_transaction: skip }),
  bodyOptional: true,
  responses: { 202: sessionSchema },
  errors: [notConnected, chargePointClaimed, alreadyCommissioned, overloaded],
  sheddable: 'command',
  examples: { all: {} },
  handle: async ({ row, body }, services) => ({
    status: 202,
    body: sessionView(await begin(row, body ?? {}, true, services)),
  }),
})

const changed = {
  charge_point_id: Type.String(),
  session_id: Type.String(),
  status: Type.Enum([...commissioningStatuses]),
}
const shownStep = nullable(Type.Enum([...stepNames]))

function change(row: InstalledChargePoint, type: ChangeCommissioningMessage['type'], services: Services) {
  return ask(row, { type, installerId: row.installed.installer_id }, services)
}

function shown({ charge_point_id, session_id, status }: CommissioningSession) {
  return { charge_point_id, session_id, status }
}

const stop = area.route({
  method: 'POST',
  path: '/{charge_point_id}/stop',
  operationId: 'stopCommissioning',
  summary: 'Stop the commissioning of a charge point',
  description: 'A test transaction that runs is stopped too.',
  of: installerChargePoints,
  responses: { 200: Type.Object({ ...changed, stopped_at: timestamp() }) },
  errors: [commissioningNotRunning, overloaded],
  async handle({ row }, services) {
    const session = await change(row, 'stop', services)
    return { status: 200, body: { ...shown(session), stopped_at: session.ended_at ?? session.started_at } }
  },
})

const pause = area.route({
  method: 'POST',
  path: '/{charge_point_id}/pause',
  operationId: 'pauseCommissioning',
  summary: 'Pause the commissioning of a charge point',
  description: 'The step that it is at begins anew when it is resumed. A test transaction that runs is stopped.',
  of: installerChargePoints,
  responses: { 200: Type.Object({ ...changed, paused_at: timestamp(), paused_at_step: shownStep }) },
  errors: [commissioningNotRunning, overloaded],
  async handle({ row }, services) {
    const session = await change(row, 'pause', services)
    const paused_at_step = currentStep(session)?.name ?? null
    return {
      status: 200,
      body: { ...shown(session), paused_at: session.paused_at ?? session.started_at, paused_at_step },
    }
  },
})

const resume = area.route({
  method: 'POST',
  path: '/{charge_point_id}/resume',
  operationId: 'resumeCommissioning',
  summary: 'Resume the commissioning of a charge point',
  description: 'It goes on with the step at which it was paused.',
  of: installerChargePoints,
  requires: [verifiedIdentity],
  responses: { 200: Type.Object({ ...changed, resumed_at: timestamp(), resuming_at_step: shownStep }) },
  errors: [commissioningNotPaused, chargePointClaimed, alreadyCommissioned, overloaded],
  async handle({ row }, services) {
    requireNotEnded(row)
    const session = await change(row, 'resume', services)
    const resuming_at_step = currentStep(session)?.name ?? null
    return {
      status: 200,
      body: { ...shown(session), resumed_at: session.resumed_at ?? session.started_at, resuming_at_step },
    }
  },
})

export const changeRoutes = [start, restart, stop, pause, resume]
