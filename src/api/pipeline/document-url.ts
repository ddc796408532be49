// The addresses of documents that somebody submits: stored for whoever reviews them, and never fetched.

import type { ErrorDetail } from '../../runtime/errors.js'
import { parseUrl } from '../../runtime/parse-url.js'

/** What is wrong with it; nothing for an https URL that names no user. */
export function documentUrlFaults(text: string, path: string): ErrorDetail[] {
  const url = parseUrl(text)
  if (url?.protocol === 'https:' && url.username === '' && url.password === '') return []
  return [{ path, message: 'must be an https URL without a user name and a password' }]
}
