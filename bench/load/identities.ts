// Who the charge points are: numbered ids, or lines of a file with passwords and id tags where those are known.

import type { Identity } from './protocol.js'

export function numberedIdentities(prefix: string, count: number, password: string | undefined): Identity[] {
  return Array.from({ length: count }, (_, number) => ({
    id: `${prefix}${String(number + 1).padStart(6, '0')}`,
    number,
    ...(password === undefined ? {} : { password }),
  }))
}

/** Lines of `id[,password[,id tag]]`; empty ones and those that begin with # are left out. Throws with the line. */
export function readIdentities(text: string, password: string | undefined): Identity[] {
  const seen = new Set<string>()
  const identities: Identity[] = []
  text.split(/\r?\n/).forEach((line, index) => {
    if (line.trim() === '' || line.startsWith('#')) return
    const [id = '', ownPassword, idTag] = line.split(',').map((cell) => cell.trim())
    if (id === '') throw new Error(`line ${index + 1} has no id`)
    if (seen.has(id)) throw new Error(`line ${index + 1} has the id ${id} of an earlier line`)
    if (idTag !== undefined && idTag.length > 20)
      throw new Error(`line ${index + 1} has an id tag of more than 20 characters`)
    seen.add(id)
    const secret = ownPassword || password
    identities.push({
      id,
      number: identities.length,
      ...(secret === undefined ? {} : { password: secret }),
      ...(idTag ? { idTag } : {}),
    })
  })
  if (identities.length === 0) throw new Error('there is no id in the file')
  return identities
}
