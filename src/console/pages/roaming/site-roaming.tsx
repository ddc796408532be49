// What roaming partners are told of a site.

import type { PageProps } from '../../app/pages.js'
import { api, ask } from '../../client/api.js'
import { useResource } from '../../client/resource.js'
import { Loaded } from '../../parts/states.js'
import { placeFields } from './place-fields.js'
import { PlacePanels } from './place-panels.js'

export function Page({ params: { site_id = '' } }: PageProps) {
  const params = { path: { site_id } }
  const place = useResource((signal) => ask(api.GET('/api/v1/sites/{site_id}/ocpi', { params, signal })), [site_id])
  return (
    <Loaded of={place}>
      {(data) => (
        <PlacePanels
          place={data}
          fields={placeFields}
          save={async (body) => {
            await ask(api.PUT('/api/v1/sites/{site_id}/ocpi', { params, body }))
            place.reload()
          }}
        />
      )}
    </Loaded>
  )
}
