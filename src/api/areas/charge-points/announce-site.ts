// The message about a changed site to the site's actor, in the commit of the change.

import { type SiteChangedMessage, siteAddress } from '../../../actors/messages/site.js'
import type { Draft } from '../../pipeline/draft.js'

/** Has the site read its record, its configuration, its assets and its charge points again once the commit is on disk. */
export function announceSite(draft: Draft, siteId: string): void {
  draft.tell({ to: siteAddress(siteId), message: { type: 'site-changed' } satisfies SiteChangedMessage })
}
