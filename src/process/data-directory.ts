// The data directory, before its store is opened: that nobody else can change what is in it or uses it, and that the store which belongs
// there is there. It changes the mode of no directory that it has not made.

import { accessSync, chmodSync, constants, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { mailFolder } from '../jobs/mail/settings.js'
import { sandboxFolder } from '../jobs/payments/providers.js'
import { authorityFolder } from '../jobs/pki/authority-files.js'
import { systemClock } from '../runtime/clock.js'
import { makeDirectory } from '../runtime/files.js'
import { createStore, lockFile, requireWholePages, storeFile } from '../runtime/store/lmdb-store.js'
import { lockData } from './data-lock.js'

/** Where a restore prepares a store; one that was interrupted leaves it behind. */
export const restoringFolder = 'restoring'
/** What the folders begin with that keep stores which a restore has replaced. */
export const replacedPrefix = 'replaced-'

const writableByGroup = 0o020
const writableByAll = 0o002
const permissions = 0o777

/**
 * Makes the directory if there is none, and holds it until the process ends. Throws one clear line when others may write into it, or
 * another process holds it; warns where a group of this process may.
 */
export async function claimData(directory: string, warn: (line: string) => void = () => {}): Promise<void> {
  makeDirectory(directory)
  refuseOthers(directory, warn)
  await lockData(directory)
}

/** As `claimData`, for the service: there is a store in it afterwards. Throws one clear line when one was there and is lost
 * or damaged. */
export async function prepareData(directory: string, warn?: (line: string) => void): Promise<void> {
  await claimData(directory, warn)
  requireAccess(directory)
  const names = readdirSync(directory)
  if (!names.includes(storeFile)) {
    requireUnused(directory, names)
    await createStore(directory)
  }
  for (const name of [storeFile, lockFile]) {
    const file = join(directory, name)
    requireAccess(file)
    // Earlier versions left it to the directory to keep others out.
    narrow(file)
  }
  requireWholePages(directory, systemClock)
}

/**
 * Whoever may write into a directory can replace each file in it. A group that this process belongs to may be its user's own (umask 002), or the
 * one that Kubernetes gives the volume at every mount (`fsGroup`): nobody could take the permission away for good.
 */
function refuseOthers(directory: string, warn: (line: string) => void): void {
  if (process.platform === 'win32') return
  const { mode, gid } = statSync(directory)
  const shown = `(mode ${(mode & 0o7777).toString(8)})`
  if ((mode & writableByAll) !== 0)
    throw new Error(
      `all users may write into ${directory} ${shown}: ` +
        `use a directory inside it, such as ${join(directory, 'ampshard')}, or run chmod o-w on it`,
    )
  if ((mode & writableByGroup) === 0) return
  if (!isOwnGroup(gid))
    throw new Error(
      `group ${gid}, which user ${process.getuid?.()} does not belong to, may write into ${directory} ${shown}: run chmod g-w on it`,
    )
  warn(`group ${gid} may write into ${directory} ${shown}: each of its members can replace the store`)
}

function isOwnGroup(gid: number): boolean {
  return gid === process.getegid?.() || (process.getgroups?.() ?? []).includes(gid)
}

/** A lock file that cannot be written to ends the process by a signal; what cannot be read has to be said anyway. */
function requireAccess(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EROFS') throw new Error(`${path} is on a disk that is mounted read-only`, { cause: error })
    const whose = `it belongs to user ${found.uid} (mode ${(found.mode & permissions).toString(8)})`
    throw new Error(`${path} cannot be written to by user ${process.getuid?.()}: ${whose}`, { cause: error })
  }
}

/** A used directory without its store is one that has lost it: a new store in its place would hide that. */
function requireUnused(directory: string, names: readonly string[]): void {
  const ours = [lockFile, mailFolder, sandboxFolder, authorityFolder, restoringFolder]
  const trace = names.find((name) => ours.includes(name) || name.startsWith(replacedPrefix))
  if (trace === undefined) return
  throw new Error(
    `${directory} has been used before (it has ${trace}), but its store ${storeFile} is missing: ` +
      'restore a backup, or empty the directory to begin anew',
  )
}

function narrow(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found !== undefined && found.uid === process.getuid?.() && (found.mode & permissions & ~0o600) !== 0)
    chmodSync(path, 0o600)
}
