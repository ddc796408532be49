// The port that charge points and API clients connect to: one listener of uWebSockets.js, or with two certificates two of them behind
// a splice. Certificates can be read again while it listens; sockets of an earlier listener stay as they are.

import type { TemplatedApp, us_listen_socket } from 'uWebSockets.js'
import { readFileSync } from 'node:fs'
import type { Settings } from '../settings.js'
import type { KeyKind } from './certificate-choice/choose-certificate.js'
import { createSplice, type Splice } from './certificate-choice/splice.js'
import { cipherList } from './ciphers.js'

export interface PublicListenerOptions {
  readonly uws: Pick<
    typeof import('uWebSockets.js'),
    'App' | 'SSLApp' | 'us_listen_socket_close' | 'us_socket_local_port'
  >
  readonly settings: Pick<
    Settings,
    'host' | 'tls_key_file' | 'tls_certificate_file' | 'tls_second_key_file' | 'tls_second_certificate_file'
  >
  /** The file of the authorities that client certificates are verified against, as it is now; without one, none are asked for. */
  readonly clientAuthorities: () => string | undefined
  /** Binds what the service answers to an app. */
  readonly mount: (app: TemplatedApp) => void
  /** Of a private key's file. */
  readonly keyKind: (key: Buffer) => KeyKind
}

export interface PublicListener {
  /** Resolves with the port; 0 takes a free one. Rejects when the address cannot be had. */
  open(port: number): Promise<number>
  /** With the certificates as they are in the files now. */
  reopen(): Promise<void>
  /** No more connections. */
  close(): void
  /** Ends every socket. */
  destroy(): void
  /** The address of a client, by the one that uWebSockets.js sees. */
  remoteAddress(seen: string): string
}

interface Pair {
  readonly key: string
  readonly certificate: string
}

export function createPublicListener(options: PublicListenerOptions): PublicListener {
  const { uws, settings, mount, keyKind } = options
  const listening: us_listen_socket[] = []
  /** Every app that was ever listened with: sockets stay with the one that took them. */
  const apps: TemplatedApp[] = []
  let publicPort = 0

  const first = pairOf(settings.tls_key_file, settings.tls_certificate_file)
  const second = pairOf(settings.tls_second_key_file, settings.tls_second_certificate_file)

  function listen(pair: Pair | undefined, host: string, port: number): number {
    const authority = options.clientAuthorities()
    const app =
      pair === undefined
        ? uws.App()
        : uws.SSLApp({
            key_file_name: pair.key,
            cert_file_name: pair.certificate,
            ssl_ciphers: cipherList,
            ...(authority !== undefined && { ca_file_name: authority }),
          })
    apps.push(app)
    mount(app)
    let found = port
    app.listen(host, port, (socket) => {
      if (socket === false) throw new Error(`cannot listen on ${host}:${port}: is it in use?`)
      found = uws.us_socket_local_port(socket)
      listening.push(socket)
    })
    return found
  }

  function close(sockets: readonly us_listen_socket[]): void {
    for (const socket of sockets) {
      const at = listening.indexOf(socket)
      // Whatever ended the listener meanwhile has closed it.
      if (at === -1) continue
      listening.splice(at, 1)
      uws.us_listen_socket_close(socket)
    }
  }

  function destroy(): void {
    for (const app of apps.splice(0)) app.close()
    listening.length = 0
  }

  if (first === undefined || second === undefined) {
    return {
      async open(port) {
        publicPort = listen(first, settings.host, port)
        // A port that the kernel chose is not shared; the fronts and certificates that come later need it to be.
        if (port === 0) {
          close([...listening])
          listen(first, settings.host, publicPort)
        }
        return publicPort
      },
      async reopen() {
        const before = [...listening]
        listen(first, settings.host, publicPort)
        // Linux resets connections that a closed listener has not taken from its queue, so it looks there once more.
        await nextLook()
        close(before)
      },
      close: () => close([...listening]),
      destroy,
      remoteAddress: (seen) => seen,
    }
  }

  const ports: Record<KeyKind, number> = { rsa: 0, ec: 0 }
  let splice: Splice | undefined

  /** Both, on ports of the loopback that the kernel chooses. */
  function listenInside(): KeyKind {
    const kinds = [first as Pair, second as Pair].map((pair) => {
      const kind = keyKind(readFileSync(pair.key))
      ports[kind] = listen(pair, '127.0.0.1', 0)
      return kind
    })
    return kinds[0] as KeyKind
  }

  return {
    open(port) {
      splice = createSplice({ portOf: (kind) => ports[kind], otherwise: listenInside() })
      return splice.listen(settings.host, port)
    },
    async reopen() {
      const before = [...listening]
      listenInside()
      await splice?.answered()
      close(before)
    },
    close() {
      splice?.close()
      close([...listening])
    },
    destroy() {
      splice?.destroy()
      destroy()
    },
    remoteAddress: (seen) => splice?.remoteAddress(seen) ?? seen,
  }
}

/** Resolves when the loop has looked at every socket of this thread, from first to last, after the call. */
function nextLook(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
}

function pairOf(key: string | undefined, certificate: string | undefined): Pair | undefined {
  return key === undefined || certificate === undefined ? undefined : { key, certificate }
}
