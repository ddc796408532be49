// The built test files, and the suites that `npm run test:full` adds. Every other file is part of the gate (`npm test`).
// Continuous integration runs a file of these suites if the change can affect it, and otherwise at one commit out of six.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

interface Suite {
  /** Names of test files, or of folders, which end with a slash. */
  readonly files: readonly string[]
  readonly reason: string
  /** Paths that a change affects the suite through although no file of the suite imports them. Its tests start the built program. */
  readonly covers: readonly string[]
  /** The gate runs a part of these files (`sample.ts`). */
  readonly isPartlyInGate?: true
}

export const fullSuites: readonly Suite[] = [
  {
    files: ['fuzz/'],
    reason: 'hostile input, hundreds of thousands of times, for a built service',
    covers: ['src/edge/', 'src/ocpp16/', 'src/api/'],
  },
  {
    files: ['chaos/'],
    reason: 'process, disk and clock faults under load',
    covers: ['src/runtime/', 'src/process/', 'src/edge/', 'src/records/', 'src/actors/'],
  },
  {
    files: [
      'backup/authority',
      'backup/damaged',
      'backup/programs',
      'service/firmware-kills',
      'service/installers-day',
      'service/invoices',
      'service/ocpi-sealed-tokens',
      'service/ocpi-authorization-kills',
      'service/ocpi-day-kills',
      'service/webhook-kills',
      'backup/under-load',
    ],
    reason:
      'a process or disk fault, like chaos: the test kills a built service at random moments, or copies it and damages the copy',
    covers: [
      'src/actors/',
      'src/api/',
      'src/backup',
      'src/jobs/',
      'src/ocpi/',
      'src/process/',
      'src/records/',
      'src/restore.ts',
      'src/runtime/',
    ],
  },
  {
    files: ['packages/'],
    reason: 'packs and installs the program',
    covers: ['package.json', 'package-lock.json', 'tools/', 'src/main.ts', 'src/process/', 'src/runtime/assets.ts'],
  },
  {
    files: ['bench/'],
    reason: 'the load tool and the programs of the bench, each against a built service',
    covers: ['bench/', 'src/edge/', 'src/emsp/', 'src/process/'],
  },
  {
    files: [
      'docs/adding/',
      'docs/installer-lines',
      'docs/partner-lines',
      'docs/power-lines',
      'docs/receiver',
      'docs/typed-client',
    ],
    reason: 'runs the examples of the documents as programs',
    covers: ['README.md', 'CONTRIBUTING.md', 'src/docs/', 'src/api/', 'src/power/', 'src/ocpi/', 'bench/'],
  },
  {
    files: ['simulation/'],
    reason: 'simulated worlds, whose threads run the service',
    covers: [
      'src/actors/',
      'src/api/',
      'src/jobs/',
      'src/ocpi/',
      'src/power/',
      'src/pricing/',
      'src/process/',
      'src/records/',
      'src/runtime/',
    ],
  },
  {
    files: ['upgrade/version-1', 'actors/billing/big-month', 'actors/ocpi-partner/outages', 'tenancy/secrets'],
    reason: 'one test over a whole store, over weeks, or over every route',
    covers: ['src/actors/', 'src/api/', 'src/jobs/', 'src/ocpi/', 'src/process/', 'src/records/', 'src/runtime/'],
  },
  {
    files: ['runner/judge'],
    reason: 'the runner itself, run many times',
    covers: ['test/runner/', 'test/run.ts', 'test/run-together.ts'],
  },
  {
    files: [
      'actors/charge-point/loaded-anew',
      'actors/site/odd-times',
      'service/commissioning',
      'service/event-streams',
      'service/fronts',
      'service/invitations',
      'service/ocpi-day',
      'service/ocpi-handshake',
      'service/ocpi-push',
      'service/security-upgrade',
      'service/sign-certificate',
      'service/simulate-rules',
    ],
    reason: 'tests that kill the process, wait for a thread that hangs, or repeat a test with other values',
    covers: [
      'src/actors/',
      'src/api/',
      'src/edge/',
      'src/jobs/',
      'src/ocpi/',
      'src/process/',
      'src/records/',
      'src/runtime/',
    ],
    isPartlyInGate: true,
  },
  {
    files: ['tenancy/isolation'],
    reason: 'every route that takes an identifier, for both directions between two organizations',
    covers: ['src/api/', 'src/ocpi/', 'src/records/'],
    isPartlyInGate: true,
  },
  {
    files: ['console/conformance', 'console/every-page', 'console/fleet', 'console/health', 'console/keyboard'],
    reason: 'every page in each theme and width, and journeys with hundreds of charge points',
    covers: ['src/console/', 'src/api/areas/'],
    isPartlyInGate: true,
  },
]

/** `dist/test/api/paging.test.js` is `api/paging`. */
export const nameOf = (file: string): string => file.replace(/^dist\/test\/|\.test\.js$/g, '')

export function isOf({ files }: Suite, file: string): boolean {
  const name = nameOf(file)
  return files.some((one) => (one.endsWith('/') ? name.startsWith(one) : name === one))
}

/** The suite of the file; undefined for a file that only the gate runs. */
export const fullSuiteOf = (file: string): Suite | undefined => fullSuites.find((suite) => isOf(suite, file))

/** The gate does not run the file. */
export function isFullOnly(file: string): boolean {
  const suite = fullSuiteOf(file)
  return suite !== undefined && suite.isPartlyInGate !== true
}

/** All test files that are built, as paths from the root. */
export function builtTests(): string[] {
  const folder = fileURLToPath(new URL('..', import.meta.url))
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.js'))
  return files.sort().map((file) => join('dist/test', file))
}
