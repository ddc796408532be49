// Which firmware the charge points run: each version with how many have it, on the way to them in the fleet, or to a rollout that begins with them.

import { Link } from 'wouter-preact'
import { api, ask } from '../../client/api.js'
import { termFor } from '../../client/fleet-filter.js'
import { numberText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { may } from '../../client/session.js'
import { Button } from '../../parts/button.js'
import { List } from '../../parts/list.js'
import { usePage } from '../../parts/pager.js'
import { Panel } from '../../parts/panel.js'
import { EmptyState } from '../../parts/states.js'
import type { Column } from '../../parts/table.js'

interface Version {
  readonly vendor: string
  readonly firmware_version: string | null
  readonly count: number
}

const perPage = 20

const filterOf = ({ vendor, firmware_version: version }: Version): string =>
  `${termFor('vendor', vendor)} ${termFor('fw', version ?? 'none')}`

const nameOf = ({ vendor, firmware_version: version }: Version): string => `${vendor} ${version ?? 'without a version'}`

const columnsWith = (update: ((filter: string) => void) | undefined): readonly Column<Version>[] => [
  {
    id: 'version',
    name: 'Firmware',
    width: 'minmax(120px, 1fr)',
    cell: (row) => (
      <Link
        class="link mono"
        href={`/fleet?q=${encodeURIComponent(filterOf(row))}`}
        aria-label={`Charge points with ${nameOf(row)}`}
      >
        {row.firmware_version ?? 'without a version'}
      </Link>
    ),
  },
  { id: 'vendor', name: 'Vendor', width: 'minmax(100px, 1fr)', cell: ({ vendor }) => vendor },
  {
    id: 'count',
    name: 'How many',
    width: '80px',
    align: 'end',
    cell: ({ count }) => numberText(count),
  },
  ...(update === undefined
    ? []
    : [
        {
          id: 'update',
          name: 'Update',
          width: '84px',
          align: 'end' as const,
          buttons: true,
          cell: (row: Version) => (
            <Button small onClick={() => update(filterOf(row))} label={`Update those with ${nameOf(row)}`}>
              Update
            </Button>
          ),
        },
      ]),
]

export function Versions({ update }: { readonly update: (filter: string) => void }) {
  const [page] = usePage()
  const versions = useResource(
    (signal) => ask(api.GET('/api/v1/cpo/fleet/firmware', { params: { query: { page, per_page: perPage } }, signal })),
    [page],
    { everySeconds: 60 },
  )
  return (
    <Panel title="Firmware that runs" hint="as the charge points named it when they booted last">
      <List
        label="Firmware versions"
        of={versions}
        perPage={perPage}
        columns={columnsWith(may('write:charge_points') ? update : undefined)}
        keyOf={nameOf}
        fits
        empty={
          <EmptyState icon="layers" title="No charge point has booted yet">
            <span>Each names its firmware when it boots.</span>
          </EmptyState>
        }
      />
    </Panel>
  )
}
