// Takes charge points out again through the REST API, as an operator would: sessions that still run are closed first.

export interface RemovalOptions {
  /** http://host:port */
  readonly url: string
  readonly key: string
  readonly ids: readonly string[]
  readonly concurrency?: number
}

export interface Removal {
  readonly removed: number
  readonly closedSessions: number
}

/** Rejects when the server refuses: a key without `write:sessions`, or a session that cannot be closed. */
export async function removeChargePoints({ url, key, ids, concurrency = 8 }: RemovalOptions): Promise<Removal> {
  let next = 0
  let removed = 0
  let closedSessions = 0

  async function call(method: string, path: string): Promise<{ readonly status: number; readonly body: string }> {
    const response = await fetch(`${url}/api/v1${path}`, { method, headers: { authorization: `Bearer ${key}` } })
    const body = await response.text()
    if (response.ok || response.status === 404 || response.status === 409) return { status: response.status, body }
    throw new Error(`the server answered ${response.status} to ${method} ${path}: ${body.slice(0, 300)}`)
  }

  async function closeSessions(id: string): Promise<void> {
    const { body } = await call('GET', `/sessions?charge_point_id=${id}&status=active&per_page=100`)
    for (const { session_id } of (JSON.parse(body) as { sessions: { session_id: string }[] }).sessions) {
      const { status } = await call('POST', `/sessions/${session_id}/close`)
      if (status === 200) closedSessions++
    }
  }

  async function remove(id: string): Promise<void> {
    if ((await call('DELETE', `/chargepoints/${id}`)).status === 409) {
      await closeSessions(id)
      const { status, body } = await call('DELETE', `/chargepoints/${id}`)
      if (status === 409) throw new Error(`${id} cannot be removed: ${body.slice(0, 300)}`)
    }
    removed++
  }

  async function worker(): Promise<void> {
    while (next < ids.length) await remove(ids[next++] as string)
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return { removed, closedSessions }
}
