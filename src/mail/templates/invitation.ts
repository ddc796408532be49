// What invitations of every kind say about how they are accepted.

import { type Part, timeText } from '../layout.js'

export interface InvitationText {
  readonly token: string
  readonly expiresAt: string
  readonly appUrl: string | undefined
  /** Of the operator's application. */
  readonly page: string
}

/** The token stands behind the `#` of a link: what comes there is sent to no server, and so is in no log. */
export function howToAccept({ token, expiresAt, appUrl, page }: InvitationText): readonly Part[] {
  const until: Part = {
    type: 'paragraph',
    text: `The invitation can be used once, until ${timeText(expiresAt)}. Whoever has it can accept it: do not pass this mail on.`,
  }
  if (appUrl !== undefined) {
    const url = `${appUrl.replace(/\/+$/, '')}/${page}#token=${encodeURIComponent(token)}`
    return [{ type: 'link', label: 'Accept the invitation', url }, until]
  }
  return [{ type: 'paragraph', text: 'To accept it, use this token:' }, { type: 'code', text: token }, until]
}
