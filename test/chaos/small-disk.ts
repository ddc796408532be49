// A disk that is small, to be filled and emptied: a tmpfs where the system lets us mount one, else a quota that a
// preloaded library holds the store's data file to.

import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ServicePlace } from './scenario.js'
import { preload } from './shims.js'

export interface SmallDisk {
  readonly kind: 'tmpfs' | 'quota'
  readonly place: ServicePlace & { readonly data: string }
  /** Leaves so many bytes free; the service may take them at any time. Fills in steps, as another program would. */
  leave(bytes: number): Promise<void>
  remove(): void
}

const stepBytes = 262_144
const zeros = Buffer.alloc(stepBytes)

export function smallDisk(directory: string, bytes: number): SmallDisk {
  const root = join(directory, 'disk')
  const data = join(root, 'data')
  mkdirSync(root)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', root], { stdio: 'ignore' })
  } catch {
    mkdirSync(data)
    return quotaDisk(directory, data, bytes)
  }
  mkdirSync(data)
  const ballast = join(root, 'ballast')
  return {
    kind: 'tmpfs',
    place: { data },
    async leave(wanted) {
      const freeBytes = (): number => statfsSync(root).bavail * statfsSync(root).bsize
      if (freeBytes() < wanted) rmSync(ballast, { force: true })
      try {
        while (freeBytes() > wanted) {
          appendFileSync(ballast, zeros.subarray(0, Math.min(stepBytes, freeBytes() - wanted)))
          await delay(1)
        }
      } catch (error) {
        // The service was faster: the disk is as full as it can be.
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
    },
    remove: () => void execFileSync('umount', ['--lazy', root]),
  }
}

function quotaDisk(directory: string, data: string, bytes: number): SmallDisk {
  const quota = join(directory, 'quota')
  const hold = (to: number): void => {
    const words = Buffer.alloc(8)
    words.writeBigUInt64LE(BigInt(to))
    // In place: the library has the file mapped.
    writeFileSync(quota, words, { flag: 'r+' })
  }
  writeFileSync(quota, Buffer.alloc(8))
  hold(bytes)
  const environment = { ...preload('disk', directory), CHAOS_DISK: data, CHAOS_QUOTA: quota }
  return {
    kind: 'quota',
    place: { data, environment },
    leave: async (wanted) => hold(Math.min(bytes, statSync(join(data, 'data.mdb')).size + wanted)),
    remove: () => {},
  }
}
