// How a site shares its power among the cars, changed and ended, and what gives power there beside the grid.

import { useState } from 'preact/hooks'
import { api, ask } from '../../client/api.js'
import { useResource } from '../../client/resource.js'
import { may } from '../../client/session.js'
import { Ask } from '../../parts/ask.js'
import { Button } from '../../parts/button.js'
import { Panel } from '../../parts/panel.js'
import { EmptyState, Loaded } from '../../parts/states.js'
import { toast } from '../../parts/toast.js'
import { Assets } from './assets.js'
import { useSite } from './here.js'
import { type Configuration, SharingFacts, SharingForm } from './sharing.js'

export function Page() {
  return (
    <>
      <Sharing />
      <Assets />
    </>
  )
}

function Sharing() {
  const { site, reload } = useSite()
  const params = { path: { site_id: site.site_id } }
  const [isBeginning, setBeginning] = useState(false)
  const [isEnding, setEnding] = useState(false)
  const configuration = useResource<Configuration>(
    (signal) => ask(api.GET('/api/v1/smart-charging/sites/{site_id}/config', { params, signal })),
    [site.site_id, site.is_managed],
    { enabled: site.is_managed },
  )
  const mayChange = may('write:charge_points')
  const changed = () => {
    setBeginning(false)
    reload()
    configuration.reload()
  }
  return (
    <Panel
      title="Sharing of power"
      hint={site.is_managed ? 'The site never draws more than this from the grid for charging' : undefined}
      padded={site.is_managed || isBeginning}
      actions={
        site.is_managed &&
        mayChange && (
          <Button small icon="ban" onClick={() => setEnding(true)}>
            Stop sharing
          </Button>
        )
      }
    >
      {site.is_managed ? (
        <Loaded of={configuration} rows={3}>
          {(data) =>
            mayChange ? (
              <SharingForm key={data.updated_at} site={site} configuration={data} saved={changed} />
            ) : (
              <SharingFacts of={data} />
            )
          }
        </Loaded>
      ) : isBeginning ? (
        <SharingForm site={site} saved={changed} />
      ) : (
        <EmptyState icon="plug-zap" title="The power of this site is not shared">
          <span>
            Each charge point draws all that it can, also where that is more than the grid connection carries.
          </span>
          {mayChange && (
            <Button kind="primary" onClick={() => setBeginning(true)}>
              Share the power
            </Button>
          )}
        </EmptyState>
      )}
      {isEnding && (
        <Ask
          title="Stop sharing the power of this site?"
          does="Stop sharing"
          danger
          word={site.name.trim()}
          close={() => setEnding(false)}
          run={async () => {
            await ask(api.DELETE('/api/v1/smart-charging/sites/{site_id}/config', { params }))
            toast('The limits of the site are being taken away.')
            changed()
          }}
        >
          <p>
            The limits of its charge points are cleared, and each draws all that it can. Nothing keeps the site below
            its grid connection of {site.max_grid_power_kw} kW from then on. The schedule and the order of priority are
            deleted.
          </p>
        </Ask>
      )}
    </Panel>
  )
}
