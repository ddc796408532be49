// Invitations over the built service and a mail server that we did not write: refused, down, and sent by a process that did not
// make them. What a token leaves behind is looked for in the log, in the answers and on the disk.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { t, test } from 'tap'
import { backup, temporaryDirectory } from '../backup/programs.js'
import { inFullSuite } from '../runner/sample.js'
import { bootChargePoint } from '../support/charge-point.js'
import { headersOf, startMailServer, type TakenMail, tokenIn } from '../support/mail-server.js'
import { makeOrganization, type Organization } from '../support/organization.js'
import { priceEnergyAt } from '../support/sell.js'
import { type Answer, type Service, startService } from '../support/service.js'
import { until } from '../support/until.js'

const mailFrom = 'Example Charging <noreply@example.com>'
/** No mail server, ever: a port that was one's own a moment ago may be another's by now. */
const nobodyListens = 'smtp://127.0.0.1:1'
const logsAll = ['--log-level', 'debug']

const sendsTo = (url: string) => ({ AMPSHARD_SMTP_URL: url, AMPSHARD_MAIL_FROM: mailFrom })

/** Refuses what the tests tell it to refuse next; each test writes to others. */
const mailServer = await startMailServer(t)
const shared = await startService(t, { flags: logsAll, environment: sendsTo(mailServer.url) })
/** What it has taken for an address, and whom of these it was asked to take mail for. */
const takenFor = (address: string) => mailServer.taken.filter(({ to }) => to.includes(address))
const askedFor = (...addresses: string[]) => mailServer.asked.filter((address) => addresses.includes(address))

function invite({ id, request }: Organization, email = 'anna@example.com'): Promise<Answer> {
  return request('POST', `/api/v1/organizations/${id}/invitations`, { email, role: 'admin' })
}

function list({ id, request }: Organization, what: 'members' | 'invitations'): Promise<Answer> {
  return request('GET', `/api/v1/organizations/${id}/${what}`)
}

function acceptWith(service: Service, token: string): Promise<Answer> {
  return service.request('POST', '/api/v1/organizations/invitations/accept', { token, name: 'Anna Example' })
}

function mailIs(organization: Organization, status: string): Promise<Answer> {
  return until(async () => {
    const answer = await list(organization, 'invitations')
    return answer.body.data[0].mail === status && answer
  }, 30_000)
}

const first = (taken: () => readonly TakenMail[]): Promise<TakenMail> => until(() => taken()[0], 30_000)

/** Everything that a backup of the store has. */
async function backedUp(directory: string, { data }: Service): Promise<string> {
  const { code, errors } = await backup(directory, data)
  if (code !== 0) throw new Error(errors)
  return readdirSync(directory)
    .map((name) => readFileSync(join(directory, name), 'latin1'))
    .join('\n')
}

test('invitations - a mail server that refuses for a moment gets it again, and the invited one joins', async (t) => {
  const service = shared
  mailServer.refusals.push(451)
  const organization = await makeOrganization(service)
  const invited = await invite(organization)
  t.match(invited, { status: 201, body: { email: 'anna@example.com', role: 'admin', mail: 'waiting' } })
  const mail = await first(() => takenFor('anna@example.com'))
  const token = tokenIn(mail.raw)
  t.same(askedFor('anna@example.com'), ['anna@example.com', 'anna@example.com'])
  t.match(headersOf(mail.raw).get('message-id'), /^<mail_[0-9A-Z]{26}@example\.com>$/)
  const sent = await mailIs(organization, 'sent')
  const joined = await acceptWith(service, token)
  t.match(joined, { status: 200, body: { organization_id: organization.id, name: 'Anna Example', role: 'admin' } })
  const members = await list(organization, 'members')
  t.match(members.body, { total: 1, data: [{ user_id: joined.body.user_id, email: 'anna@example.com' }] })
  t.equal((await acceptWith(service, token)).status, 404)
  t.match(service.output(), 'a mail is tried again')
  t.match(service.output(), 'a mail was sent')
  t.notOk(service.output().includes(token), 'the token is in no line of the log')
  t.notOk(JSON.stringify([invited, sent, joined, members]).includes(token), 'nor in an answer')
  t.notOk((await backedUp(temporaryDirectory(t), service)).includes(token), 'nor in a backup')
})

test('invitations - a mail that the mail server refuses for good is not tried again, and shown', async (t) => {
  const service = shared
  mailServer.refusals.push(550)
  const organization = await makeOrganization(service)
  await invite(organization, 'nobody@example.com')
  await mailIs(organization, 'failed')
  t.match(service.output(), 'a mail could not be delivered and is given up')
  // A later mail gets through, and nothing of the first comes with it.
  await invite(organization, 'ben@example.com')
  t.same((await first(() => takenFor('ben@example.com'))).to, ['ben@example.com'])
  t.same(askedFor('nobody@example.com', 'ben@example.com'), ['nobody@example.com', 'ben@example.com'])
  t.same(takenFor('nobody@example.com'), [])
})

test(
  'invitations - a mail that was not sent when the process was killed is sent by the next',
  inFullSuite,
  async (t) => {
    const data = temporaryDirectory(t)
    const service = await startService(t, { data, environment: sendsTo(nobodyListens) })
    const organization = await makeOrganization(service)
    await invite(organization)
    await until(() => service.output().includes('a mail is tried again'))
    await service.stop('SIGKILL')
    const waiting = await backedUp(temporaryDirectory(t), service)
    const server = await startMailServer(t)
    const next = await startService(t, { data, environment: sendsTo(server.url), key: service.key })
    const { raw, to } = await first(() => server.taken)
    t.same(to, ['anna@example.com'])
    t.equal((await acceptWith(next, tokenIn(raw))).status, 200)
    t.ok(waiting.includes(tokenIn(raw)), 'while it waits, a backup has it')
  },
)

test('invitations - without a mail server the mail is a file, and the start says so', async (t) => {
  const service = await startService(t, { flags: logsAll })
  const organization = await makeOrganization(service)
  await invite(organization)
  await mailIs(organization, 'sent')
  const folder = join(service.data, 'mail')
  t.match(service.output(), new RegExp(`^ {2}mail +${folder}$`, 'm'))
  const [name = ''] = readdirSync(folder)
  t.match(name, /^mail_[0-9A-Z]{26}\.eml$/)
  t.equal(statSync(folder).mode & 0o777, 0o700)
  for (const file of [join(folder, name), join(service.data, 'data.mdb'), join(service.data, 'lock.mdb')])
    t.equal(statSync(file).mode & 0o777, 0o600, file)
  const token = tokenIn(readFileSync(join(folder, name), 'utf8'))
  t.match(service.output(), new RegExp(`"recipient":"anna@example.com".*"file":"${join(folder, name)}"`))
  t.notOk(service.output().includes(token))
  t.equal((await acceptWith(service, token)).status, 200)
})

test('invitations - a mail server that says nothing holds up nothing else', inFullSuite, async (t) => {
  const server = await startMailServer(t, { silent: true })
  const service = await startService(t, { environment: sendsTo(server.url) })
  const organization = await makeOrganization(service)
  for (let count = 0; count < 20; count++) await invite(organization, `${count}@example.com`)
  await until(() => server.connections() >= 8)
  await bootChargePoint(service, 'CP-1')
  await priceEnergyAt(service, 'CP-1', 0.5)
  const reply = await service.request('POST', '/api/v1/sessions/guest/authorize', {
    charge_point_id: 'CP-1',
    connector_id: 1,
    payment_method_id: 'pm_card_declined',
  })
  t.match(reply, { status: 402 }, 'a payment does not wait for mails')
})
