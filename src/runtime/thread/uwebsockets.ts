// uWebSockets.js as it fits this Node.js and this system: which build, whether it is the very one that was chosen, and in
// one line what to do where none fits. Nothing else loads it; its types come from the package.

import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { assetPath } from '../assets.js'
import { processReport } from '../process-report.js'
import { type BuildPackage, buildPackages, nodeReleases } from './uwebsockets-builds.js'

/** What decides which build can be loaded. */
export interface Host {
  readonly platform: string
  readonly architecture: string
  /** NODE_MODULE_VERSION. */
  readonly abi: string
  /** Of a Linux with glibc; undefined elsewhere. */
  readonly glibc: string | undefined
}

export interface ChosenBuild {
  readonly package: BuildPackage
  readonly name: string
}

const require = createRequire(import.meta.url)

function atLeast(version: string, wanted: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [wantedMajor = 0, wantedMinor = 0] = wanted.split('.').map(Number)
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)
}

function buildsFor({ platform, architecture, abi }: Host): ChosenBuild[] {
  const name = `uws_${platform}_${architecture}_${abi}`
  return buildPackages.filter(({ sha256 }) => name in sha256).map((one) => ({ package: one, name }))
}

function loads(host: Host, build: ChosenBuild): boolean {
  return host.platform !== 'linux' || (host.glibc !== undefined && atLeast(host.glibc, build.package.glibc))
}

function alternatives(host: Host): string {
  const fitting = Object.entries(nodeReleases).filter(([abi]) => {
    const other = { ...host, abi }
    return buildsFor(other).some((build) => loads(other, build))
  })
  return fitting.map(([, release]) => release).join(' or ')
}

/** The build for a host. Throws one line that says what to use instead where there is none. */
export function chooseBuild(host: Host, nodeVersion: string): ChosenBuild {
  const builds = buildsFor(host)
  const chosen = builds.find((build) => loads(host, build))
  if (chosen !== undefined) return chosen
  if (host.platform === 'linux' && host.glibc === undefined)
    throw new Error('uWebSockets.js needs glibc, which this system lacks: use a Linux with glibc, such as Debian')
  const others = alternatives(host)
  if (others === '')
    throw new Error(
      `there is no build of uWebSockets.js for ${host.platform} on ${host.architecture}: use Linux, macOS or Windows on x64 or arm64`,
    )
  const [build] = builds
  throw new Error(
    build === undefined
      ? `there is no build of uWebSockets.js for Node.js ${nodeVersion}: use Node.js ${others}`
      : `the build of uWebSockets.js for Node.js ${nodeVersion} needs glibc ${build.package.glibc}, and this system has ${host.glibc}: use Node.js ${others}`,
  )
}

function thisHost(): Host {
  const { platform, arch, versions } = process
  return { platform, architecture: arch, abi: versions.modules, glibc: processReport().glibc }
}

function fileOf({ name }: ChosenBuild): string {
  return assetPath(`uwebsockets/${name}.node`)
}

/** Throws one line when this Node.js cannot load uWebSockets.js, or when the build is not the one that was chosen. */
export function checkUWebSockets(): void {
  const chosen = chooseBuild(thisHost(), process.versions.node)
  const file = fileOf(chosen)
  if (!existsSync(file))
    throw new Error(
      `${file} is missing: this copy of ampshard was packed for another system than ${process.platform} on ${process.arch}`,
    )
  const hash = createHash('sha256').update(readFileSync(file)).digest('hex')
  if (hash !== chosen.package.sha256[chosen.name])
    throw new Error(
      `${file} is not the build of uWebSockets.js that was chosen: install ampshard again, or in a checkout run npm ci and npm run build`,
    )
}

interface Undocumented {
  /** Takes the name of a switch of the calling thread; one that it does not know changes nothing. */
  readonly _cfg?: (name: string) => void
}

/** The library, in this thread, whose answers do not name it: else each has a header with its version. */
export function loadUWebSockets(): typeof import('uWebSockets.js') {
  const loaded: typeof import('uWebSockets.js') & Undocumented = require(
    fileOf(chooseBuild(thisHost(), process.versions.node)),
  )
  loaded._cfg?.('silent')
  return loaded
}
