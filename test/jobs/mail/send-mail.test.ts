// One mail handed to a mail server that we did not write, and to the folder that stands for one.

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import type { SendMailRequest } from '../../../src/actors/mail/messages.js'
import { sendMail } from '../../../src/jobs/mail/send-mail.js'
import { checkMailSettings } from '../../../src/jobs/mail/settings.js'
import type { Settings } from '../../../src/settings.js'
import { headersOf, startMailServer, textOf } from '../../support/mail-server.js'

const token = 'a-token-that-nobody-guesses'

function request(changes: Partial<SendMailRequest> = {}): SendMailRequest {
  return {
    mail_id: 'mail_01',
    to: 'anna@example.com',
    created_at: '2026-11-20T10:00:00.000Z',
    content: {
      type: 'member-invitation',
      organizationName: 'Example Charging',
      role: 'viewer',
      token,
      expiresAt: '2026-11-27T10:00:00.000Z',
    },
    ...changes,
  }
}

function settings(changes: Partial<Settings>): Settings {
  return { mail_from: 'Example <noreply@example.com>', ...changes } as Settings
}

function invitationOf(organizationName: string): Partial<SendMailRequest> {
  return { content: { ...request().content, organizationName } as SendMailRequest['content'] }
}

test('mail - a mail server gets it from the sender that is set, in text and HTML', async (t) => {
  const server = await startMailServer(t)
  t.same(await sendMail(request(), settings({ smtp_url: server.url })), { type: 'sent' })
  const [mail] = server.taken
  t.match(mail, { from: 'noreply@example.com', to: ['anna@example.com'] })
  const headers = headersOf(mail?.raw ?? '')
  t.equal(headers.get('from'), 'Example <noreply@example.com>')
  t.equal(headers.get('to'), 'anna@example.com')
  t.equal(headers.get('subject'), 'Invitation to Example Charging')
  t.equal(headers.get('message-id'), '<mail_01@example.com>')
  t.equal(headers.get('date'), 'Fri, 20 Nov 2026 10:00:00 +0000')
  t.equal(headers.get('auto-submitted'), 'auto-generated')
  const text = textOf(mail?.raw ?? '')
  t.match(text, /Content-Type: text\/plain; charset=utf-8/)
  t.match(text, /Content-Type: text\/html; charset=utf-8/)
  t.equal(text.split(token).length - 1, 4, 'the token and the request that has it are in the text and in the HTML')
  t.match(text, 'POST /api/v1/organizations/invitations/accept')
  t.match(text, `{"token":"${token}"}`)
  t.match(text, /until 27 November 2026, 10:00 UTC/)
})

test('mail - with an application of the operator, the mail links to it', async (t) => {
  const server = await startMailServer(t)
  await sendMail(request(), settings({ smtp_url: server.url, app_url: 'https://app.example.com/' }))
  const text = textOf(server.taken[0]?.raw ?? '')
  t.equal(text.split(`https://app.example.com/accept-invitation#token=${token}`).length - 1, 2)
})

test('mail - user and password of the URL are presented', async (t) => {
  const account = { user: 'ampshard@example.com', password: 'p@ss word' }
  const server = await startMailServer(t, { account })
  const url = new URL(server.url)
  url.username = encodeURIComponent(account.user)
  url.password = encodeURIComponent(account.password)
  t.same(await sendMail(request(), settings({ smtp_url: url.href })), { type: 'sent' })
  t.equal(server.taken[0]?.user, account.user)
  url.password = 'wrong'
  await t.rejects(
    sendMail(request(), settings({ smtp_url: url.href })),
    'a wrong password can be put right: it is tried again',
  )
})

test('mail - a refusal for good is told as one, a temporary one is thrown', async (t) => {
  const server = await startMailServer(t)
  const to = settings({ smtp_url: server.url })
  server.refusals.push(550)
  t.match(await sendMail(request(), to), { type: 'refused', reason: /550/ })
  server.refusals.push(451)
  await t.rejects(sendMail(request(), to))
  t.match(await sendMail(request({ to: 'no address' }), to), { type: 'refused' })
  t.equal(server.taken.length, 0)
})

test('mail - a mail server that cannot be reached is a failure that may pass', async (t) => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise<void>((resolve) => server.close(() => resolve()))
  await t.rejects(sendMail(request(), settings({ smtp_url: `smtp://127.0.0.1:${port}` })))
})

test('mail - a mail server that keeps talking and gets nowhere is left in the end', async (t) => {
  const lines = 150
  let said = 0
  const server = createServer((socket) => {
    socket.write('220 mail.example.com\r\n')
    const talk = setInterval(() => {
      if (said++ < lines) socket.write('250-and another thing\r\n')
      else socket.destroy()
    }, 20)
    socket.on('error', () => undefined)
    socket.on('close', () => clearInterval(talk))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.address() as { port: number }
  await t.rejects(sendMail(request(), settings({ smtp_url: `smtp://127.0.0.1:${port}` }), 300))
  t.ok(said < lines, `${said} lines`)
})

test('mail - nothing that a caller chose becomes a header, a recipient, or HTML', async (t) => {
  const server = await startMailServer(t)
  const to = settings({ smtp_url: server.url })
  await sendMail(request(invitationOf('Evil\r\nBcc: victim@example.com\r\n\r\n<b>Hello</b>')), to)
  const [mail] = server.taken
  t.same(mail?.to, ['anna@example.com'])
  t.notOk(headersOf(mail?.raw ?? '').has('bcc'))
  const text = textOf(mail?.raw ?? '')
  t.notMatch(text, /^Bcc:/m)
  t.match(text, 'Evil Bcc: victim@example.com &lt;b&gt;Hello&lt;/b&gt;')
  const html = text.slice(text.indexOf('<!doctype'))
  t.notMatch(html, /<b>/)
  server.asked.length = 0
  for (const address of ['one,victim@example.com', 'victim@example.com\r\nRCPT TO:<second@example.com>'])
    await sendMail(request({ to: address }), to)
  t.notOk(server.asked.includes('victim@example.com') || server.asked.includes('second@example.com'), `${server.asked}`)
})

test('mail - what looks like an encoded word in a name is shown as it is', async (t) => {
  const server = await startMailServer(t)
  for (const name of ['=?utf-8?B?PGI+?=', `é =?utf-8?Q?a?= ${'é🔌'.repeat(40)}`]) {
    server.taken.length = 0
    await sendMail(request(invitationOf(name)), settings({ smtp_url: server.url }))
    const subject = headersOf(server.taken[0]?.raw ?? '').get('subject') ?? ''
    const words = subject.split(' ').map((word) => /^=\?UTF-8\?B\?(\S*)\?=$/.exec(word)?.[1])
    const shown = words.map((word) => Buffer.from(word ?? 'none', 'base64').toString()).join('')
    t.equal(shown, `Invitation to ${name}`)
    t.ok(subject.split(' ').every((word) => word.length <= 75))
    t.ok(server.taken[0]?.raw.split(/\r?\n/).every((line) => line.length < 200))
  }
})

test('mail - without a mail server it becomes a file that its owner alone reads', async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'ampshard-mail-'))
  t.teardown(() => rmSync(data, { recursive: true }))
  const written = await sendMail(request(), settings({ data }))
  const file = join(data, 'mail', 'mail_01.eml')
  t.same(written, { type: 'written', file, subject: 'Invitation to Example Charging' })
  t.equal(statSync(join(data, 'mail')).mode & 0o777, 0o700)
  t.equal(statSync(file).mode & 0o777, 0o600)
  t.same(readdirSync(join(data, 'mail')), ['mail_01.eml'])
  const raw = readFileSync(file, 'utf8')
  t.equal(headersOf(raw).get('to'), 'anna@example.com')
  t.match(textOf(raw), token)
})

test('mail - settings that do not belong together are one clear line, without the password', (t: Test) => {
  const fails = (changes: Partial<Settings>, line: RegExp): void => {
    t.throws(() => checkMailSettings(changes as Settings), { message: line })
  }
  fails({ smtp_url: 'smtp://user:secret@mail.example.com' }, /^--smtp-url needs --mail-from/)
  fails({ smtp_url: 'smtp://user:sec ret@:x', mail_from: 'a@b.c' }, /^--smtp-url must be the URL of (?!.*ret)/)
  fails({ smtp_url: 'http://mail.example.com', mail_from: 'a@b.c' }, /^--smtp-url must be the URL of a mail server/)
  fails({ mail_from: 'Example <a@b.c>\nBcc: x@y.z' }, /^--mail-from/)
  fails({ mail_from: 'a@b.c, d@e.f' }, /^--mail-from/)
  fails({ app_url: 'https://' }, /^--app-url must be a URL that begins with/)
  fails({ app_url: 'javascript:alert(1)' }, /^--app-url/)
  t.doesNotThrow(() => checkMailSettings({} as Settings))
  t.doesNotThrow(() => checkMailSettings({ smtp_url: 'smtps://mail.example.com', mail_from: 'a@b.c' } as Settings))
  t.end()
})
