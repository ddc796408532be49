// What charge points do wrong where they are: each misbehaviour is a few lines beside what a charge point does by itself. It has what the
// charge point lets it do (`Misbehaving`), and no time or connection of its own.

import type { Payload } from './call-channel.js'
import type { CommandHandler } from './commands.js'
import type { Configuration } from './configuration.js'

/** What is wrong with a request for a certificate. */
export type RequestFlaw = 'weak-key' | 'wrong-name' | 'too-long'

export interface Misbehaving {
  readonly configuration: Pick<Configuration, 'read' | 'set'>
  /** Loses the connection as a network failure does, and comes back after so long. */
  readonly loseConnection: (forMs: number) => void
  /** Loses its power for a moment, and what it was about to answer; with other hardware, it boots with another serial number. */
  readonly restart: (withOtherHardware?: boolean) => void
}

export interface Misbehaviour {
  /** What `--help` says of it: a sentence without its subject. */
  readonly description: string
  /** How it handles a command; `usual` is how it would otherwise. */
  readonly commands?: Readonly<Record<string, (payload: Payload, usual: CommandHandler, self: Misbehaving) => Payload>>
  /** Once it has answered the first command since it was made. */
  readonly afterFirstCommand?: (self: Misbehaving) => void
  /** Of the certificate that it asks for as soon as it has booted. */
  readonly certificateRequest?: { readonly flaw?: RequestFlaw }
  /** Its clock is behind by so much, whatever the central system says. */
  readonly clockBehindMs?: number
}

const hourMs = 3_600_000

const asksForCertificate = (what: string): string => `asks for a certificate as soon as it has booted, ${what}`

const away = (seconds: number): Misbehaviour => ({
  description: `loses its connection for ${seconds} seconds when it has answered its first command`,
  afterFirstCommand: ({ loseConnection }) => loseConnection(seconds * 1_000),
})

const clockBehind = (hours: number): Misbehaviour => ({
  description: asksForCertificate(`with a clock that is ${hours} hours behind and cannot be set`),
  certificateRequest: {},
  clockBehindMs: hours * hourMs,
})

export const misbehaviours = {
  'reboots-at-each-key': {
    description: 'takes each value of a configuration key, and restarts instead of answering',
    commands: {
      ChangeConfiguration(payload, usual, { restart }) {
        const answer = usual(payload)
        restart()
        return answer
      },
    },
  },
  'keeps-old-values': {
    description: 'accepts each value of a configuration key, and keeps the old one',
    commands: {
      ChangeConfiguration(payload, usual, { configuration }) {
        const key = String(payload.key)
        const before = configuration.read([key]).configurationKey[0]
        const answer = usual(payload)
        if (before !== undefined) configuration.set(key, before.value)
        return answer
      },
    },
  },
  'refuses-remote-starts': {
    description: 'rejects each remote start, and so the test transaction of a commissioning',
    commands: { RemoteStartTransaction: () => ({ status: 'Rejected' }) },
  },
  'away-for-59-seconds': away(59),
  'away-for-61-seconds': away(61),
  'another-serial-number': {
    description: 'restarts with another serial number when it has answered its first command',
    afterFirstCommand: ({ restart }) => restart(true),
  },
  'weak-key': {
    description: asksForCertificate('for an RSA key of 1024 bits'),
    certificateRequest: { flaw: 'weak-key' },
  },
  'wrong-name': {
    description: asksForCertificate('in the name of another charge point'),
    certificateRequest: { flaw: 'wrong-name' },
  },
  'long-request': {
    description: asksForCertificate('with a request of 10 KB'),
    certificateRequest: { flaw: 'too-long' },
  },
  // The service backdates certificates by a day.
  'clock-23-hours-behind': clockBehind(23),
  'clock-25-hours-behind': clockBehind(25),
} as const satisfies Readonly<Record<string, Misbehaviour>>

export type MisbehaviourName = keyof typeof misbehaviours

export const misbehaviourNames = Object.keys(misbehaviours) as MisbehaviourName[]
