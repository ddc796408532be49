// What is an installer's is absent to other installers and to organizations: generated from the route table, like the isolation of tenants.

import { type Test, test } from 'tap'
import type { Route } from '../../src/api/pipeline/route.js'
import { installer as surface } from '../../src/api/surfaces/installer.js'
import { startRequest } from '../support/charge-point.js'
import { installerOf } from '../support/installer.js'
import { connectOcpp } from '../support/ocpp-client.js'
import { tenantOf } from '../support/organization.js'
import { registrationOf } from '../support/registration.js'
import type { Answer, Service } from '../support/service.js'
import { sharedService } from '../support/shared-services.js'
import { declaredAt } from './identifiers.js'
import { createKit, type Kit } from './kit.js'
import { type Place, placesOf } from './places.js'
import { ask, comparable, requestOf, textOf } from './requests.js'
import type { Tenant } from './tenants.js'
import { keyRoutes, routes, tracesIn } from './views.js'

const shared = await sharedService()
const registry = '/api/v1/installer/charge-points'
const project = 'DOGWOOD'
let made = 0

/** Whoever calls as such, with a kit: their own things are made when a request needs them. */
function kitOf(mark: string, organizationId: string, request: Service['request']): Kit {
  const tenant: Tenant = {
    mark,
    organizationId,
    key: '',
    isOperator: false,
    receiverUrl: '',
    received: () => [],
    mails: () => [],
    service: shared,
    request,
    async make(method, path, body) {
      const answer = await request(method, path, body)
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
      return answer
    },
  }
  return createKit(tenant)
}

/** One whose identity is not approved has room for too few charge points. */
async function approve(id: string, request: Service['request']): Promise<void> {
  const documents = {
    document_type: 'national_id',
    document_number: 'NX-1234567',
    document_expiry: '2035-12-31',
    selfie_url: 'https://files.example.com/selfie.jpg',
    document_front_url: 'https://files.example.com/front.jpg',
    document_back_url: 'https://files.example.com/back.jpg',
  }
  const { submitted_at } = (await request('POST', '/api/v1/installer/verify-identity', documents)).body
  const decided = { approved: true, submitted_at }
  const { status } = await shared.request('POST', `/api/v1/installers/${id}/verification`, decided)
  if (status !== 200) throw new Error(`the identity of ${id} was not approved: ${status}`)
}

async function newInstaller() {
  const { id, request } = await installerOf(shared)
  await approve(id, request)
  const kit = kitOf(project, id, request)
  async function register(): Promise<string> {
    const charge_point_id = `${project}-${100 + ++made}`
    const box = { model: project, vendor: project, serial_number: `SN-${charge_point_id}`, project_id: project }
    await kit.tenant.make('POST', registry, { charge_point_id, ...box })
    return charge_point_id
  }
  return { id, kit, register }
}

async function newOrganization(mark: string): Promise<Kit> {
  const { id, request } = await tenantOf(shared)
  return kitOf(mark, id, request)
}

/** One that has connected, and charges. */
async function busy(register: () => Promise<string>): Promise<string> {
  const id = await register()
  const client = await connectOcpp(`${shared.ocppUrl}/${id}`)
  await client.boot()
  await client.call('StatusNotification', { connectorId: 1, status: 'Preparing', errorCode: 'NoError' })
  await client.call('StartTransaction', startRequest({ idTag: project }))
  return id
}

const namesChargePoint = (place: Place): boolean => {
  const declared = declaredAt(place)
  return declared?.kind === 'charge_point_id' && declared.exception?.chosen !== true
}

/** The only thing that its path names is a charge point, or nothing. */
const isOfChargePoint = (route: Route): boolean =>
  placesOf(route).every((place) => place.in !== 'path' || namesChargePoint(place))

async function answerTo(route: Route, place: Place, kit: Kit, id: string): Promise<Answer> {
  return ask(kit, await requestOf(route, kit, new Map([[place.at.join('.'), id]])))
}

/** The charge point is answered as one that does not exist, and nothing of it is shown. */
async function absent(t: Test, route: Route, place: Place, kit: Kit, id: string, traces: readonly string[]) {
  const name = `${route.operationId} ${place.at.join('.')}`
  const nobodys = `ABSENT-${++made}`
  const [theirs, none] = [await answerTo(route, place, kit, id), await answerTo(route, place, kit, nobodys)]
  t.same(comparable(theirs, [id]), comparable(none, [nobodys]), `${name}: another's is an absent one`)
  if (place.in === 'path') t.equal(theirs.status, 404, name)
  t.same(tracesIn(textOf(theirs), traces, [id]), [], name)
}

test('installers - the charge points of another installer, and of organizations, are absent', async (t) => {
  const [caller, other] = [await newInstaller(), await newInstaller()]
  const organization = await newOrganization('ELMSTEAD')
  const foreign = [await busy(other.register), `${await organization.id('charge_point_id')}`]
  const own = routes.filter((route) => route.surface === surface)
  let compared = 0
  for (const route of own.filter(isOfChargePoint)) {
    for (const place of placesOf(route).filter(namesChargePoint)) {
      for (const id of foreign) await absent(t, route, place, caller.kit, id, [other.id])
      const answer = await answerTo(route, place, caller.kit, await caller.register())
      t.not(answer.status, 404, `${route.operationId}: one's own is there`)
      compared++
    }
  }
  for (const route of own.filter(({ method, path }) => method === 'GET' && !path.includes('{'))) {
    const answer = await ask(caller.kit, await requestOf(route, caller.kit))
    t.same(tracesIn(textOf(answer), [other.id, ...foreign]), [], route.operationId)
  }
  t.ok(compared >= 5, `${compared} routes`)
})

test('installers - the charge points of an installer are absent to organizations', { timeout: 120_000 }, async (t) => {
  const { id: installerId, register } = await newInstaller()
  const organization = await newOrganization('ELMSTEAD')
  const id = await busy(register)
  let compared = 0
  for (const route of keyRoutes.filter(isOfChargePoint)) {
    for (const place of placesOf(route).filter(namesChargePoint)) {
      await absent(t, route, place, organization, id, [installerId, project])
      compared++
    }
  }
  t.ok(compared > 30, `${compared} routes`)
})

test('installers - an organization that claims a charge point sees nothing of its installer, nor the installer of it', async (t) => {
  const { id: installerId, kit, register } = await newInstaller()
  const organization = await newOrganization('ELMSTEAD')
  const id = await busy(register)
  await kit.tenant.make('POST', `${registry}/${id}/certificates/generate`, { key_type: 'p-256' })
  await kit.tenant.make('POST', `${registry}/${id}/config/customize`, { parameters: { HeartbeatInterval: 60 } })
  await organization.tenant.make('POST', '/api/v1/chargepoints', { ...registrationOf(id), name: 'ELMSTEAD' })
  for (const route of keyRoutes.filter((one) => one.method === 'GET' && isOfChargePoint(one))) {
    const places = placesOf(route).filter(namesChargePoint)
    const varied = new Map(places.map((place) => [place.at.join('.'), id]))
    const text = textOf(await ask(organization, await requestOf(route, organization, varied)))
    t.notMatch(text, installerId, route.operationId)
  }
  for (const route of routes.filter((one) => one.surface === surface && one.method === 'GET' && isOfChargePoint(one))) {
    const answer = await ask(kit, await requestOf(route, kit, new Map([['charge_point_id', id]])))
    t.same(tracesIn(textOf(answer), ['ELMSTEAD', organization.tenant.organizationId]), [], route.operationId)
  }
})
