// Hands one mail to the mail server, or writes it to a folder where none is set. Runs in a job thread; keeps nothing and decides
// nothing but whether a refusal is for good.

import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { SendMailRequest, SendMailResult } from '../../actors/mail/messages.js'
import { flushToDisk } from '../../runtime/files.js'
import { consoleUrlOf, type Settings } from '../../settings.js'
import { defaultMailFrom, mailFolder } from './settings.js'
import { subjectHeader } from './subject.js'
import { mailOf } from './templates/index.js'

const connectWithinMs = 15_000
/** Of silence: some servers scan a message before they answer for it. */
const answerWithinMs = 60_000
/** Of the whole attempt: a server that keeps talking is not silent. */
const attemptWithinMs = 300_000

/** Rejects where it may go better another time. */
export async function sendMail(
  request: SendMailRequest,
  settings: Settings,
  withinMs = attemptWithinMs,
): Promise<SendMailResult> {
  const { smtp_url: url, app_url: appUrl, mail_from: from = defaultMailFrom } = settings
  const { subject, text, html } = mailOf(request.content, {
    appUrl,
    consoleUrl: consoleUrlOf(settings),
    hasConsole: settings.console,
  })
  const message = {
    from,
    // Not as text, which could name several.
    to: { name: '', address: request.to },
    text,
    html,
    date: new Date(request.created_at),
    // The same at every attempt, so that one which arrives twice is known to be the same mail.
    messageId: `<${request.mail_id}@${/@([^@>\s]+)>?$/.exec(from)?.[1] ?? 'localhost'}>`,
    // Nobody's absence note should answer it.
    headers: { Subject: subjectHeader(subject), 'Auto-Submitted': 'auto-generated' },
    xMailer: false as const,
  }
  if (url === undefined) return { type: 'written', subject, file: await write(message, request.mail_id, settings) }
  const transport = createTransport({
    url,
    // A password is not said in the clear, unless the URL's own requireTLS=false asks for it.
    requireTLS: namesUser(url) && !isLoopback(url),
    connectionTimeout: connectWithinMs,
    greetingTimeout: connectWithinMs,
    dnsTimeout: connectWithinMs,
    socketTimeout: answerWithinMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    await transport.sendMail({ ...message, signal: AbortSignal.timeout(withinMs) })
    return { type: 'sent' }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    if (isForGood(error)) return { type: 'refused', reason }
    throw error
  } finally {
    transport.close()
  }
}

/** RFC 5321, 4.2.1: 5yz is permanent. 530 is not about the mail, but about a log-in that the settings lack. */
function isForGood(error: unknown): boolean {
  const { code, responseCode } = error as { readonly code?: unknown; readonly responseCode?: unknown }
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return false
  // Without an answer of the server, it was the address that no server takes.
  return responseCode === undefined || (Number(responseCode) >= 500 && responseCode !== 530)
}

function namesUser(url: string): boolean {
  return new URL(url).username !== ''
}

function isLoopback(url: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)
}

type Message = Parameters<ReturnType<typeof createTransport>['sendMail']>[0]

/** Whole or not at all, and for the owner's eyes: it holds what the recipient alone should have. Returns its path. */
async function write(message: Message, mailId: string, { data }: Settings): Promise<string> {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  const { message: content } = await transport.sendMail({ ...message, disableFileAccess: true, disableUrlAccess: true })
  const folder = join(data, mailFolder)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `${mailId}.eml`)
  writeFileSync(`${path}.new`, content as Buffer, { mode: 0o600, flush: true })
  renameSync(`${path}.new`, path)
  flushToDisk(folder)
  return path
}
