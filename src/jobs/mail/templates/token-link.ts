// How a token from a mail is used: behind the `#` of a link to the operator's application, which no server is sent, or in a request to the API.

import { appPage } from './app-page.js'
import type { Part } from './layout.js'

export interface TokenLink {
  readonly label: string
  /** Of the operator's application. */
  readonly page: string
  readonly token: string
  readonly appUrl: string | undefined
  /** What does the same where there is no such application; it needs no credential. */
  readonly path: string
  /** Of its body, beside the token. */
  readonly fields?: Readonly<Record<string, string>>
}

export function howToUse({ label, page, token, appUrl, path, fields }: TokenLink): readonly Part[] {
  if (appUrl !== undefined)
    return [{ type: 'link', label, url: `${appPage(appUrl, page)}#token=${encodeURIComponent(token)}` }]
  return [
    { type: 'paragraph', text: 'Send this request to the API:' },
    { type: 'request', method: 'POST', path, body: { token, ...fields }, open: true },
    { type: 'paragraph', text: 'Or enter this token in your application:' },
    { type: 'code', text: token },
  ]
}
