// What is said of a connection that was refused: the cause, and what whoever asks can do about it.

import { isRefusalReason, type ReasonWords, refusalReasons } from '../../../edge/refusal-reasons.js'

export interface Words {
  readonly cause: string
  readonly remedy: string
}

export function refusedWords(reason: string, endpoint: string, isInstaller: boolean): Words {
  if (!isRefusalReason(reason)) return { cause: `The connection was refused (${reason}).`, remedy: 'See the manual.' }
  const { cause, remedy, installerRemedy = remedy } = refusalReasons[reason] as ReasonWords
  if (reason === 'wrong_path') return { cause, remedy: `Set the address in the charge point to ${endpoint}.` }
  return { cause, remedy: isInstaller ? installerRemedy : remedy }
}

/**
 * Of an id that nobody has registered, which may be none at all: what stands behind the last slash of a wrong address need not be one. `base`: what an
 * id is put behind.
 */
export function unregisteredWords(reason: string, id: string, base: string, remoteAddress: string): Words {
  if (reason === 'no_identity')
    return {
      cause: `A charge point at ${remoteAddress} connects to an address that ends in ${id}: it lacks the id of the charge point, so that nobody can tell which one it is.`,
      remedy: `Set the address in the charge point to ${base} with its id behind the last slash, as in ${base}CP-0001.`,
    }
  const words = refusedWords(reason, `${base}${id}`, false)
  if (reason !== 'wrong_path') return words
  return {
    cause: words.cause,
    remedy: `Set the address in the charge point to ${base} with its id behind the last slash. If its id is ${id}, that is ${base}${id}.`,
  }
}
