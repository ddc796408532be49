// The command line of the load tool: what may be asked, the defaults, and what cannot work, told in one line before
// anything is connected.

import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { newCommand, wholeNumber } from '../../src/process/commands.js'
import { apiOf, endpointOf } from '../client/addresses.js'
import { numberedIdentities, readIdentities } from './identities.js'
import { machineLimit } from './machine-limits.js'
import { type Identity, type Profile, profiles, type TlsFiles } from './protocol.js'

export interface Thresholds {
  readonly maximumLatencyMs: Readonly<Partial<Record<'p50' | 'p90' | 'p99' | 'p999', number>>>
  readonly maximumErrors: { readonly value: number; readonly unit: 'errors' | '%' } | undefined
  readonly minimumRate: number | undefined
  readonly maximumStormSeconds: number | undefined
}

export interface Options {
  readonly url: string
  readonly profile: Profile
  readonly identities: readonly Identity[]
  readonly connectors: number
  readonly rate: number | 'max' | undefined
  readonly intervalSeconds: number
  readonly meterValues: number
  readonly durationSeconds: number
  readonly warmUpSeconds: number
  readonly stormPauseSeconds: number
  readonly ramp: number
  readonly processes: number
  readonly timeoutMs: number
  readonly seed: number
  readonly sourceAddresses: readonly string[]
  readonly tls: TlsFiles
  readonly api: { readonly url: string; readonly key: string } | undefined
  readonly register: boolean
  /** Whether what it registered stays. */
  readonly keep: boolean
  readonly json: string | undefined
  readonly report: string | undefined
  readonly quiet: boolean
  /** Whom the run is reported to: an installation of ampshard. */
  readonly reportTo: { readonly url: string; readonly key: string } | undefined
  readonly thresholds: Thresholds
  /** For the results: without passwords, keys and ids. */
  readonly published: Readonly<Record<string, unknown>>
}

function above0(text: string): number {
  const value = Number(text)
  if (!(value > 0 && Number.isFinite(value))) throw new InvalidArgumentError('It must be a number above 0.')
  return value
}

const rate = (text: string): number | 'max' => (text === 'max' ? 'max' : above0(text))

const unitSeconds: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3_600 }

/** Seconds. */
export function duration(text: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text) ?? []
  if (number === undefined) throw new InvalidArgumentError('It must be a duration, such as 500ms, 30s, 5m or 1h.')
  return Number(number) * (unitSeconds[unit ?? 's'] as number)
}

function errorsLimit(text: string): { value: number; unit: 'errors' | '%' } {
  const [, number, percent] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text) ?? []
  if (number === undefined) throw new InvalidArgumentError('It must be a number of errors, or a share such as 0.1%.')
  return { value: Number(number), unit: percent === '%' ? '%' : 'errors' }
}

function endpoint(text: string): string {
  const address = endpointOf(text)
  if (address === undefined)
    throw new InvalidArgumentError('It must be a ws, wss, http or https address, such as ws://127.0.0.1:8080/ocpp16.')
  const { username, password } = new URL(address)
  if (username || password) throw new InvalidArgumentError('Pass credentials with --password or --ids instead.')
  return address
}

function addresses(text: string, before: readonly string[] = []): string[] {
  const all = text.split(',').map((address) => address.trim())
  const wrong = all.find((address) => isIP(address) === 0)
  if (wrong !== undefined) throw new InvalidArgumentError(`${wrong} is not an IP address.`)
  return [...before, ...all]
}

function file(text: string): string {
  if (!existsSync(text)) throw new InvalidArgumentError('There is no such file.')
  return readFileSync(text, 'utf8')
}

function apiAddress(text: string): string {
  const address = apiOf(text)
  if (address === undefined) throw new InvalidArgumentError('It must be an http or https address.')
  return address
}

interface Given {
  readonly url: string
  readonly profile: Profile
  readonly chargePoints: number
  readonly prefix: string
  readonly ids?: string
  readonly password?: string
  readonly connectors: number
  readonly rate?: number | 'max'
  readonly interval: number
  readonly meterValues: number
  readonly duration: number
  readonly warmUp: number
  readonly stormPause: number
  readonly ramp: number
  readonly processes: number
  readonly timeout: number
  readonly seed: number
  readonly sourceAddress?: readonly string[]
  readonly tlsCa?: string
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly insecure: boolean
  readonly apiKey?: string
  readonly apiUrl?: string
  readonly register: boolean
  readonly keep: boolean
  readonly json: string | boolean
  readonly report: string | boolean
  readonly quiet: boolean
  readonly reportTo?: string
  readonly maxP50?: number
  readonly maxP90?: number
  readonly maxP99?: number
  readonly maxP999?: number
  readonly maxErrors?: { value: number; unit: 'errors' | '%' }
  readonly minRate?: number
  readonly maxStorm?: number
}

function commandLine(): Command {
  return newCommand('load')
    .option(
      '--url <address>',
      'endpoint, to which /<id> is added; http://host stands for ws://host/ocpp16',
      endpoint,
      'ws://127.0.0.1:8080/ocpp16',
    )
    .addOption(new Option('--profile <name>', 'what the charge points do').choices(profiles).default('mixed'))
    .option('--charge-points <count>', 'how many', wholeNumber(1), 100)
    .option('--rate <number>', 'messages per second in total; max: each as soon as the one before is answered', rate)
    .addOption(new Option('--duration <time>', 'measured time: 30s, 5m, 1h').argParser(duration).default(60, '60s'))
    .addOption(
      new Option('--warm-up <time>', 'traffic before it, which does not count').argParser(duration).default(5, '5s'),
    )
    .option('--ramp <number>', 'connections per second', above0, 500)
    .option('--processes <count>', 'processes that share the charge points', wholeNumber(1), 1)
    .addOption(
      new Option('--interval <time>', 'between messages of one charge point, without --rate')
        .argParser(duration)
        .default(10, '10s'),
    )
    .option('--meter-values <count>', 'MeterValues of a session, on average', wholeNumber(1), 6)
    .addOption(
      new Option('--storm-pause <time>', 'between the rounds of a storm').argParser(duration).default(10, '10s'),
    )
    .option('--connectors <count>', 'connectors of each charge point', wholeNumber(1), 1)
    .addOption(
      new Option('--timeout <time>', 'after which a handshake or an answer is given up')
        .argParser(duration)
        .default(30, '30s'),
    )
    .option('--seed <number>', 'the same seed makes the same fleet', wholeNumber(0), 1)
    .option('--prefix <text>', 'the ids are <prefix>000001 and so on', 'LOAD-')
    .option('--ids <file>', 'ids in place of them: lines of id[,password[,id tag]]', file)
    .option('--password <text>', 'Basic password of all charge points; or the variable AMPSHARD_LOAD_PASSWORD')
    .option('--tls-ca <file>', 'authority of the server, PEM', file)
    .option('--tls-cert <file>', 'client certificate, PEM', file)
    .option('--tls-key <file>', 'its private key, PEM', file)
    .option('--insecure', "accept any server's certificate", false)
    .option('--source-address <addresses>', 'local addresses, used in turn; repeat it or use commas', addresses)
    .option('--register', 'register the charge points with ampshard first, and remove them at the end', false)
    .option('--keep', 'keep the charge points that it registered, and their sessions', false)
    .option('--api-key <key>', "ampshard's API key; or the variable AMPSHARD_API_KEY")
    .option('--api-url <address>', "ampshard's API; otherwise the host of --url", apiAddress)
    .option('--json <file>', 'where the results go; otherwise into load-results/')
    .option('--no-json', 'write no file of results')
    .option('--report <file>', 'where the HTML report goes; otherwise into load-results/')
    .option('--no-report', 'write no HTML report')
    .option('--quiet', 'show no live view', false)
    .option(
      '--report-to <address>',
      'an installation of ampshard that shows the run in its console; needs --api-key of the organization that operates it',
      apiAddress,
    )
    .option('--max-p50 <time>', 'exit with 1 when the latency is above', duration)
    .option('--max-p90 <time>', 'the same', duration)
    .option('--max-p99 <time>', 'the same', duration)
    .option('--max-p999 <time>', 'the same', duration)
    .option('--max-errors <limit>', 'exit with 1 when there are more: 0, 25, 0.1%', errorsLimit)
    .option('--min-rate <number>', 'exit with 1 when fewer are answered per second', above0)
    .option('--max-storm <time>', 'exit with 1 when a round of a storm takes longer', duration)
    .addHelpText(
      'after',
      '\nExit codes: 0 all went well, 1 a threshold was missed or nobody could connect, 2 the options make no sense.',
    )
}

/** Ends the process with one line and 2 when the options make no sense. */
export function readOptions(argv: readonly string[], now: Date): Options {
  const command = commandLine().exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
  const given = command.parse(argv, { from: 'user' }).opts<Given>()
  const wrong = (text: string): never => command.error(`error: ${text}`, { exitCode: 2 })

  const apiKey = given.apiKey ?? process.env.AMPSHARD_API_KEY
  const apiUrl = given.apiUrl ?? (apiOf(given.url) as string)
  const api = apiKey && (given.register || given.profile === 'commands') ? { url: apiUrl, key: apiKey } : undefined
  const password = given.password ?? process.env.AMPSHARD_LOAD_PASSWORD
  let identities: readonly Identity[] = []
  try {
    identities =
      given.ids === undefined
        ? numberedIdentities(given.prefix, given.chargePoints, password)
        : readIdentities(given.ids, password)
  } catch (error) {
    wrong(`--ids: ${(error as Error).message}`)
  }
  const count = identities.length

  if (given.reportTo !== undefined && !apiKey) wrong('--report-to needs --api-key, or the variable AMPSHARD_API_KEY')
  if (given.register && !apiKey) wrong('--register needs --api-key, or the variable AMPSHARD_API_KEY')
  if ((given.tlsCert === undefined) !== (given.tlsKey === undefined)) wrong('--tls-cert and --tls-key go together')
  if (given.rate !== undefined && (given.profile === 'idle' || given.profile === 'storm'))
    wrong(`the profile ${given.profile} has no --rate: its charge points keep to the interval that the server gives`)
  if (given.profile === 'commands' && given.rate === 'max') wrong('the profile commands needs a --rate in numbers')
  if (given.profile === 'commands' && given.rate !== undefined && api === undefined)
    wrong('--rate of the profile commands needs --api-key: without one, it only answers commands that come')
  if (given.duration <= 0) wrong('--duration has to be above 0')
  if (given.processes > count) wrong(`${given.processes} processes for ${count} charge points are too many`)
  const limit = machineLimit({
    connections: count,
    processes: given.processes,
    sourceAddresses: given.sourceAddress?.length ?? 1,
  })
  if (limit !== undefined) wrong(limit)

  const rateWanted = given.rate ?? (given.profile === 'commands' && api !== undefined ? count / 10 : undefined)
  const stamp = now.toISOString().slice(0, 19).replaceAll(':', '')
  const output = (wanted: string | boolean, extension: string): string | undefined =>
    wanted === false
      ? undefined
      : typeof wanted === 'string'
        ? wanted
        : `load-results/${stamp}-${given.profile}.${extension}`
  const inMilliseconds = (seconds: number | undefined): number | undefined =>
    seconds === undefined ? undefined : seconds * 1000
  const maximumLatencyMs = Object.fromEntries(
    Object.entries({ p50: given.maxP50, p90: given.maxP90, p99: given.maxP99, p999: given.maxP999 })
      .filter(([, seconds]) => seconds !== undefined)
      .map(([name, seconds]) => [name, inMilliseconds(seconds)]),
  )
  return {
    url: given.url,
    profile: given.profile,
    identities,
    connectors: given.connectors,
    rate: rateWanted,
    intervalSeconds: given.interval,
    meterValues: given.meterValues,
    durationSeconds: given.duration,
    warmUpSeconds: given.profile === 'storm' ? 0 : given.warmUp,
    stormPauseSeconds: given.stormPause,
    ramp: given.ramp,
    processes: given.processes,
    timeoutMs: given.timeout * 1000,
    seed: given.seed,
    sourceAddresses: given.sourceAddress ?? [],
    tls: {
      ...(given.tlsCa === undefined ? {} : { ca: given.tlsCa }),
      ...(given.tlsCert === undefined ? {} : { cert: given.tlsCert }),
      ...(given.tlsKey === undefined ? {} : { key: given.tlsKey }),
      rejectUnauthorized: !given.insecure,
    },
    api,
    register: given.register,
    keep: given.keep,
    json: output(given.json, 'json'),
    report: output(given.report, 'html'),
    quiet: given.quiet,
    reportTo: given.reportTo === undefined || !apiKey ? undefined : { url: given.reportTo, key: apiKey },
    thresholds: {
      maximumLatencyMs,
      maximumErrors: given.maxErrors,
      minimumRate: given.minRate,
      maximumStormSeconds: given.maxStorm,
    },
    published: {
      url: given.url,
      profile: given.profile,
      chargePoints: count,
      rate: rateWanted ?? null,
      durationSeconds: given.duration,
      warmUpSeconds: given.profile === 'storm' ? 0 : given.warmUp,
      rampPerSecond: given.ramp,
      processes: given.processes,
      intervalSeconds: given.interval,
      meterValues: given.meterValues,
      stormPauseSeconds: given.stormPause,
      connectors: given.connectors,
      timeoutSeconds: given.timeout,
      seed: given.seed,
      ids: given.ids === undefined ? `${given.prefix}000001 and up` : 'from a file',
      password: identities.some((one) => one.password !== undefined) ? 'redacted' : null,
      apiKey: api === undefined ? null : 'redacted',
      tls: {
        ca: given.tlsCa === undefined ? null : 'given',
        clientCertificate: given.tlsCert === undefined ? null : 'given',
        insecure: given.insecure,
      },
      sourceAddresses: given.sourceAddress ?? [],
    },
  }
}
