// A browser at the console, in tests of the API: it sends what browsers send with requests of a page's own origin, and keeps the cookie.

import type { Answered, TestApi } from './fixture.js'

export const sessionPath = '/api/v1/console/session'
export const mePath = '/api/v1/console/me'
export const ofPage = { 'sec-fetch-site': 'same-origin', 'x-ampshard': 'console' } as const

export type Headers = Readonly<Record<string, string>>

export function cookieIn(answer: Pick<Answered, 'headers'>): string {
  return answer.headers['Set-Cookie']?.split(';')[0] ?? ''
}

export function present(api: TestApi, body: unknown, headers: Headers = ofPage): Promise<Answered> {
  return api.call('POST', sessionPath, body, { headers })
}

/** Resolves with the cookie. */
export async function signInWith(api: TestApi, body: unknown): Promise<string> {
  const answer = await present(api, body)
  if (answer.status !== 201) throw new Error(`nobody was signed in: ${answer.status} ${JSON.stringify(answer.body)}`)
  return cookieIn(answer)
}

export function as(
  api: TestApi,
  cookie: string,
  method = 'GET',
  target = mePath,
  body?: unknown,
  headers: Headers = ofPage,
): Promise<Answered> {
  return api.call(method, target, body, { headers: { cookie, ...headers } })
}
