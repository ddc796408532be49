// `ampshard simulate`: a fleet of charge points with drivers, against a running ampshard. It registers them over REST,
// connects every one over a socket of its own, charges on a share of the connectors, obeys commands or misbehaves, and keeps going
// when the server restarts. With sites, their cars share the power, and a table shows how. With a city, they stand where one sees them.

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type Command, InvalidArgumentError } from 'commander'
import { limits as installers } from '../src/api/areas/installer-charge-points/limits.js'
import { newCommand, wholeNumber } from '../src/process/commands.js'
import { type Misbehaviour, misbehaviours } from './charge-point/misbehaviours.js'
import type { CityName } from './city/cities.js'
import { apiOf, endpointOf } from './client/addresses.js'
import { createDisplay } from './client/display.js'
import { createFleet, type FleetSummary } from './client/fleet.js'
import { registerChargePoints } from './client/register.js'
import { cityNames, type SimulatedCity, simulateCity } from './simulate-city.js'
import { simulateReplay } from './simulate-replay.js'
import { simulateSites, siteFields } from './simulate-sites.js'

function share(text: string): number {
  const value = Number(text)
  if (!(value >= 0 && value <= 1)) throw new InvalidArgumentError('It must be a share from 0 to 1.')
  return value
}

function kilowatts(text: string): number {
  const value = Number(text)
  if (!(value > 0 && value <= 100_000)) throw new InvalidArgumentError('It must be a power in kW, up to 100000.')
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

function cityNamed(text: string): CityName {
  const name = cityNames.find((one) => one === text.toLowerCase())
  if (name === undefined) throw new InvalidArgumentError(`It must be one of ${cityNames.join(', ')}.`)
  return name
}

const cityText = [
  '',
  'With --city, the charge points stand at squares and streets of that city, of',
  'several makes, powers and firmwares; the organization gets a tariff if it has',
  'none, cards of drivers, and two sites. The new charge points report what they',
  'have done in the last day, and then cars come and go. Some charge points have',
  'a fault, a wrong password, a wrong clock, or habits against the standard, and',
  'those at the airport lose their network together. What there is to see is said',
  'at the start. The same seed makes the same city.',
].join('\n')

const replayText = [
  '',
  'With --replay, one charge point does what a capture has recorded (GET',
  '/api/v1/chargepoints/{id}/captures/{capture_id}/script): the same messages in the',
  'same order, with the times of now and the transactions of this server. What the',
  'server had asked it is sent as commands. Each answer that differs from the recorded',
  'one is said, and the command ends with 1 if there are any.',
].join('\n')

const misbehavioursText = [
  '',
  'Misbehaviours, for --misbehave:',
  ...Object.entries(misbehaviours).map(([name, { description }]) => `  ${name.padEnd(24)}${description}`),
].join('\n')

const sitesText = [
  '',
  'With --sites, the sites are made and the charge points linked to them. Cars come',
  'to a charge point once it holds a limit. Each charges on one phase or three, and',
  'with less and less for the last 20 % of its battery; it leaves when it is full,',
  'or before. Batteries are so small that they are full within minutes. Every few',
  'seconds, a table says what each car really draws, the limit that its charge point',
  'holds, on how many phases it charges ("taken for 3" while the site does not know),',
  'and why it has this limit. When the command ends, the cars leave. Sites and charge',
  'points stay; the next one with the same prefix finds them again.',
].join('\n')

interface Options {
  readonly chargePoints?: number
  readonly connectors?: number
  readonly url: string
  readonly key?: string
  readonly installerToken?: string
  readonly prefix?: string
  readonly meterInterval?: number
  readonly sessions?: number
  readonly sites?: number
  readonly siteBudgetKw: number
  readonly city?: CityName
  readonly history: number
  readonly seed: number
  readonly misbehave?: readonly Misbehaviour[]
  readonly certificate?: string
  readonly certificateKey?: string
  readonly replay?: string
  readonly as?: string
  readonly longestPause: number
}

/** What the options are that were not given. */
const usual = { chargePoints: 20, connectors: 2, prefix: 'SIM-', meterInterval: 10, sessions: 0.3 } as const
/** The same with --sites; charge points are those of each site. */
const usualOfSites = { chargePoints: 5, connectors: 1, prefix: 'BAY-', meterInterval: 5, sessions: 1 } as const

/** The same with --city. */
const usualOfCity = { chargePoints: 200, connectors: 2, meterInterval: 30, sessions: 0.35 } as const

function usually(name: keyof typeof usual): string {
  const each = name === 'chargePoints' ? ' for each site' : ''
  return `default: ${usual[name]}, and ${usualOfSites[name]}${each} with --sites`
}

function commandLine(): Command {
  return newCommand('simulate')
    .option('--charge-points <count>', `how many charge points; ${usually('chargePoints')}`, wholeNumber(1))
    .option('--connectors <count>', `connectors of each; ${usually('connectors')}`, wholeNumber(1))
    .option('--url <address>', 'the server', baseUrl, 'http://127.0.0.1:8080')
    .option('--key <key>', 'API key with write:charge_points; default: the environment variable AMPSHARD_API_KEY')
    .option(
      '--installer-token <token>',
      `access token of an installer, who registers the charge points, more than ${installers.unclaimedOfUnverified} only with an approved identity; nobody charges then; default: the environment variable AMPSHARD_INSTALLER_TOKEN`,
    )
    .option('--prefix <text>', `the charge points are called <prefix>0001 and so on; ${usually('prefix')}`)
    .option(
      '--meter-interval <seconds>',
      `seconds between meter values of a transaction; ${usually('meterInterval')}`,
      wholeNumber(1),
    )
    .option('--sessions <share>', `share of the connectors that charge, 0 to 1; ${usually('sessions')}`, share)
    .option('--sites <count>', 'so many sites share their power among the cars; see below', wholeNumber(1))
    .option('--site-budget-kw <power>', 'what the cars of each site share', kilowatts, 50)
    .option('--city <name>', `a living city: ${cityNames.join(', ')}; see below`, cityNamed)
    .option(
      '--history <hours>',
      'of how many hours the new charge points of a city report sessions',
      wholeNumber(0),
      24,
    )
    .option('--seed <number>', 'the same seed makes the same fleet', wholeNumber(1), 1)
    .option(
      '--misbehave <names>',
      'how the charge points misbehave, in turn; several separated by commas',
      misbehavioursNamed,
    )
    .option('--certificate <file>', 'client certificate of a single charge point (PEM)', readText)
    .option('--certificate-key <file>', 'private key of the client certificate (PEM)', readText)
    .option('--replay <file>', 'plays the charge point of a script; see below', readText)
    .option('--as <id>', 'with --replay, what the charge point is called; default: as in the script')
    .option('--longest-pause <seconds>', 'with --replay, no pause is longer', wholeNumber(0), 5)
    .addHelpText('after', sitesText)
    .addHelpText('after', replayText)
    .addHelpText('after', cityText)
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
  const given = command.opts<Options>()
  const { sites } = given
  const options = {
    ...(sites === undefined ? usual : { ...usualOfSites, chargePoints: usualOfSites.chargePoints * sites }),
    ...(given.city !== undefined && usualOfCity),
    ...given,
  }
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
  if (sites !== undefined && asInstaller)
    command.error('simulate: --sites needs an API key: charge points of an installer belong to no site.')
  if (sites !== undefined && options.chargePoints < sites)
    command.error('simulate: each site needs a charge point: pass as many --charge-points as --sites, or more.')

  const { city } = given
  const excluded = ['sites', 'connectors', 'misbehave', 'certificate', 'installerToken'] as const
  if (city !== undefined && (asInstaller || excluded.some((name) => given[name] !== undefined)))
    command.error('simulate: --city says itself what its charge points are, and needs an API key.')

  const ids = Array.from(
    { length: options.chargePoints },
    (_, index) => `${options.prefix}${String(index + 1).padStart(4, '0')}`,
  )

  const ending = new AbortController()
  process.once('SIGINT', () => ending.abort())
  process.once('SIGTERM', () => ending.abort())

  const fail = (error: Error): never => {
    if (ending.signal.aborted) process.exit(0)
    console.error(`simulate: ${error.message}`)
    process.exit(1)
  }

  if (given.replay !== undefined) {
    const { sent, differences } = await simulateReplay({
      text: given.replay,
      url: options.url,
      endpoint: endpointOf(options.url) as string,
      key,
      chargePointId: given.as,
      longestPauseSeconds: given.longestPause,
      signal: ending.signal,
      say: (line) => console.log(line),
    }).catch(fail)
    const count = differences.length
    console.log(`${sent} messages played, ${count} ${count === 1 ? 'answer differs' : 'answers differ'}.`)
    if (count > 0)
      console.log(
        'The services have other data: an id tag that the other one does not know is answered otherwise, for instance. The exit code is 1.',
      )
    process.exit(differences.length === 0 ? 0 : 1)
  }

  if (city !== undefined) {
    const simulated = await simulateCity({
      city,
      count: options.chargePoints,
      prefix: given.prefix,
      url: options.url,
      endpoint: endpointOf(options.url) as string,
      key,
      share: options.sessions,
      meterIntervalSeconds: options.meterInterval,
      hoursOfHistory: options.history,
      seed: options.seed,
      signal: ending.signal,
      waiting: (reason) => console.error(`waiting for ${options.url}: ${reason}`),
    }).catch(fail)
    await showCity(simulated, options.url, ending.signal)
    return
  }

  const registration = await registerChargePoints({
    url: options.url,
    key,
    asInstaller,
    chargePoints: ids.map((chargePointId) => ({ chargePointId, connectorCount: options.connectors })),
    ...(sites !== undefined && { fields: siteFields }),
    signal: ending.signal,
    waiting: (reason) => console.error(`waiting for ${options.url}: ${reason}`),
  }).catch(fail)
  const asking = ids.filter((_, at) => misbehave[at % misbehave.length]?.certificateRequest !== undefined)
  if (!asInstaller)
    await signWithoutPasswords(
      options.url,
      key,
      asking.filter((id) => registration.created.includes(id)),
    )
  console.log(`${registration.created.length} charge points registered, ${registration.known} known before.`)

  const display = createDisplay(process.stdout)
  const created = new Set(registration.created)
  const power =
    sites === undefined
      ? undefined
      : await simulateSites({
          url: options.url,
          key,
          prefix: options.prefix,
          count: sites,
          budgetKw: options.siteBudgetKw,
          chargePointIds: ids,
          known: new Set(ids.filter((id) => !created.has(id))),
          fields: { ...siteFields, connector_count: options.connectors },
          signal: ending.signal,
          connectors: options.connectors,
          share: options.sessions,
          seed: options.seed,
          news: display.news,
        }).catch(fail)

  const fleet = createFleet({
    ids,
    url: endpointOf(options.url) as string,
    connectors: options.connectors,
    meterIntervalSeconds: options.meterInterval,
    sessionShare: asInstaller || power !== undefined ? undefined : options.sessions,
    seed: options.seed,
    misbehaviours: misbehave,
    ...(certificate !== undefined && { tls: { cert: certificate, key: certificateKey } }),
    ...power?.fleetOptions,
  })
  fleet.start()
  power?.start(fleet)

  const show = async (): Promise<void> =>
    display.show(summaryLine(fleet.summary(), ids.length), (await power?.tables()) ?? [])
  let showing: Promise<void> | undefined
  const showNext = (): Promise<void> => {
    showing ??= show().finally(() => {
      showing = undefined
    })
    return showing
  }
  const everyMs = !display.interactive ? 5_000 : power !== undefined ? 2_000 : 500
  const summaryTimer = setInterval(showNext, everyMs)

  async function end(): Promise<void> {
    clearInterval(summaryTimer)
    process.once('SIGINT', () => process.exit(130))
    await showNext()
    display.end()
    await power?.leave()
    fleet.stop()
  }
  if (ending.signal.aborted) await end()
  else ending.signal.addEventListener('abort', () => void end())
}

/** Until it is ended. */
async function showCity({ fleet, sights }: SimulatedCity, url: string, signal: AbortSignal): Promise<void> {
  for (const sight of sights) console.log(sight)
  console.log(`Look at them in the console: ${url}/console`)
  const display = createDisplay(process.stdout)
  fleet.start()
  const show = (): void => display.show(summaryLine(fleet.summary(), fleet.chargePoints.length), [])
  const timer = setInterval(show, display.interactive ? 500 : 5_000)
  if (!signal.aborted) await once(signal, 'abort')
  clearInterval(timer)
  show()
  display.end()
  fleet.stop()
}

function summaryLine(summary: FleetSummary, count: number): string {
  const parts = [
    `connected ${summary.connected}/${count}`,
    `charging ${summary.charging}`,
    `messages ${summary.messages}`,
    `commands ${summary.commands}${summary.lastCommands.length > 0 ? ` (${summary.lastCommands.join(', ')})` : ''}`,
  ]
  if (summary.lastRefusal !== undefined && summary.connected < count) parts.push(`last refusal ${summary.lastRefusal}`)
  return parts.join('  ')
}
