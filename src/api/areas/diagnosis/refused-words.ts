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

/** Of an id that nobody has registered, which may be none at all: what stands behind the last slash of a wrong address need not be one. */
export function unregisteredWords(reason: string, id: string, endpoint: string, address: string): Words {
  const words = refusedWords(reason, endpoint, false)
  const withoutId = endpoint.slice(0, endpoint.lastIndexOf('/') + 1)
  if (reason === 'no_identity')
    return {
      cause: `A charge point comes from ${address} with an address that ends in ${id}: it lacks the id of the charge point, so that nobody can tell which one it is.`,
      remedy: `Set the address in the charge point to ${withoutId} with the id of the charge point behind it, as in ${withoutId}CP-0001.`,
    }
  if (reason === 'wrong_path')
    return {
      cause: words.cause,
      remedy: `Set the address in the charge point to ${withoutId} with its id behind it. If its id is ${id}, that is ${endpoint}.`,
    }
  return words
}
