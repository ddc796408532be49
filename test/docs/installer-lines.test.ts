// The README's lines for installers, pasted one after the other into a shell, against a running service.

import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'tap'
import { lineFor, readmeLines } from '../support/readme.js'
import { startService, type Teardowns } from '../support/service.js'
import { until } from '../support/until.js'

/** What each line that asks the service for something prints in the end, by a part of the line. */
const expected: readonly (readonly [part: string, answer: RegExp])[] = [
  ['/installer/signup', /"status":"active"/],
  ['/accept-terms', /"terms_version":"2026-11"/],
  ['/installer/charge-points -H', /"charge_point_id":"BOX-0001".*"status":"registered"/],
  ['/certificates/generate', /^$/],
  ['/config/customize', /"updated_parameters":\["MeterValueSampleInterval"\]/],
  ['/connection-status', /"explanation":"The charge point is connected\./],
  ['/start', /"status":"running"/],
  ['/status', /"status":"completed","result":"passed"/],
  ['/report', /^$/],
  ['/commission -H', /"status":"commissioned"/],
  ['$URL/chargepoints', /"charge_point_id":"BOX-0001".*"handover":\{/],
]

interface Shell {
  /** Resolves with what the line has printed, when the shell takes the next one. */
  paste(line: string): Promise<string>
}

function openShell(t: Teardowns, folder: string, environment: Readonly<Record<string, string>>): Shell {
  // A group of its own: what it runs in the background ends with it.
  const bash = spawn('bash', [], { cwd: folder, env: { ...process.env, ...environment }, detached: true })
  const exited = new Promise((resolve) => bash.once('exit', resolve))
  t.teardown(async () => {
    process.kill(-(bash.pid as number), 'SIGKILL')
    await exited
  })
  const printed = createInterface(bash.stdout)[Symbol.asyncIterator]()
  return {
    async paste(line) {
      bash.stdin.write(`${line}\necho; echo 'the line has ended'\n`)
      const lines: string[] = []
      for (;;) {
        const { value } = await printed.next()
        if (value === undefined || value === 'the line has ended') return lines.join('\n').trim()
        lines.push(value)
      }
    },
  }
}

test("README - an installer's lines lead from signing up to the handover", { timeout: 120_000 }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'ampshard-readme-'))
  t.teardown(async () => rmSync(folder, { recursive: true, force: true }))
  const service = await startService(t, { flags: ['--shards', '1'] })
  const shell = openShell(t, folder, { AMPSHARD_API_KEY: service.key })
  const lines = readmeLines('For installers')
  const isCurl = (line: string) => /^(?:\(umask 077; )?curl /.test(line)
  t.equal(lines.filter(isCurl).length, expected.length, 'the lines are found')
  for (const line of lines) {
    const here = lineFor(line, service)
    const [, answer] = (isCurl(line) && expected.find(([part]) => line.includes(part))) || []
    // Whoever pastes a question again while the answer is not there yet changes nothing.
    if (answer === undefined || / -d | -X POST /.test(line)) t.match(await shell.paste(here), answer ?? '', line)
    else t.ok(await until(async () => answer.test(await shell.paste(here))), line)
  }
  t.match(JSON.parse(readFileSync(join(folder, 'BOX-0001.json'), 'utf8')), {
    certificate_pem: /^-----BEGIN CERTIFICATE/,
  })
  t.match(readFileSync(join(folder, 'BOX-0001.pdf'), 'latin1'), /^%PDF-/)
})
