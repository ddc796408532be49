// The tariffs: what charging costs, which is the default of the organization, and which charger sells at which.

import { useState } from 'preact/hooks'
import { Link, useLocation } from 'wouter-preact'
import { api, ask, type Schema } from '../../client/api.js'
import { dateText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { may, organizationId } from '../../client/session.js'
import { Ask } from '../../parts/ask.js'
import { Button } from '../../parts/button.js'
import { Tag } from '../../parts/chip.js'
import { Field } from '../../parts/field.js'
import { Pager, usePage } from '../../parts/pager.js'
import { PageHead, Panel } from '../../parts/panel.js'
import { EmptyState, Loaded } from '../../parts/states.js'
import { type Column, Table } from '../../parts/table.js'
import { toast } from '../../parts/toast.js'

type Tariff = Schema<'Tariff'>

const perPage = 100
const units = { energy: 'a kWh', time: 'an hour', idle: 'an idle hour', flat: 'a session' } as const

const pricesOf = ({ components }: Tariff): string =>
  components.map(({ type, price }) => `${price ?? 0} ${units[type]}`).join(' + ')

/** Which tariff a charger sells at, and another one for it. */
function Assign({ tariffs, close }: { readonly tariffs: readonly Tariff[]; readonly close: () => void }) {
  const [chargePointId, setChargePointId] = useState('')
  const [tariffId, setTariffId] = useState(tariffs[0]?.tariff_id ?? '')
  const id = chargePointId.trim()
  const now = useResource(
    async (signal) => {
      try {
        return await ask(
          api.GET('/api/v1/chargepoints/{charge_point_id}/tariff', {
            params: { path: { charge_point_id: id } },
            signal,
          }),
        )
      } catch {
        return null
      }
    },
    [id],
    { enabled: id !== '' },
  )
  const sources = {
    charge_point: 'its own',
    site: 'the default of its site',
    organization: 'the default of the organization',
  }
  const found = now.data
  return (
    <Ask
      title="Which tariff a charger sells at"
      does="Assign"
      disabled={id === ''}
      close={close}
      run={async () => {
        const { tariff_id } = await ask(
          api.PUT('/api/v1/chargepoints/{charge_point_id}/tariff', {
            params: { path: { charge_point_id: id } },
            body: { tariff_id: tariffId === '' ? null : tariffId },
          }),
        )
        const name = tariffs.find((tariff) => tariff.tariff_id === tariff_id)?.name ?? tariff_id
        toast(
          name === null ? `${id} has no tariff now: sessions there are free.` : `${id} sells at ${name} from now on.`,
        )
      }}
    >
      <Field label="Charger" value={chargePointId} onChange={setChargePointId} mono autofocus required />
      {found !== undefined && id !== '' && (
        <p role="status">
          {found === null
            ? 'It has no tariff, or is not here.'
            : `It sells at ${found.tariff.name}, ${found.source === null ? '' : sources[found.source]}.`}
        </p>
      )}
      <Field
        label="Tariff"
        path="/tariff_id"
        value={tariffId}
        onChange={setTariffId}
        options={[
          ...tariffs.map(({ tariff_id: value, name, currency }) => ({ value, name: `${name} (${currency})` })),
          { value: '', name: 'None of its own: the default applies' },
        ]}
        hint="For sessions that start from now on."
      />
    </Ask>
  )
}

function Default({
  tariffs,
  current,
  close,
  reload,
}: {
  readonly tariffs: readonly Tariff[]
  readonly current: string | null
  readonly close: () => void
  readonly reload: () => void
}) {
  const [tariffId, setTariffId] = useState(current ?? '')
  return (
    <Ask
      title="The default tariff of the organization"
      does="Set it"
      said="The default is set."
      close={close}
      run={async () => {
        await ask(
          api.PUT('/api/v1/organizations/{org_id}/settings', {
            params: { path: { org_id: organizationId() } },
            body: { default_tariff_id: tariffId === '' ? null : tariffId },
          }),
        )
        reload()
      }}
    >
      <p>Every charger without a tariff of its own or of its site sells at it, from the next session on.</p>
      <Field
        label="Tariff"
        path="/default_tariff_id"
        value={tariffId}
        onChange={setTariffId}
        options={[
          { value: '', name: 'None: sessions there are free' },
          ...tariffs.map(({ tariff_id: value, name, currency }) => ({ value, name: `${name} (${currency})` })),
        ]}
      />
    </Ask>
  )
}

export function Page() {
  const [, navigate] = useLocation()
  const [page] = usePage()
  const [doing, setDoing] = useState<'assign' | 'default'>()
  const list = useResource(
    (signal) => ask(api.GET('/api/v1/billing/tariffs', { params: { query: { page, per_page: perPage } }, signal })),
    [page],
  )
  const settings = useResource(
    (signal) =>
      ask(
        api.GET('/api/v1/organizations/{org_id}/settings', { params: { path: { org_id: organizationId() } }, signal }),
      ),
    [],
    { enabled: may('read:organisations') },
  )
  const fallback = settings.data?.default_tariff_id ?? null
  const columns: readonly Column<Tariff>[] = [
    {
      id: 'name',
      name: 'Name',
      width: 'minmax(140px, 1fr)',
      cell: ({ tariff_id, name }) => (
        <Link class="link" href={`/tariffs/${tariff_id}`}>
          {name}
        </Link>
      ),
    },
    { id: 'currency', name: 'Currency', width: '80px', cell: ({ currency }) => currency },
    {
      id: 'prices',
      name: 'Before tax',
      width: 'minmax(160px, 2fr)',
      cell: (tariff) => <span title={pricesOf(tariff)}>{pricesOf(tariff)}</span>,
    },
    {
      id: 'tax',
      name: 'Tax',
      width: '70px',
      align: 'end',
      wideOnly: true,
      cell: ({ tax_percentage }) => `${tax_percentage} %`,
    },
    { id: 'changed', name: 'Changed', width: '110px', wideOnly: true, cell: ({ updated_at }) => dateText(updated_at) },
    {
      id: 'default',
      name: 'Default',
      width: '80px',
      wideOnly: true,
      cell: ({ tariff_id }) => tariff_id === fallback && <Tag kind="info">default</Tag>,
    },
  ]
  const tariffs = list.data?.data ?? []
  return (
    <>
      <PageHead
        title="Tariffs"
        about="What charging costs. A session keeps the prices of its start"
        actions={
          may('write:billing') && (
            <>
              {may('write:organisations') && settings.data !== undefined && (
                <Button onClick={() => setDoing('default')}>Default</Button>
              )}
              <Button onClick={() => setDoing('assign')}>Assign to a charger</Button>
              <Button kind="primary" icon="plus" onClick={() => navigate('/tariffs/new')}>
                New tariff
              </Button>
            </>
          )
        }
      />
      <Panel class="fills">
        <Loaded of={list}>
          {({ data, total }) => (
            <>
              {data.length === 0 ? (
                <EmptyState icon="tag" title="There is no tariff: charging is free everywhere">
                  <span>Make one, and assign it to charge points or make it the default.</span>
                </EmptyState>
              ) : (
                <Table
                  label="Tariffs"
                  columns={columns}
                  count={data.length}
                  rowAt={(at) => data[at] as Tariff}
                  keyOf={({ tariff_id }) => tariff_id}
                  open={({ tariff_id }) => navigate(`/tariffs/${tariff_id}`)}
                />
              )}
              <Pager total={total} perPage={perPage} of="tariffs" />
            </>
          )}
        </Loaded>
      </Panel>
      {doing === 'assign' && <Assign tariffs={tariffs} close={() => setDoing(undefined)} />}
      {doing === 'default' && (
        <Default tariffs={tariffs} current={fallback} close={() => setDoing(undefined)} reload={settings.reload} />
      )}
    </>
  )
}
