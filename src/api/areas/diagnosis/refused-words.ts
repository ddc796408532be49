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
