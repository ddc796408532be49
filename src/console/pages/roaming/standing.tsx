// How far a location is from being seen by roaming partners: in a word, and with what is missing.

import { Link } from 'wouter-preact'
import type { Schema } from '../../client/api.js'
import { Tag } from '../../parts/chip.js'
import { Icon } from '../../parts/icon.js'

type Detail = Schema<'MissingRoamingDetail'>

interface Stands {
  readonly published: boolean
  readonly missing: readonly Detail[]
}

/** `wanted`: whether it is to be seen. */
export function Standing({ of, wanted }: { readonly of: Stands; readonly wanted: boolean }) {
  if (of.published) return <Tag kind="ok">see it</Tag>
  if (of.missing.length > 0 && wanted) return <Tag kind="warn">do not see it yet</Tag>
  return <Tag>{wanted ? 'will see it soon' : 'do not see it'}</Tag>
}

function NoParty() {
  return (
    <>
      Your organization has no party yet. Set it under{' '}
      <Link class="link" href="/roaming/party">
        Roaming, Your party
      </Link>
      .
    </>
  )
}

/** What stands in the messages of the API is a route; here, the page has the field. */
export function Missing({ of, assumed }: { readonly of: readonly Detail[]; readonly assumed: readonly Detail[] }) {
  return (
    <>
      {of.length > 0 && (
        <div class="banner">
          <Icon name="triangle-alert" />
          <ul aria-label="What is missing">
            {of.map(({ field, message }) => (
              <li key={field}>{field === 'party' ? <NoParty /> : message}</li>
            ))}
          </ul>
        </div>
      )}
      {assumed.length > 0 && (
        <ul aria-label="What is assumed" class="dim">
          {assumed.map(({ field, message }) => (
            <li key={field}>{message}</li>
          ))}
        </ul>
      )}
    </>
  )
}
