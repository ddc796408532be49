// Packages that bring machine code: the very bytes that were chosen, at exact versions.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import { uWebSocketsBinaries } from './uwebsockets-binaries.js'

const root = new URL('../../../', import.meta.url)
const binaries = new URL('node_modules/uWebSockets.js/dist/bin/', root)
const read = (path: string): Buffer => readFileSync(fileURLToPath(new URL(path, root)))

interface Package {
  readonly version?: string
  readonly name?: string
  readonly integrity?: string
  readonly resolved?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const lock = JSON.parse(read('package-lock.json').toString()) as {
  readonly packages: Readonly<Record<string, Package>>
}
const declared = JSON.parse(read('package.json').toString()) as {
  readonly dependencies: Readonly<Record<string, string>>
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

test('packages - every binary of uWebSockets.js is the one that was chosen', (t) => {
  for (const file of readdirSync(binaries).filter((name) => name.endsWith('.node'))) {
    t.equal(sha256(readFileSync(new URL(file, binaries))), uWebSocketsBinaries[file], file)
  }
  t.end()
})

test('packages - the binary that this process loads is pinned', (t) => {
  const { platform, arch, versions } = process
  const file = `uws_${platform}_${arch}_${versions.modules}.node`
  t.match(uWebSocketsBinaries[file], /^[0-9a-f]{64}$/, file)
  t.equal(sha256(readFileSync(new URL(file, binaries))), uWebSocketsBinaries[file])
  t.end()
})

test('packages - native packages are declared and locked at one exact version', (t) => {
  t.match(declared.dependencies['uWebSockets.js'], /^npm:uws-pack@\d+\.\d+\.\d+$/)
  t.match(declared.dependencies.lmdb, /^\d+\.\d+\.\d+$/)
  const lmdb = lock.packages['node_modules/lmdb'] ?? {}
  t.equal(lmdb.version, declared.dependencies.lmdb)
  t.match(lmdb.integrity, /^sha512-/)
  const { name, version, integrity } = lock.packages['node_modules/uWebSockets.js'] ?? {}
  t.equal(`npm:${name}@${version}`, declared.dependencies['uWebSockets.js'])
  t.match(integrity, /^sha512-/)
  const prebuilt = Object.entries(lmdb.optionalDependencies ?? {})
  t.ok(prebuilt.length > 0, 'lmdb brings prebuilt binaries')
  for (const [dependency, wanted] of prebuilt) {
    t.equal(wanted, lmdb.version, `${dependency} is pinned by lmdb itself`)
    t.equal(lock.packages[`node_modules/${dependency}`]?.version, wanted, `${dependency} is locked`)
  }
  t.end()
})
