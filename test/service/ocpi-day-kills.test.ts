// Days of a roaming partner on which the service is killed at random moments, again and again: while both register, exchange credentials, while drivers
// charge, and while the partner is billed and does not answer. Whoever begins the handshake: neither side loses its tokens, each charge is billed once,
// and each bill is right. OCPI_DAY_SEED repeats the moments of a day.

import { setTimeout as delay } from 'node:timers/promises'
import tap, { type Test, test } from 'tap'
import { createRandom } from '../../bench/client/random.js'
import { NoAnswer } from '../../bench/emsp/client.js'
import type { Emsp } from '../../bench/emsp/emsp.js'
import type { Misbehaviour } from '../../bench/emsp/misbehaviour.js'
import { invoiced, priceCdr } from '../../src/emsp/price-cdr.js'
import { energyAt, secondsAgo } from '../support/charge-point.js'
import { emspOf, priced, told } from '../support/emsp.js'
import { invitePartner, party } from '../support/ocpi-partner.js'
import { connectOcpp, type OcppClient } from '../support/ocpp-client.js'
import { type Answer, type Service, startService } from '../support/service.js'
import { steadyAddress } from '../support/steady-address.js'
import { until } from '../support/until.js'

const seed = Number(process.env.OCPI_DAY_SEED ?? Math.floor(Math.random() * 2 ** 31))
/** That are under way, one after the other, when a kill comes. */
const chargesOfTurn = 3
const chargingMs = 900
const id = 'OCPI-KILLS-1'
tap.setTimeout(240_000)

const moods: readonly (Misbehaviour | undefined)[] = [undefined, 'hang', 'take-and-hang', 'drop', 'take-and-drop']

/** When a kill comes: at a request of the service, one of the first of its kind, or at any moment. Each comes once, in an order of chance. */
const inHandshake = /\/(versions|credentials)\b/
const moments = [/PUT .*\/credentials/, /GET .*\/versions/, /sessions/, /POST .*\/cdrs/, undefined]

async function requested(emsp: Emsp, which: RegExp, times: number): Promise<void> {
  for (let left = times; left > 0; left--)
    await emsp
      .next((seen) => seen.type === 'request' && which.test(`${seen.method} ${seen.path}`))
      // None comes any more.
      .catch(() => {})
}

interface Stage {
  readonly emsp: Emsp
  service(): Service
  /** As often as it takes: what was under way when the service died is asked again of the next. */
  request(method: string, path: string, body?: unknown): Promise<Answer>
  /** The same, for what the partner asks. */
  steadily<Result>(act: () => Promise<Result>): Promise<Result>
  /** A call of the charge point, which repeats it until it is answered. */
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what a test checks
  call(action: string, payload: object): Promise<any>
  /** Kills the service, and starts it again. */
  kill(): Promise<void>
}

async function stageOf(t: Test): Promise<Stage> {
  const address = await steadyAddress(t)
  const flags = ['--allow-insecure-webhooks', 'true', '--public-api-url', address.url]
  const first = await startService(t, { flags })
  const { data, key } = first
  const emsp = await emspOf(t)
  address.leadTo(first.port)
  let alive: Promise<Service> = Promise.resolve(first)
  let service = first
  let client: Promise<OcppClient> | undefined
  let isRegistered = false
  void emsp
    // However long the kills before it take: the test has a limit of its own.
    .once(({ type }) => type === 'renewed', Number.POSITIVE_INFINITY)
    .then(() => {
      isRegistered = true
    })

  /** Every call of the service is answered: what it asks for, the charge point does. */
  async function obey(connected: OcppClient): Promise<void> {
    for (;;) {
      const [, messageId, action] = await connected.nextFrame()
      const status = action === 'UnlockConnector' ? 'Unlocked' : 'Accepted'
      connected.socket.send(JSON.stringify([3, messageId, { status }]))
    }
  }

  async function connect(): Promise<OcppClient> {
    for (;;) {
      const { ocppUrl } = await alive
      try {
        const connected = await connectOcpp(`${ocppUrl}/${id}`)
        void obey(connected)
        void connected.closed.then(() => {
          client = undefined
        })
        if ((await Promise.race([connected.boot(), connected.closed.then(() => undefined)])) !== undefined)
          return connected
      } catch {
        await alive
      }
    }
  }

  return {
    emsp,
    service: () => service,
    async steadily(act) {
      for (;;) {
        await alive
        try {
          return await act()
        } catch (error) {
          if (!(error instanceof NoAnswer)) throw error
        }
      }
    },
    async request(method, path, body) {
      for (;;) {
        const asked = await alive
        try {
          return await asked.request(method, path, body)
        } catch {
          // It died before it answered.
        }
      }
    },
    async call(action, payload) {
      for (;;) {
        client ??= connect()
        const connected = await client
        const answer = await Promise.race([connected.call(action, payload), connected.closed.then(() => undefined)])
        if (answer !== undefined) return answer.payload
      }
    },
    async kill() {
      const dead = service.stop('SIGKILL')
      alive = dead.then(async () => {
        service = await startService(t, { flags, data, key })
        address.leadTo(service.port)
        // Before anything that was under way is asked again: the token that the partner has now is good.
        if (isRegistered) await emsp.pull('tariffs')
        return service
      })
      await alive
    },
  }
}

const notify = ({ call }: Stage, connectorId: number, status: string, seconds = 0) =>
  call('StatusNotification', { connectorId, status, errorCode: 'NoError', timestamp: secondsAgo(seconds) })

async function sell({ request }: Stage): Promise<void> {
  const components = [
    { type: 'flat', price: 0.5 },
    { type: 'energy', price: 0.49 },
    { type: 'idle', price: 6, grace_minutes: 0 },
  ]
  const tariff = { name: 'Street', currency: 'EUR', tax_percentage: 21, components }
  const { body } = await request('POST', '/api/v1/billing/tariffs', tariff)
  await request('PUT', `/api/v1/chargepoints/${id}/tariff`, { tariff_id: body.tariff_id })
}

/** With a card of its own, so that each charge is known by its driver. */
async function charge(stage: Stage, uid: string): Promise<void> {
  const { call, steadily, emsp } = stage
  await steadily(() => emsp.tellDriver(uid))
  const start = { connectorId: 1, idTag: uid, meterStart: 10_000, timestamp: secondsAgo(4_500) }
  await call('Authorize', { idTag: uid })
  const { transactionId, idTagInfo } = await call('StartTransaction', start)
  if (idTagInfo.status !== 'Accepted') throw new Error(`${uid} is ${idTagInfo.status}`)
  await notify(stage, 1, 'Charging', 4_500)
  const meterValue = [energyAt(secondsAgo(2_700), 15_000), energyAt(secondsAgo(900), 20_450)]
  await call('MeterValues', { connectorId: 1, transactionId, meterValue })
  await notify(stage, 1, 'SuspendedEV', 900)
  await call('StopTransaction', { transactionId, meterStop: 20_450, timestamp: secondsAgo(0), idTag: uid })
  await notify(stage, 1, 'Available')
}

/** A command that was accepted has a result, whatever becomes of the service: the partner makes a fault of one that has none. */
async function unlock({ emsp, steadily }: Stage): Promise<void> {
  const fields = { location_id: id, evse_uid: `${id}_2`, connector_id: '2' }
  const { response, result } = await steadily(() => emsp.command('UNLOCK_CONNECTOR', fields))
  if (response.result === 'ACCEPTED') await result
}

/** Both sides call each other, with the tokens that they have now. */
async function callEachOther(stage: Stage, turn: number): Promise<void> {
  const { emsp, steadily } = stage
  await steadily(() => emsp.pull('tariffs'))
  const [status, shown] = turn % 2 === 0 ? ['Faulted', 'OUTOFORDER'] : ['Available', 'AVAILABLE']
  const isShown = told('locations', ({ evses = [] }) =>
    evses.some((one) => one.uid === `${id}_2` && one.status === shown),
  )
  const heard = emsp.next(isShown)
  await notify(stage, 2, status as string)
  await heard
}

const beginnings = {
  'the partner': ({ emsp, steadily }: Stage, invited: Invited) =>
    steadily(() => emsp.register(invited.versionsUrl, invited.token)),
  'the operator': ({ emsp, request }: Stage, { id: partnerId }: Invited) =>
    until(async () => {
      const body = { versions_url: emsp.versionsUrl, token: emsp.registrationToken }
      await request('POST', `/api/v1/ocpi/partners/${partnerId}/register`, body)
      return (await request('GET', `/api/v1/ocpi/partners/${partnerId}`)).body.status === 'registered'
    }),
} as const
type Invited = Awaited<ReturnType<typeof invitePartner>>

for (const [who, begin] of Object.entries(beginnings))
  test(`ocpi day with kills - ${who} begins: no token is lost, and each charge is billed once and rightly`, async (t) => {
    t.comment(`OCPI_DAY_SEED=${seed}`)
    const random = createRandom(seed)
    const stage = await stageOf(t)
    const { emsp, request, steadily, kill } = stage
    const fields = { connector_count: 2, address: 'Oudegracht 1, 3511 AB Utrecht' }
    await stage.service().register(id, fields)
    await request('PUT', '/api/v1/ocpi/party', party)
    await sell(stage)
    const invited = await invitePartner(stage.service())
    const isCdr = ({ method, path }: { readonly method: string; readonly path: string }) =>
      method === 'POST' && path.endsWith('/cdrs')
    async function killAt(moment: RegExp | undefined, times: number): Promise<void> {
      emsp.misbehave(moods[Math.floor(random() * moods.length)], isCdr)
      const any = delay(random() * chargingMs)
      if (moment === undefined) await any
      else await Promise.race([requested(emsp, moment, 1 + Math.floor(random() * times)), delay(2 * chargingMs)])
      await kill()
      emsp.misbehave(undefined)
    }
    const cards: string[] = []
    async function chargeSome(): Promise<void> {
      for (let left = chargesOfTurn; left > 0; left--) {
        const card = `CARD-${cards.length + 10}`
        cards.push(card)
        await charge(stage, card)
        await unlock(stage)
        if (left % 2 === 0) await steadily(() => emsp.replaceCredentials())
        else await request('POST', `/api/v1/ocpi/partners/${invited.id}/rotate-credentials`)
      }
    }

    await Promise.all([begin(stage, invited), killAt(inHandshake, 3)])
    for (const [turn, { moment }] of moments
      .map((moment) => ({ moment, order: random() }))
      .sort((one, other) => one.order - other.order)
      .entries()) {
      await callEachOther(stage, turn)
      await Promise.all([chargeSome(), killAt(moment, 2)])
    }
    await callEachOther(stage, moments.length)

    const { sessions } = (await request('GET', `/api/v1/sessions?charge_point_id=${id}&per_page=100`)).body
    t.equal(sessions.length, cards.length)
    for (const card of cards) {
      const cdr = await emsp.once(told('cdrs', ({ cdr_token }) => cdr_token.uid === card))
      const session = sessions.find((one: { readonly id_tag: string }) => one.id_tag === card)
      t.equal(cdr.session_id, session.session_id, card)
      t.equal(invoiced(priceCdr(cdr, 'UTC'), 2).incl_vat, session.cost, 'what the operator says that it costs')
      const { charged, computed } = await emsp.once(priced(cdr.id))
      t.same(computed, charged, 'what the partner computes is what it is charged')
    }
    const billed = await emsp.pull('cdrs')
    t.same(billed.map(({ cdr_token }) => cdr_token.uid).sort(), cards, 'each once')
    t.equal(emsp.known('cdrs').length, cards.length)
    await emsp.pullAll()
    t.same(
      emsp.known('sessions').map(({ status }) => status),
      cards.map(() => 'COMPLETED'),
    )
    await emsp.leave()
    t.equal((await request('GET', `/api/v1/ocpi/partners/${invited.id}`)).body.status, 'ended')
    t.same(emsp.faults, [])
  })
