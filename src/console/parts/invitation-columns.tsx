// What the lists of invitations tell alike: whether the mail has gone out, and until when its link is good.

import { agoText } from '../client/format.js'
import { hasFeature } from '../client/session.js'
import { Tag } from './chip.js'
import type { Column } from './table.js'

const mailKinds = { waiting: 'plain', sent: 'ok', failed: 'bad' } as const

interface Invited {
  readonly mail: keyof typeof mailKinds
  readonly status: string
  /** RFC 3339. */
  readonly expires_at: string
}

export const invitationColumns: readonly Column<Invited>[] = [
  {
    id: 'mail',
    name: 'Mail',
    width: '90px',
    wideOnly: true,
    // Without a mail server, what is done with a mail is that it was written to a file.
    cell: ({ mail }) =>
      mail === 'sent' && !hasFeature('mail') ? (
        <Tag kind="warn">in a file</Tag>
      ) : (
        <Tag kind={mailKinds[mail]}>{mail}</Tag>
      ),
  },
  {
    id: 'ends',
    name: 'Good until',
    width: '120px',
    wideOnly: true,
    cell: ({ status, expires_at: at }) => (status === 'expired' ? <Tag kind="warn">expired</Tag> : agoText(at)),
  },
]
