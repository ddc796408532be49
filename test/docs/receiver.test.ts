// The manual's receiver of webhooks, run as it stands there, with both kinds of secrets.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { t, test } from 'tap'
import { startService } from '../support/service.js'
import { until } from '../support/until.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))

function receiverOfManual(port: number): string {
  const [, program] = /^```js\n([\s\S]*?)^```$/m.exec(readFileSync(join(root, 'src/docs/events.md'), 'utf8')) ?? []
  if (program?.includes('.listen(4000)') !== true)
    throw new Error('the manual has no receiver that listens on port 4000')
  return program.replace('.listen(4000)', `.listen(${port}, '127.0.0.1', () => console.log('listening'))`)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

const service = await startService(t, { environment: { AMPSHARD_ALLOW_INSECURE_WEBHOOKS: 'true' } })

for (const [kind, wanted] of [
  ['a secret that the service has made', {}],
  ['a secret of the caller', { secret: 'not-base64:-7%!' }],
] as const)
  test(`manual - its receiver takes signed events and no others, with ${kind}`, async (t) => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/`
    const made = await service.request('POST', '/api/v1/webhooks/endpoints', { url, events: ['*'], ...wanted })
    t.equal(made.status, 201)
    const secret: string = made.body.secret ?? ('secret' in wanted && wanted.secret)
    // Where the packages of this project are found.
    const folder = mkdtempSync(join(root, 'dist', 'receiver-'))
    const file = join(folder, 'receiver.mjs')
    writeFileSync(file, receiverOfManual(port))
    const receiver = spawn(process.execPath, [file], { env: { ...process.env, WEBHOOK_SECRET: secret } })
    t.teardown(() => {
      receiver.kill()
      rmSync(folder, { recursive: true })
    })
    const lines: string[] = []
    createInterface(receiver.stdout).on('line', (line) => lines.push(line))
    await until(() => lines.includes('listening'))

    const tested = await service.request('POST', `/api/v1/webhooks/endpoints/${made.body.id}/test`)
    t.match(tested.body, { status: 'succeeded', response_code: 204 })
    await until(() => lines.some((line) => /^evt_\w{26} webhook\.test /.test(line)))
    const now = Math.floor(Date.now() / 1000)
    const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': String(now), 'webhook-signature': 'v1,AAAA' }
    const forged = await fetch(url, { method: 'POST', headers, body: '{"event":"session.ended","data":{}}' })
    t.equal(forged.status, 401)
  })
