// Packages that bring machine code: the very bytes that were chosen, at exact versions.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import { type BuildPackage, buildPackages } from '../../src/runtime/thread/uwebsockets-builds.js'

const root = new URL('../../../', import.meta.url)
const read = (path: string): Buffer => readFileSync(fileURLToPath(new URL(path, root)))

interface Package {
  readonly version?: string
  readonly name?: string
  readonly integrity?: string
  readonly dev?: boolean
  readonly hasInstallScript?: boolean
  readonly engines?: Readonly<Record<string, string>>
  readonly resolved?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const lock = JSON.parse(read('package-lock.json').toString()) as {
  readonly packages: Readonly<Record<string, Package>>
}
const declared = JSON.parse(read('package.json').toString()) as {
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly scarfSettings: { readonly enabled: boolean }
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

const fileOf = ({ name, folder }: BuildPackage, build: string): string =>
  fileURLToPath(new URL(`node_modules/${name}/${folder}${build}.node`, root))

const builds = buildPackages.flatMap((one) =>
  Object.entries(one.sha256).map(([name, hash]) => ({
    hash,
    file: fileOf(one, name),
  })),
)

test('packages - of an installation, two have install scripts, which it does without; none of a checkout reports it', (t) => {
  const scripted = Object.entries(lock.packages).filter(([, { hasInstallScript, dev }]) => hasInstallScript && !dev)
  t.same(
    scripted.map(([path]) => path),
    ['node_modules/lmdb', 'node_modules/msgpackr-extract'],
  )
  t.equal(declared.scarfSettings.enabled, false)
  t.end()
})

test('packages - every build of uWebSockets.js that may be loaded is the one that was chosen', (t) => {
  t.equal(builds.length, 12 + 10)
  t.equal(new Set(builds.map(({ file }) => basename(file))).size, builds.length, 'no build is in two packages')
  for (const { file, hash } of builds) t.equal(sha256(readFileSync(file)), hash, file)
  t.end()
})

// The start asks for it, and is not told whether it was heard.
test('packages - every build of uWebSockets.js has the switch that keeps its name out of answers', (t) => {
  for (const { file } of builds) t.ok(readFileSync(file).includes('_cfg'), file)
  t.end()
})

test('packages - builds for Linux ask for no newer glibc than is said of them', (t) => {
  for (const one of buildPackages)
    for (const name of Object.keys(one.sha256).filter((build) => build.startsWith('uws_linux_'))) {
      const file = fileOf(one, name)
      const minors = [
        ...readFileSync(file)
          .toString('latin1')
          .matchAll(/GLIBC_2\.(\d+)/g),
      ].map((match) => Number(match[1]))
      t.ok(minors.length > 0 && Math.max(...minors) <= Number(one.glibc.split('.')[1]), file)
    }
  t.end()
})

// The package names Node.js 22 as its engine and brings builds for 20 too: the lock does not repeat it, or each npm ci would warn.
test('packages - the lock asks for no Node.js on behalf of uWebSockets.js', (t) => {
  for (const { name } of buildPackages) t.equal(lock.packages[`node_modules/${name}`]?.engines, undefined, name)
  t.end()
})

test('packages - native packages are declared and locked at one exact version', (t) => {
  t.match(declared.dependencies.lmdb, /^\d+\.\d+\.\d+$/)
  const lmdb = lock.packages['node_modules/lmdb'] ?? {}
  t.equal(lmdb.version, declared.dependencies.lmdb)
  t.match(lmdb.integrity, /^sha512-/)
  for (const { name: alias } of buildPackages) {
    const { name, version, integrity } = lock.packages[`node_modules/${alias}`] ?? {}
    t.match(version, /^\d+\.\d+\.\d+$/)
    t.equal(`npm:${name}@${version}`, declared.devDependencies[alias])
    t.match(integrity, /^sha512-/)
  }
  const prebuilt = Object.entries(lmdb.optionalDependencies ?? {})
  t.ok(prebuilt.length > 0, 'lmdb brings prebuilt binaries')
  for (const [dependency, wanted] of prebuilt) {
    t.equal(wanted, lmdb.version, `${dependency} is pinned by lmdb itself`)
    t.equal(lock.packages[`node_modules/${dependency}`]?.version, wanted, `${dependency} is locked`)
  }
  t.end()
})
