// How the listener serves the console: its page, its files and their compressed forms, its headers, and the two settings.

import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { t, test } from 'tap'
import { startService } from '../support/service.js'

const service = await startService(t)

interface Got {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** As a browser on `host` asks; `fetch` sets headers of its own. */
function get(
  path: string,
  headers: Readonly<Record<string, string>> = {},
  { port = service.port, method = 'GET' } = {},
): Promise<Got> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers as Record<string, string>,
          body: Buffer.concat(parts),
        }),
      )
    })
    asked.on('error', reject)
    asked.end()
  })
}

const scriptIn = (page: string): string => /src="(\/console\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? 'none'

test('console - its page is served at every path of it, and never kept', async (t) => {
  const page = await get('/console')
  t.equal(page.status, 200)
  t.match(page.headers, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
  t.match(page.body.toString(), /<div id="app"><\/div>/)
  for (const path of [
    '/console/',
    '/console/sessions/ses_1',
    '/console/charge-points/A%2FB',
    '/console/%00',
    '/console/..%2f..%2fpackage.json',
  ])
    t.ok((await get(path)).body.equals(page.body), path)
  const head = await get('/console', {}, { method: 'HEAD' })
  t.match(head, { status: 200, headers: { 'content-length': String(page.body.length) } })
  t.equal(head.body.length, 0)
})

test('console - nothing in it becomes code, is read as something else, is framed or tells where it was', async (t) => {
  const page = await get('/console')
  for (const path of ['/console', scriptIn(page.body.toString()), '/console/assets/none.js', '/console/icon.svg']) {
    const { headers } = await get(path)
    t.match(headers, {
      'content-security-policy': /^default-src 'none'; script-src 'self'; .*; require-trusted-types-for 'script'$/,
      'cross-origin-opener-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    t.notMatch(headers['content-security-policy'], /unsafe|\*|https?:/)
  }
})

test('console - files are sent in the smallest form that is taken, and may be kept for ever', async (t) => {
  const script = scriptIn((await get('/console')).body.toString())
  const plain = await get(script)
  t.match(plain.headers, {
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'Accept-Encoding',
  })
  t.notOk(plain.headers['content-encoding'])
  const brotli = await get(script, { 'accept-encoding': 'gzip, deflate, br' })
  t.equal(brotli.headers['content-encoding'], 'br')
  t.ok(brotliDecompressSync(brotli.body).equals(plain.body))
  const zipped = await get(script, { 'accept-encoding': 'gzip, br;q=0' })
  t.equal(zipped.headers['content-encoding'], 'gzip')
  t.ok(gunzipSync(zipped.body).equals(plain.body))
  t.notOk((await get(script, { 'accept-encoding': 'identity' })).headers['content-encoding'])
})

test('console - an unknown file is not there, and what is not a read is refused', async (t) => {
  t.match(await get('/console/assets/none.js'), { status: 404, headers: { 'cache-control': 'no-store' } })
  for (const path of ['/console/assets/..%2fmanifest.json', '/console/assets/__proto__', '/console/assets/'])
    t.equal((await get(path)).status, 404, path)
  t.match(await get('/console', {}, { method: 'POST' }), { status: 405, headers: { allow: 'GET, HEAD' } })
  t.equal((await get('/consoles')).status, 404)
})

test('console - the licences of what it is made of are with it', async (t) => {
  const notices = (await get('/console/NOTICES.txt')).body.toString()
  for (const name of ['preact', '@preact/signals', 'wouter-preact', 'lucide-static', '@fontsource-variable/inter'])
    t.match(notices, new RegExp(`^${name} \\d`, 'm'))
  t.match(notices, /SIL OPEN FONT LICENSE/i)
})

test('console - `/` sends people to it, and others to the reference', async (t) => {
  const person = await get('/', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
  t.match(person, { status: 302, headers: { location: '/console', vary: 'Accept' } })
  for (const headers of [{ accept: '*/*' }, {}]) {
    const { status, body } = await get('/', headers)
    t.equal(status, 200)
    t.match(body.toString(), /\/docs/)
  }
})

test('console - over plain http from elsewhere, it says what to do instead of asking for a key', async (t) => {
  for (const host of ['csms.example.com', '192.0.2.7:8080', '127.0.0.1.example.com', 'localhost.example.com']) {
    const { status, body } = await get('/console', { host })
    t.equal(status, 403, host)
    t.match(body.toString(), /--console-insecure/)
    t.notMatch(body.toString(), /<script/)
  }
  for (const host of ['localhost', 'localhost:8080', '127.0.0.1:1', '127.3.2.1', '[::1]:8080'])
    t.equal((await get('/console', { host })).status, 200, host)
  // A browser sends this to what it holds to be safe, and to nothing else; a proxy says what it has taken in.
  t.equal((await get('/console', { host: 'csms.example.com', 'sec-fetch-site': 'none' })).status, 200)
  t.equal((await get('/console', { host: 'csms.example.com', 'x-forwarded-proto': 'https' })).status, 200)
  t.equal((await get('/console', { host: 'csms.example.com', forwarded: 'for=192.0.2.1;proto=https' })).status, 200)
  t.equal((await get('/console', { host: 'csms.example.com', 'x-forwarded-proto': 'https, http' })).status, 403)
})

test('console - it can be switched off, and be shown over plain http in a laboratory', async (t) => {
  const off = await startService(t, { flags: ['--console', 'false'] })
  t.equal((await get('/console', {}, { port: off.port })).status, 404)
  t.match(await get('/', { accept: 'text/html' }, { port: off.port }), { status: 302, headers: { location: '/docs' } })
  await off.stop()
  const laboratory = await startService(t, { flags: ['--console-insecure'] })
  t.equal((await get('/console', { host: '192.0.2.7:8080' }, { port: laboratory.port })).status, 200)
})

test('console - the manifest names every file with what it weighs', (t) => {
  const { files } = JSON.parse(readFileSync('dist/assets/console/manifest.json', 'utf8')) as {
    readonly files: Readonly<Record<string, { readonly bytes: number; readonly sha384: string }>>
  }
  t.ok(Object.keys(files).length > 5)
  for (const [name, { bytes }] of Object.entries(files))
    t.equal(readFileSync(`dist/assets/console/${name}`).length, bytes, name)
  t.end()
})
