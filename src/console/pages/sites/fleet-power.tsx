// What all sites that share their power were given and drew together. Where none does or did, there is nothing to show.

import { api, ask } from '../../client/api.js'
import { useResource } from '../../client/resource.js'
import { Panel } from '../../parts/panel.js'
import { Loaded } from '../../parts/states.js'
import { PastRange, PowerChart, usePast } from '../site/past-power.js'

/** `isShared`: there is a site that shares its power now. */
export function FleetPower({ isShared }: { readonly isShared: boolean }) {
  const { range, setRange, period } = usePast()
  const history = useResource(
    (signal) => ask(api.GET('/api/v1/cpo/fleet/power', { params: { query: period() }, signal })),
    [range],
    { everySeconds: 300 },
  )
  if (!isShared && (history.data?.points ?? []).length === 0) return null
  return (
    <Panel
      title="All sites together"
      hint="those that share their power, about four minutes behind"
      actions={<PastRange range={range} setRange={setRange} />}
      padded
    >
      <Loaded of={history} rows={3}>
        {({ points }) =>
          points.length === 0 ? (
            <p class="dim">No car charged at them in this time.</p>
          ) : (
            <PowerChart
              label="Power of all sites that share it: what they might draw, were given, and drew"
              of={points}
              height={150}
            />
          )
        }
      </Loaded>
    </Panel>
  )
}
