// `ampshard simulate`: a fleet of charge points with drivers, against a running ampshard. It registers them over REST,
// connects every one over a socket of its own, charges on a share of the connectors, obeys commands or misbehaves, and keeps going
// when the server restarts.

import { readFileSync } from 'node:fs'
import { type Command, InvalidArgumentError } from 'commander'
import { newCommand, wholeNumber } from '../src/process/commands.js'
import { type Misbehaviour, misbehaviours } from './charge-point/misbehaviours.js'
import { apiOf, endpointOf } from './client/addresses.js'
import { createFleet, type FleetOptions } from './client/fleet.js'
import { registerChargePoints } from './client/register.js'

function share(text: string): number {
  const value = Number(text)
  if (!(value >= 0 && value <= 1)) throw new InvalidArgumentError('It must be a share from 0 to 1.')
  return value
}

function baseUrl(text: string): string {
  const url = apiOf(text)
  if (url === undefined) throw new InvalidArgumentError('It must be an http, https, ws or wss address.')
  return url
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message)
  }
}

function misbehavioursNamed(text: string): readonly Misbehaviour[] {
  return text.split(',').map((name) => {
    if (!Object.hasOwn(misbehaviours, name)) throw new InvalidArgumentError(`There is no ${name}; see --help.`)
    return misbehaviours[name as keyof typeof misbehaviours]
  })
}

const misbehavioursText = [
  '',
  'Misbehaviours, for --misbehave:',
  ...Object.entries(misbehaviours).map(([name, { description }]) => `  ${name.padEnd(24)}${description}`),
].join('\n')

interface Options {
  readonly chargePoints: number
  readonly connectors: number
  readonly url: string
  readonly key?: string
  readonly installerToken?: string
  readonly prefix: string
  readonly meterInterval: number
  readonly sessions: number
  readonly seed: number
  readonly misbehave?: readonly Misbehaviour[]
  readonly certificate?: string
  readonly certificateKey?: string
}

function commandLine(): Command {
  return newCommand('simulate')
    .option('--charge-points <count>', 'how many charge points', wholeNumber(1), 20)
    .option('--connectors <count>', 'connectors of each', wholeNumber(1), 2)
    .option('--url <address>', 'the server', baseUrl, 'http://127.0.0.1:8080')
    .option('--key <key>', 'API key with write:charge_points; default: the environment variable AMPSHARD_API_KEY')
    .option(
      '--installer-token <token>',
      'access token of an installer, who registers the charge points; nobody charges then; default: the environment variable AMPSHARD_INSTALLER_TOKEN',
    )
    .option('--prefix <text>', 'the charge points are called <prefix>0001 and so on', 'SIM-')
    .option('--meter-interval <seconds>', 'seconds between meter values of a transaction', wholeNumber(1), 10)
    .option('--sessions <share>', 'share of the connectors that charge, 0 to 1', share, 0.3)
    .option('--seed <number>', 'the same seed makes the same fleet', wholeNumber(1), 1)
    .option(
      '--misbehave <names>',
      'how the charge points misbehave, in turn; several separated by commas',
      misbehavioursNamed,
    )
    .option('--certificate <file>', 'client certificate of a single charge point (PEM)', readText)
    .option('--certificate-key <file>', 'private key of the client certificate (PEM)', readText)
    .addHelpText('after', misbehavioursText)
}

/** Over plain connections, what is wrong with their requests for certificates would not be looked at. */
async function signWithoutPasswords(url: string, key: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const response = await fetch(`${url}/api/v1/chargepoints/${encodeURIComponent(id)}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ sign_without_password: true }),
    })
    if (!response.ok)
      throw new Error(`the server answered ${response.status} to a change of ${id}: ${await response.text()}`)
  }
}

export async function simulate(argv: readonly string[]): Promise<void> {
  const command: Command = commandLine().parse(argv, { from: 'user' })
  const options = command.opts<Options>()
  const installerToken = options.installerToken ?? process.env.AMPSHARD_INSTALLER_TOKEN
  const asInstaller = installerToken !== undefined
  const key = installerToken ?? options.key ?? process.env.AMPSHARD_API_KEY
  if (!key) {
    command.error(
      'simulate: an API key is needed: set the environment variable AMPSHARD_API_KEY, or pass --key; or, of an installer, AMPSHARD_INSTALLER_TOKEN.',
    )
  }
  const { certificate, certificateKey, misbehave = [] } = options
  if ((certificate === undefined) !== (certificateKey === undefined))
    command.error('simulate: --certificate and --certificate-key come together.')
  if (certificate !== undefined && options.chargePoints > 1)
    command.error('simulate: a certificate is that of one charge point: pass --charge-points 1.')

  const ids = Array.from(
    { length: options.chargePoints },
    (_, index) => `${options.prefix}${String(index + 1).padStart(4, '0')}`,
  )

  const ending = new AbortController()
  process.once('SIGINT', () => ending.abort())
  process.once('SIGTERM', () => ending.abort())

  const registration = await registerChargePoints({
    url: options.url,
    key,
    asInstaller,
    chargePoints: ids.map((chargePointId) => ({ chargePointId, connectorCount: options.connectors })),
    signal: ending.signal,
    waiting: (reason) => console.error(`waiting for ${options.url}: ${reason}`),
  }).catch((error: Error) => {
    if (ending.signal.aborted) process.exit(0)
    console.error(`simulate: ${error.message}`)
    process.exit(1)
  })
  const asking = ids.filter((_, at) => misbehave[at % misbehave.length]?.certificateRequest !== undefined)
  if (!asInstaller)
    await signWithoutPasswords(
      options.url,
      key,
      asking.filter((id) => registration.created.includes(id)),
    )
  console.log(`${registration.created.length} charge points registered, ${registration.known} known before.`)

  const fleetOptions: FleetOptions = {
    ids,
    url: endpointOf(options.url) as string,
    connectors: options.connectors,
    meterIntervalSeconds: options.meterInterval,
    sessionShare: asInstaller ? undefined : options.sessions,
    seed: options.seed,
    misbehaviours: misbehave,
    ...(certificate !== undefined && { tls: { cert: certificate, key: certificateKey } }),
  }
  const fleet = createFleet(fleetOptions)
  fleet.start()

  const interactive = process.stdout.isTTY === true
  function show(): void {
    const summary = fleet.summary()
    const parts = [
      `connected ${summary.connected}/${ids.length}`,
      `charging ${summary.charging}`,
      `messages ${summary.messages}`,
      `commands ${summary.commands}${summary.lastCommands.length > 0 ? ` (${summary.lastCommands.join(', ')})` : ''}`,
    ]
    if (summary.lastRefusal !== undefined && summary.connected < ids.length)
      parts.push(`last refusal ${summary.lastRefusal}`)
    const line = parts.join('  ')
    if (interactive) process.stdout.write(`\r\x1b[K${line.slice(0, Math.max(20, (process.stdout.columns ?? 80) - 1))}`)
    else console.log(line)
  }
  const summaryTimer = setInterval(show, interactive ? 500 : 5_000)

  function end(): void {
    clearInterval(summaryTimer)
    show()
    if (interactive) process.stdout.write('\n')
    process.once('SIGINT', () => process.exit(130))
    fleet.stop()
  }
  if (ending.signal.aborted) end()
  else ending.signal.addEventListener('abort', end)
}
