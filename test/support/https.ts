// fetch, for a service whose certificate is of an authority that only the test knows.

import { request } from 'node:https'

export interface Sent {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export function fetchWithAuthority(url: string, authority: string, { method, headers, body }: Sent): Promise<Response> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers, ca: authority, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () => {
        const status = response.statusCode ?? 0
        const answered = Object.entries(response.headers).map(([name, value]): [string, string] => [
          name,
          String(value),
        ])
        resolve(new Response(status === 204 ? null : Buffer.concat(chunks), { status, headers: answered }))
      })
    })
    asked.once('error', reject)
    asked.end(body)
  })
}
