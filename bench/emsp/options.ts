// The command line of the sandbox partner: what may be asked, and what cannot work, said in one line before anything is started.

import { type Command, InvalidArgumentError } from 'commander'
import type { Party } from '../../src/ocpi/headers.js'
import { newCommand } from '../../src/process/commands.js'
import { parseUrl } from '../../src/runtime/parse-url.js'

export interface Start {
  readonly locationId: string
  /** The operator chooses one where none is named. */
  readonly evseUid?: string
  readonly connectorId?: string
}

export interface Options {
  /** Where the versions of the operator are. */
  readonly versionsUrl: string
  /** The operator's registration token; undefined where the operator begins. */
  readonly token: string | undefined
  readonly host: string
  readonly port: number
  readonly publicUrl: string | undefined
  readonly party: Party
  readonly name: string
  /** The uids of cards that may charge. */
  readonly authorize: readonly string[]
  readonly start: Start | undefined
  readonly stopAfterSeconds: number | undefined
  readonly once: boolean
}

export const tokenVariable = 'AMPSHARD_EMSP_TOKEN'

function address(text: string): string {
  const url = parseUrl(text)
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError('It must be an http or https address.')
  return text.replace(/\/+$/, '')
}

function code(length: number): (text: string) => string {
  return (text) => {
    if (!new RegExp(`^[A-Za-z0-9]{${length}}$`).test(text))
      throw new InvalidArgumentError(`It must be ${length} letters or digits.`)
    return text.toUpperCase()
  }
}

function portNumber(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('It must be a port from 0 to 65535.')
  return port
}

function seconds(text: string): number {
  const value = Number(text)
  if (!(value > 0 && value <= 86_400)) throw new InvalidArgumentError('It must be a number of seconds, up to 86400.')
  return value
}

function uid(text: string, before: readonly string[] = []): readonly string[] {
  if (!/^[\x21-\x7e]{1,36}$/.test(text)) throw new InvalidArgumentError('It must be up to 36 printable characters.')
  return [...before, text]
}

function place(text: string): Start {
  const [locationId = '', evseUid, connectorId, ...more] = text.split('/')
  if (locationId === '' || evseUid === '' || connectorId === '' || more.length > 0)
    throw new InvalidArgumentError('It must be a location, or <location>/<evse>.')
  return { locationId, ...(evseUid && { evseUid }), ...(connectorId && { connectorId }) }
}

const more = `
Without --token, the operator begins: the sandbox prints the address of its
versions and a registration token, for POST /api/v1/ocpi/partners/{id}/register.

The service has to be allowed to call addresses such as this one:
--allow-insecure-webhooks true.

It ends with Ctrl+C, with --once when it has read everything, and with --start
when the charge was billed. Then it ends the connection, and exits with 1 if it
has found a fault.`

interface Given {
  readonly url: string
  readonly token?: string
  readonly host: string
  readonly port: number
  readonly publicUrl?: string
  readonly countryCode: string
  readonly partyId: string
  readonly name: string
  readonly authorize?: readonly string[]
  readonly start?: Start
  readonly stopAfterSeconds?: number
  readonly once: boolean
}

function commandLine(): Command {
  return newCommand('emsp')
    .option('--url <address>', 'the service, or the address of its versions', address, 'http://127.0.0.1:8080')
    .option(
      '--token <token>',
      `registration token that the operator has made for this partner; default: the environment variable ${tokenVariable}`,
    )
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 chooses a free one', portNumber, 9100)
    .option('--public-url <address>', 'address that the operator is told, if it is another', address)
    .option('--country-code <code>', 'of the partner', code(2), 'NL')
    .option('--party-id <id>', 'of the partner', code(3), 'EMP')
    .option('--name <text>', 'of the partner', 'Example Mobility')
    .option('--authorize <uid>', 'a card of a driver who may charge; several times for several', uid)
    .option(
      '--start <place>',
      'starts a charge at a location, or at <location>/<evse>, with the first of these cards',
      place,
    )
    .option('--stop-after-seconds <number>', 'ends that charge after so long', seconds)
    .option('--once', 'ends when everything has been read', false)
    .addHelpText('after', more)
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'emsp: ')) })
}

/** `http://host` stands for the place where an ampshard has its versions; a path that is given is kept. */
function versionsUrlOf(url: string): string {
  return parseUrl(url)?.pathname === '/' ? `${url}/ocpi/versions` : url
}

export function readOptions(argv: readonly string[], environment: NodeJS.ProcessEnv): Options {
  const command = commandLine().parse(argv, { from: 'user' })
  const given = command.opts<Given>()
  const wrong = (text: string): never => command.error(`error: ${text}`)
  if (given.stopAfterSeconds !== undefined && given.start === undefined)
    wrong('--stop-after-seconds needs --start, whose charge it ends')
  if (given.once && given.start !== undefined) wrong('--once and --start do not go together: --start ends by itself')
  return {
    versionsUrl: versionsUrlOf(given.url),
    token: given.token ?? environment[tokenVariable],
    host: given.host,
    port: given.port,
    publicUrl: given.publicUrl,
    party: { country_code: given.countryCode, party_id: given.partyId },
    name: given.name,
    authorize: given.authorize ?? [],
    start: given.start,
    stopAfterSeconds: given.stopAfterSeconds,
    once: given.once,
  }
}
