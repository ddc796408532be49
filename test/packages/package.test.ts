// The product as somebody gets it: packed, installed into an empty directory without what is for development,
// started, and used as the README says.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { t, test } from 'tap'
import { until } from '../support/until.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const work = mkdtempSync(join(tmpdir(), 'ampshard-package-'))
t.teardown(() => rmSync(work, { recursive: true, force: true }))
const home = join(work, 'installed')
const data = join(work, 'data')

/** Without what npm tells its scripts, and without settings of whoever runs the test. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_|AMPSHARD_|NODE_OPTIONS|TAP)/.test(name)),
)

function npm(folder: string, ...words: readonly string[]): string {
  return execFileSync('npm', [...words, '--no-audit', '--no-fund'], {
    cwd: folder,
    encoding: 'utf8',
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Packs dist as it is: `npm test` has built it from the sources alone, by the script with which npm would build it here again. */
function packed(): string {
  npm(root, 'pack', '--ignore-scripts', '--pack-destination', work)
  return join(work, readdirSync(work).find((name) => name.endsWith('.tgz')) as string)
}

test('package - what is packed is built as what is tested is, from the sources alone', (t) => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>
  }
  t.match(scripts.prepack, /\bclean && .*\bbuild$/)
  t.ok(scripts.test?.startsWith(`${scripts.prepack} && `))
  t.end()
})

function megabytesOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0) / 1_000_000
}

interface Running {
  readonly child: ChildProcess
  readonly lines: readonly string[]
}

/** The installed program, as a shell finds it. */
function start(...words: readonly string[]): Running {
  const child = spawn(join(home, 'node_modules/.bin/ampshard'), words, {
    cwd: work,
    env: { ...environment, ...(key !== '' && { AMPSHARD_API_KEY: key }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => void lines.push(line))
  return { child, lines }
}

async function run(...words: readonly string[]): Promise<string> {
  const { child, lines } = start(...words)
  const [code] = await once(child, 'close')
  return [...lines, `ended with ${code}`].join('\n')
}

/** The port of the service that is installed, once it listens. */
async function portOf({ child, lines }: Running): Promise<string> {
  const found = () =>
    lines.map((line) => /^ {2}API {2,}\S+:(\d+)\/api\/v1$/.exec(line)?.[1]).find((one) => one !== undefined)
  await until(() => found() !== undefined || child.exitCode !== null, 60_000)
  const port = found()
  if (port === undefined) throw new Error(`the service did not start:\n${lines.join('\n')}`)
  return port
}

/** What each line of the README's quick start that begins with curl has to answer. */
const answers = [/"online":20\b/, /"status":"Accepted"/, /"succeeded":3\b/, /"commands":\[\{/, /"transaction_id":\d+/]

let key = ''

test('package - it is installed without development, small, and answers as the README says', async (t) => {
  const tarball = packed()
  mkdirSync(home)
  writeFileSync(join(home, 'package.json'), '{ "private": true }')
  npm(home, 'install', '--omit=dev', '--prefer-offline', tarball)
  const installed = megabytesOf(join(home, 'node_modules'))
  t.ok(installed < 119, `${installed.toFixed(0)} MB are installed`)
  t.match(await run('--version'), /^\d+\.\d+\.\d+\nended with 0$/)

  const service = start('--port', '0', '--data', data)
  const port = await portOf(service)
  key = service.lines.map((line) => /^ {2}API key +(ak_\S+)$/.exec(line)?.[1]).find((one) => one !== undefined) ?? ''
  t.not(key, '', 'the first start prints a key')
  const url = `http://127.0.0.1:${port}`

  const fleet = start('simulate', '--charge-points', '20', '--url', url)
  const get = (path: string): Promise<Response> => fetch(url + path, { headers: { authorization: `Bearer ${key}` } })
  await until(async () => {
    const answer = await get('/api/v1/ocpp16/active_transactions/SIM-0001')
    const summary = await get('/api/v1/cpo/fleet/summary')
    return /"transaction_id"/.test(await answer.text()) && /"online":20\b/.test(await summary.text())
  }, 60_000)
  const quickStart = /^## Quick start$.*?^## /ms.exec(readFileSync(join(root, 'README.md'), 'utf8'))?.[0]
  const pasted = quickStart?.match(/^curl .*$/gm) ?? []
  t.equal(pasted.length, answers.length)
  for (const [at, line] of pasted.entries()) {
    const command = line.replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`)
    const answer = execFileSync('bash', ['-c', command], {
      encoding: 'utf8',
      env: { ...environment, AMPSHARD_API_KEY: key },
    })
    t.match(answer, answers[at], line)
  }
  fleet.child.kill('SIGTERM')
  t.same(await once(fleet.child, 'exit'), [0, null], 'the simulated charge points leave')

  for (const path of ['/docs', '/docs/manual', '/docs/operating', '/docs/swagger-ui-bundle.js'])
    t.equal((await get(path)).status, 200, path)

  const report = join(work, 'report.html')
  const load = ['--url', `${url}/ocpp16`, '--register', '--charge-points', '5', '--duration', '2s', '--warm-up', '0']
  t.match(await run('load', ...load, '--no-json', '--report', report), /ended with 0$/)
  t.match(readFileSync(report, 'utf8'), /uPlot/)

  const backup = join(work, 'backup')
  t.match(await run('backup', backup, '--data', data), /ended with 0$/)
  service.child.kill('SIGTERM')
  t.same(await once(service.child, 'exit'), [0, null], 'the service ends')
  t.match(await run('restore', backup, '--data', join(work, 'restored')), /ended with 0$/)
})
