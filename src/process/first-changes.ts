// What a start writes before any other thread does: what an empty store begins with, and secrets that an earlier version has left readable.

import type { MessagePort } from 'node:worker_threads'
import { sealingChanges } from '../api/areas/ocpi-partners/seal-tokens.js'
import { bootstrapChanges, isKnownKey } from '../api/areas/organizations/bootstrap.js'
import { makeId } from '../runtime/ids.js'
import { handOver, type Remote } from '../runtime/link/control.js'
import { connectStore } from '../runtime/link/store-client.js'
import type { Sealer } from '../runtime/sealing.js'
import { type Change, type Condition, type ReadView, unowned } from '../runtime/store/store.js'
import type { Settings } from '../settings.js'
import type { Outside } from './outside.js'
import type { StoreControl } from './threads.js'

interface FirstOutside extends Pick<Outside, 'clock' | 'random' | 'log'> {
  randomBytes(length: number): Buffer
  readonly sealer: Pick<Sealer, 'seal'>
  createChannel(): { readonly port1: MessagePort; readonly port2: MessagePort }
  openView(): ReadView
}

interface FirstChanges {
  readonly changes: readonly Change[]
  readonly conditions?: readonly Condition[]
}

/** Returns the key to show, if one was made now. */
export async function makeFirstChanges(
  settings: Settings,
  store: Remote<StoreControl>,
  outside: FirstOutside,
): Promise<string | undefined> {
  const view = outside.openView()

  /** The view shows it afterwards. */
  async function commit({ changes, conditions }: FirstChanges): Promise<void> {
    const { port1, port2 } = outside.createChannel()
    await store.connect(handOver(port1))
    const client = connectStore(port2, view)
    const committed = client.commit(unowned(changes, conditions))
    client.flush()
    const result = await committed
    port2.close()
    if (!result.ok) throw new Error(`the store at ${settings.data} cannot be written: ${result.reason}`)
  }

  const keyToShow = await bootstrap(settings, view, outside, commit)
  for (;;) {
    const changes = sealingChanges(view, outside.sealer)
    if (changes.length === 0) return keyToShow
    await commit({ changes })
  }
}

/** Gives an empty store its first organization and key. */
async function bootstrap(
  settings: Settings,
  view: ReadView,
  { clock, log, random, randomBytes }: FirstOutside,
  commit: (made: FirstChanges) => Promise<void>,
): Promise<string | undefined> {
  const now = clock.now()
  const made = bootstrapChanges(
    view,
    now,
    (prefix) => makeId(prefix, now, random),
    randomBytes,
    settings.bootstrap_api_key,
    { name: settings.organization_name, country: settings.organization_country },
  )
  if (made === undefined) {
    const given = settings.bootstrap_api_key
    if (given !== undefined && !isKnownKey(view, given))
      log.warn(
        'the bootstrap API key was ignored: it is the first key of an empty store, and no key of this one; if all keys are lost, stop the service and run ampshard recover-key',
      )
    return undefined
  }
  await commit(made)
  return made.keyToShow
}
