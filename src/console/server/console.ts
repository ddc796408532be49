// What the listener serves of the console: its page at every path of it, its files by their names, and the way there from `/`.
// It knows no route of the API and reads no store: who signs in, and what they see, is asked of the API by the page.

import type { ApiResponse, RequestHead } from '../../api/pipeline/message.js'
import { type ConsoleFiles, createConsoleFiles } from './console-files.js'
import { isSecureEnough } from './secure-enough.js'

export interface Console {
  /** The answer to a request for the console; undefined for all others. */
  answer(request: Pick<RequestHead, 'method' | 'path' | 'headers'>): ApiResponse | undefined
}

export interface ConsoleOptions {
  /** Whether the listener speaks TLS. */
  readonly tls: boolean
  /** Whether the console is shown where what is sent can be read on its way. */
  readonly insecure: boolean
  readonly files?: ConsoleFiles
}

const root = '/console'

/** Everything comes from this origin; nothing in the page becomes code, and nobody shows the page inside of another. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

const always: Readonly<Record<string, string>> = {
  'Content-Security-Policy': contentSecurityPolicy,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
}

const forever = 'public, max-age=31536000, immutable'
const html = 'text/html; charset=utf-8'
const plain = 'text/plain; charset=utf-8'

const plainHttp = `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="UTF-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>ampshard console</title>
  </head>
  <body>
    <h1>The console needs a connection that nobody can read</h1>
    <p>You have opened it over plain http, and this address is not that of your own machine. Whoever is on the way could read what you sign in with.</p>
    <ul>
      <li>Open it under https, if the service or a proxy in front of it has a certificate (<code>--tls-certificate-file</code> and <code>--tls-key-file</code>).</li>
      <li>Or open it at http://127.0.0.1 on the machine of the service. From elsewhere, <code>ssh -L 8080:127.0.0.1:8080 HOST</code> brings it to your own machine.</li>
      <li>In a laboratory, start the service with <code>--console-insecure</code>.</li>
    </ul>
  </body>
</html>
`

function respond(status: number, body: string | Uint8Array, headers: Readonly<Record<string, string>>): ApiResponse {
  return { status, body, headers: { ...always, ...headers } }
}

export function createConsole({ tls, insecure, files = createConsoleFiles() }: ConsoleOptions): Console {
  /** `immutable` for what has its content in its name. */
  function file(name: string, accepted: string | undefined, immutable: boolean): ApiResponse | undefined {
    const found = files.read(name, accepted)
    if (found === undefined) return undefined
    return respond(200, found.body, {
      'Content-Type': found.type,
      'Cache-Control': immutable ? forever : 'no-store',
      Vary: 'Accept-Encoding',
      ...(found.encoding !== undefined && { 'Content-Encoding': found.encoding }),
    })
  }

  return {
    answer({ method, path, headers }) {
      if (path === '/') return method === 'GET' || method === 'HEAD' ? start(headers) : undefined
      if (path !== root && !path.startsWith(`${root}/`)) return undefined
      if (method !== 'GET' && method !== 'HEAD')
        return respond(405, 'The console is only read.\n', { 'Content-Type': plain, Allow: 'GET, HEAD' })
      const name = path.slice(root.length + 1)
      const accepted = headers['accept-encoding']
      if (name.startsWith('assets/'))
        return (
          file(name, accepted, true) ??
          respond(404, 'The console has no such file.\n', { 'Content-Type': plain, 'Cache-Control': 'no-store' })
        )
      if (!insecure && !isSecureEnough({ headers }, tls))
        return respond(403, plainHttp, { 'Content-Type': html, 'Cache-Control': 'no-store' })
      return (
        (name === '' ? undefined : file(name, accepted, false)) ??
        file('index.html', accepted, false) ??
        respond(404, 'This build has no console.\n', { 'Content-Type': plain, 'Cache-Control': 'no-store' })
      )
    },
  }
}

/** People come to the console; what reads no pages is sent to the reference, as ever. */
function start(headers: RequestHead['headers']): ApiResponse | undefined {
  if (!/\btext\/html\b/i.test(headers.accept ?? '')) return undefined
  return respond(302, '', { Location: root, Vary: 'Accept', 'Cache-Control': 'no-store' })
}
