// How invitations of every kind are accepted.

import { appPage } from './app-page.js'
import { type Part, timeText } from './layout.js'

export interface InvitationText {
  readonly organizationName: string
  readonly token: string
  readonly expiresAt: string
  readonly timeZone: string | undefined
  readonly appUrl: string | undefined
  /** Of the operator's application. */
  readonly page: string
  /** Where there is no such application: whether its token can be entered in the console, whose address nobody has said. */
  readonly isEnteredInConsole?: boolean
  /** What accepts it otherwise. */
  readonly request: Extract<Part, { type: 'request' }>
  /** Which API key that takes. */
  readonly key: string
}

/** The token stands behind the `#` of a link: what comes there is sent to no server, and so is in no log. */
export function howToAccept(invitation: InvitationText): readonly Part[] {
  const { appUrl, expiresAt, isEnteredInConsole, key, organizationName, page, request, timeZone, token } = invitation
  const until: Part = {
    type: 'paragraph',
    text: `The invitation can be used once, until ${timeText(expiresAt, timeZone)}. Anyone who has this mail can accept it, so do not forward it.`,
  }
  if (appUrl !== undefined) {
    const url = `${appPage(appUrl, page)}#token=${encodeURIComponent(token)}`
    return [{ type: 'link', label: 'Accept the invitation', url }, until]
  }
  if (isEnteredInConsole === true)
    return [
      {
        type: 'paragraph',
        text: `To accept it, open the page /console/invitation of the service and enter this token. Ask ${organizationName} for the address of the service.`,
      },
      { type: 'code', text: token },
      until,
    ]
  return [
    { type: 'paragraph', text: `To accept it, send this request to the API. ${key}` },
    request,
    {
      type: 'paragraph',
      text: `Ask ${organizationName} for the address of the API, and for an API key if you have none. The token of the invitation is:`,
    },
    { type: 'code', text: token },
    until,
  ]
}
