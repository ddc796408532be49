// How many streams of server-sent events a front has open, of whatever they tell: in all, of one organization, and of one key.

import { overloaded } from '../../../runtime/errors.js'
import { tooManyStreams } from './errors.js'
import { limits } from './limits.js'

export interface StreamRoom {
  /** Throws `too_many_streams` or `overloaded` where there is no room for one more. */
  demand(organizationId: string, callerId: string): void
  /** Takes room, until what it returns is called. */
  take(organizationId: string, callerId: string): () => void
  readonly open: number
}

export function createStreamRoom(): StreamRoom {
  /** By organization and key. */
  const taken = new Map<string, Map<string, number>>()
  let open = 0

  function add(organizationId: string, callerId: string, count: 1 | -1): void {
    open += count
    const keys = taken.get(organizationId) ?? new Map<string, number>()
    taken.set(organizationId, keys)
    const next = (keys.get(callerId) ?? 0) + count
    if (next > 0) keys.set(callerId, next)
    else keys.delete(callerId)
    if (keys.size === 0) taken.delete(organizationId)
  }

  return {
    demand(organizationId, callerId) {
      if (open >= limits.eventStreams) throw overloaded('too many event streams are open; try again later')
      const keys = taken.get(organizationId)
      const own = [...(keys?.values() ?? [])].reduce((sum, count) => sum + count, 0)
      if (own >= limits.eventStreamsPerOrganization)
        throw tooManyStreams(`the organization has ${own} event streams open already`)
      const ofKey = keys?.get(callerId) ?? 0
      if (ofKey >= limits.eventStreamsPerKey)
        throw tooManyStreams(`this key or member has ${ofKey} event streams open already`)
    },
    take(organizationId, callerId) {
      add(organizationId, callerId, 1)
      let isOver = false
      return () => {
        if (!isOver) add(organizationId, callerId, -1)
        isOver = true
      }
    },
    get open() {
      return open
    },
  }
}
