// A mail server of somebody else's making (smtp-server), on a free port: keeps what it takes, refuses what it is told to refuse.

import { SMTPServer } from 'smtp-server'

export interface TakenMail {
  readonly from: string
  readonly to: readonly string[]
  /** As it came over the wire. */
  readonly raw: string
  readonly user: string | undefined
}

export interface MailServer {
  readonly url: string
  readonly taken: TakenMail[]
  /** Recipients that it was asked for, refused ones too. */
  readonly asked: string[]
  /** What the next recipients are refused with, first come first served: 451 or 550, say. */
  readonly refusals: number[]
  /** How many it has taken at all. */
  connections(): number
  stop(): Promise<void>
}

export interface MailServerOptions {
  readonly account?: { readonly user: string; readonly password: string }
  /** It takes connections, and says nothing. */
  readonly silent?: boolean
  /** Called when a whole mail has arrived, before its sender is answered. */
  readonly arrived?: () => Promise<void>
}

interface Teardowns {
  teardown(handler: () => Promise<void>): void
}

export async function startMailServer(
  t: Teardowns,
  { account, silent = false, arrived }: MailServerOptions = {},
): Promise<MailServer> {
  const taken: TakenMail[] = []
  const asked: string[] = []
  const refusals: number[] = []
  let connections = 0
  const server = new SMTPServer({
    authOptional: account === undefined,
    disabledCommands: ['STARTTLS', ...(account === undefined ? (['AUTH'] as const) : [])],
    allowInsecureAuth: true,
    onConnect(_session, done) {
      connections++
      if (!silent) done()
    },
    onAuth({ username, password }, _session, done) {
      if (username === account?.user && password === account?.password) done(null, { user: username })
      else done(new Error('no such account'))
    },
    onRcptTo({ address }, _session, done) {
      asked.push(address)
      const responseCode = refusals.shift()
      if (responseCode === undefined) done()
      else done(Object.assign(new Error(`refused with ${responseCode}`), { responseCode }))
    },
    onData(stream, { envelope, user }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        taken.push({
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString(),
          user: user as string | undefined,
        })
        if (arrived === undefined) done()
        else void arrived().then(() => done())
      })
    },
  })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()))
  t.teardown(stop)
  const address = server.server.address() as { readonly port: number }
  return { url: `smtp://127.0.0.1:${address.port}`, taken, asked, refusals, connections: () => connections, stop }
}

/** The head of a mail, by name in lower case; continued lines are joined (RFC 5322, 2.2.3). */
export function headersOf(raw: string): Map<string, string> {
  const head = raw.split(/\r?\n\r?\n/, 1)[0] ?? ''
  const lines = head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  return new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
}

/** The text of a mail with its soft line breaks and escapes undone (RFC 2045, 6.7). */
export function textOf(raw: string): string {
  const bytes = raw
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

/** The token of an invitation, which stands alone on its line. */
export function tokenIn(raw: string): string {
  const token = /^ {4}([A-Za-z0-9_-]{43})\r?$/m.exec(textOf(raw))?.[1]
  if (token === undefined) throw new Error(`there is no token in ${raw}`)
  return token
}
