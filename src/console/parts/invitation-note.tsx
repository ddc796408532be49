// What keeps the mail of an invitation from its reader here, or from having a link, and what to do about it.

import { canUsePasskeys } from '../client/passkeys.js'
import { hasFeature } from '../client/session.js'
import { Button } from './button.js'
import { copyText } from './download.js'
import { Icon } from './icon.js'

/** Where somebody who is invited enters the token of the mail: below the address at which the console was opened. */
export const invitationPage = (): string => `${location.origin}/console/invitation`

/** Of members, who join in the console; a site owner does so by the API, or in an application of the operator's. */
export function InvitationNote({ ofMembers = false }: { readonly ofMembers?: boolean }) {
  const hasMail = hasFeature('mail')
  const hasLink = hasFeature(ofMembers ? 'member_links' : 'site_owner_links')
  if (hasMail && hasLink) return null
  return (
    <div class="banner" role="note">
      <Icon name="triangle-alert" />
      <div class="stack">
        {!hasMail && (
          <p>
            No mail leaves this installation, since no mail server is set (<code>--smtp-url</code>). Each mail is
            written to the folder <code>mail</code> of the data directory, where whoever runs the service finds it.
          </p>
        )}
        {!hasLink && !ofMembers && (
          <p>
            The mail has no link, since no application of yours is set (<code>--app-url</code>). It has a token and the
            request to the API that accepts it.
          </p>
        )}
        {!hasLink && ofMembers && (
          <>
            <p>
              The mail has no link, since the service does not know its public address (<code>--public-url</code>). It
              has a token. Hand over this address, where the token is entered:
            </p>
            <p>
              <span class="mono">{invitationPage()}</span>{' '}
              <Button small icon="copy" onClick={() => void copyText(invitationPage(), 'Copied.')}>
                Copy
              </Button>
            </p>
            {!canUsePasskeys() && (
              <p>It is the address at which you opened the console. Others may need another one.</p>
            )}
          </>
        )}
      </div>
    </div>
  )
}
