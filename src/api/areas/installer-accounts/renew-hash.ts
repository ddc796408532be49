// A password is hashed anew when its owner logs in, where its hash was made with other parameters than those of today: nobody else has it.

import { isOfToday } from '../../../jobs/passwords/parameters.js'
import { installerPasswordsTable } from '../../../records/installer.js'
import { overloaded } from '../../../runtime/errors.js'
import { commitDraft } from '../../pipeline/commit-draft.js'
import type { Services } from '../../pipeline/services.js'
import { hashOf } from './passwords.js'

export interface KnownPassword {
  readonly installer_id: string
  readonly password: string
  /** With which it was right. */
  readonly hash: string
  readonly remoteAddress: string
}

/** Never rejects: what cannot be renewed now is renewed by the next login. */
export async function renewHash(known: KnownPassword, services: Services): Promise<void> {
  const { installer_id, password, hash, remoteAddress } = known
  if (isOfToday(hash)) return
  try {
    const renewed = await hashOf(password, remoteAddress, services)
    await commitDraft(
      {
        attempts: 1,
        decide(draft) {
          // Of a password that was changed meanwhile, it is not the hash.
          if (draft.get(installerPasswordsTable, [installer_id])?.hash !== hash) return
          draft.put(installerPasswordsTable, { installer_id, hash: renewed })
        },
        otherwise: () => overloaded('the password was changed at the same time', { retryAfterSeconds: 1 }),
      },
      services,
    )
  } catch (error) {
    services.log.warn({ err: error, installer_id }, 'the hash of a password could not be renewed')
  }
}
