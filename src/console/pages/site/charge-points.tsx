// The charge points of a site: linked, unlinked, and moved here from another site.

import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { api, ask, type Schema } from '../../client/api.js'
import { powerText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { may } from '../../client/session.js'
import { moveCharger } from '../../client/sites.js'
import { wholeState } from '../../client/whole-state.js'
import { Ask } from '../../parts/ask.js'
import { Button } from '../../parts/button.js'
import { Combobox } from '../../parts/combobox.js'
import { List } from '../../parts/list.js'
import { usePage } from '../../parts/pager.js'
import { Panel } from '../../parts/panel.js'
import { StateLabel } from '../../parts/state-glyph.js'
import { EmptyState } from '../../parts/states.js'
import type { Column } from '../../parts/table.js'
import { toast } from '../../parts/toast.js'
import { useSite } from './here.js'

type ChargePoint = Schema<'ChargePoint'>

const perPage = 50

const columns: readonly Column<ChargePoint>[] = [
  {
    id: 'id',
    name: 'Charge point',
    width: 'minmax(120px, 1fr)',
    cell: ({ charge_point_id: id }) => (
      <Link class="link mono" href={`/charge-points/${encodeURIComponent(id)}`}>
        {id}
      </Link>
    ),
  },
  { id: 'name', name: 'Name', width: 'minmax(120px, 1.4fr)', wideOnly: true, cell: ({ name }) => name },
  {
    id: 'state',
    name: 'State',
    width: '140px',
    cell: ({ status, faulted_connectors: faulted }) => (
      <StateLabel state={wholeState(status, (state) => state === 'Faulted' && faulted > 0)} />
    ),
  },
  {
    id: 'connectors',
    name: 'Connectors',
    width: '90px',
    align: 'end',
    wideOnly: true,
    cell: ({ connector_count: count }) => count ?? '–',
  },
  {
    id: 'power',
    name: 'Power of each',
    width: '110px',
    align: 'end',
    wideOnly: true,
    cell: ({ max_power_kw: kw }) => (kw === null ? '–' : powerText(kw * 1_000)),
  },
]

export function Page() {
  const { site, reload } = useSite()
  const { site_id } = site
  const [page] = usePage()
  const [isLinking, setLinking] = useState(false)
  const [unlinked, setUnlinked] = useState<ChargePoint>()
  const mayChange = may('write:charge_points')
  const all = useResource(
    (signal) =>
      ask(api.GET('/api/v1/chargepoints', { params: { query: { site_id, page, per_page: perPage } }, signal })),
    [site_id, page],
    { everySeconds: 15 },
  )
  const changed = () => {
    all.reload()
    reload()
  }
  const unlink: Column<ChargePoint> = {
    id: 'unlink',
    name: 'Unlink',
    hideName: true,
    width: '90px',
    align: 'end',
    buttons: true,
    cell: (row) => (
      <Button small onClick={() => setUnlinked(row)} label={`Unlink ${row.charge_point_id}`}>
        Unlink
      </Button>
    ),
  }
  return (
    <>
      <Panel
        title="Charge points of this site"
        class="fills"
        actions={
          mayChange && (
            <Button small icon="link" onClick={() => setLinking(true)}>
              Link a charge point
            </Button>
          )
        }
      >
        <List
          label="Charge points"
          of={all}
          perPage={perPage}
          columns={mayChange ? [...columns, unlink] : columns}
          keyOf={({ charge_point_id }) => charge_point_id}
          empty={
            <EmptyState icon="plug" title="No charge point is linked to this site">
              <span>Link those that share its grid connection.</span>
            </EmptyState>
          }
        />
      </Panel>
      {isLinking && <LinkDialog close={() => setLinking(false)} done={changed} />}
      {unlinked !== undefined && (
        <Ask
          title={`Unlink ${unlinked.charge_point_id}?`}
          does="Unlink it"
          danger={site.is_managed}
          close={() => setUnlinked(undefined)}
          run={async () => {
            await moveCharger(unlinked.charge_point_id, site_id, null)
            toast(`${unlinked.charge_point_id} is in no site now.`)
            changed()
          }}
        >
          <p>
            {site.is_managed
              ? 'It charges without the limits of the site from then on, also in the sessions that run now.'
              : 'Its sessions are not reported under this site from then on.'}
          </p>
        </Ask>
      )}
    </>
  )
}

async function proposed(text: string) {
  const query = { per_page: 8, ...(text.trim() !== '' && { q: text.trim().slice(0, 100) }) }
  const { data } = await ask(api.GET('/api/v1/chargepoints', { params: { query } }))
  return data.map(({ charge_point_id: value, name, site_id }) => ({
    value,
    about: site_id === null ? name : `${name}, in a site already`,
  }))
}

interface Elsewhere {
  readonly id: string
  readonly siteId: string
  readonly siteName: string
}

/** One that is in another site is moved, which is asked about before it is done. */
function LinkDialog({ close, done }: { readonly close: () => void; readonly done: () => void }) {
  const { site } = useSite()
  const [typed, setTyped] = useState('')
  const [elsewhere, setElsewhere] = useState<Elsewhere>()
  const id = typed.trim()

  async function link(): Promise<void> {
    const params = { path: { charge_point_id: id } }
    const { site_id: siteId } = await ask(api.GET('/api/v1/chargepoints/{charge_point_id}', { params }))
    if (siteId === null || siteId === site.site_id) await linked(id, null)
    else {
      const { name } = await ask(api.GET('/api/v1/sites/{site_id}', { params: { path: { site_id: siteId } } }))
      setElsewhere({ id, siteId, siteName: name })
    }
  }

  async function linked(chargePointId: string, from: string | null): Promise<void> {
    await moveCharger(chargePointId, from, site.site_id)
    toast(`${chargePointId} is linked to ${site.name}.`)
    done()
    close()
  }

  if (elsewhere !== undefined)
    return (
      <Ask
        key="move"
        title={`Move ${elsewhere.id} here?`}
        does="Move it here"
        run={() => linked(elsewhere.id, elsewhere.siteId)}
        close={close}
      >
        <p>
          It is linked to {elsewhere.siteName} now: it is unlinked there, and then linked here. A session that runs
          keeps the site where it started.
        </p>
      </Ask>
    )
  return (
    <Ask
      key="link"
      title={`Link a charge point to ${site.name}`}
      does="Link it"
      disabled={id === ''}
      run={link}
      done={() => undefined}
      close={close}
    >
      <Combobox
        label="Charge point"
        value={typed}
        onChange={setTyped}
        propose={proposed}
        placeholder="Id or name"
        mono
      />
      <p class="sub">
        {site.is_managed
          ? 'It takes part in sharing the power of the site from then on.'
          : 'Its sessions are reported under the site from then on.'}
      </p>
    </Ask>
  )
}
