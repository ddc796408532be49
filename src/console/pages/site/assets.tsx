// What gives power at a site beside the grid: batteries, panels, wind and generators.

import { useState } from 'preact/hooks'
import { api, ask, type Schema } from '../../client/api.js'
import { powerText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { may } from '../../client/session.js'
import { Ask } from '../../parts/ask.js'
import { Button } from '../../parts/button.js'
import { FormDialog, type FormField, numberIn, numberOrNull } from '../../parts/form.js'
import { List } from '../../parts/list.js'
import { Panel } from '../../parts/panel.js'
import { EmptyState } from '../../parts/states.js'
import type { Column } from '../../parts/table.js'
import { toast } from '../../parts/toast.js'
import { useSite } from './here.js'

type Asset = Schema<'EnergyAsset'>

/** As many as a site may have. */
const perPage = 200

const types: readonly { readonly value: Asset['type']; readonly name: string }[] = [
  { value: 'battery', name: 'Battery' },
  { value: 'solar', name: 'Solar panels' },
  { value: 'wind', name: 'Wind turbine' },
  { value: 'generator', name: 'Generator' },
]

const columns: readonly Column<Asset>[] = [
  { id: 'name', name: 'Name', width: 'minmax(120px, 1fr)', cell: ({ name }) => name },
  {
    id: 'type',
    name: 'Kind',
    width: '120px',
    wideOnly: true,
    cell: ({ type }) => types.find(({ value }) => value === type)?.name ?? type,
  },
  {
    id: 'rated',
    name: 'Rated',
    width: '90px',
    align: 'end',
    wideOnly: true,
    cell: ({ rated_capacity_kw: kw }) => powerText(kw * 1_000),
  },
  {
    id: 'available',
    name: 'Adds now',
    width: '90px',
    align: 'end',
    cell: ({ available_kw: kw }) => powerText(kw * 1_000),
  },
]

type Open = { readonly is: 'new' } | { readonly is: 'change' | 'remove'; readonly asset: Asset }

export function Assets() {
  const { site, reload } = useSite()
  const { site_id } = site
  const [open, setOpen] = useState<Open>()
  const mayChange = may('write:charge_points')
  const assets = useResource(
    (signal) =>
      ask(
        api.GET('/api/v1/sites/{site_id}/energy-assets', {
          params: { path: { site_id }, query: { per_page: perPage } },
          signal,
        }),
      ),
    [site_id],
  )
  const changed = () => {
    assets.reload()
    reload()
  }
  const close = () => setOpen(undefined)
  const actions: Column<Asset> = {
    id: 'change',
    name: 'Change',
    hideName: true,
    width: '170px',
    align: 'end',
    buttons: true,
    cell: (asset) => (
      <>
        <Button small onClick={() => setOpen({ is: 'change', asset })} label={`Change ${asset.name}`}>
          Change
        </Button>{' '}
        <Button small onClick={() => setOpen({ is: 'remove', asset })} label={`Delete ${asset.name}`}>
          Delete
        </Button>
      </>
    ),
  }
  return (
    <Panel
      title="Energy assets"
      hint="What they give adds to the power that is shared"
      actions={
        mayChange && (
          <Button small icon="plus" onClick={() => setOpen({ is: 'new' })}>
            Add an asset
          </Button>
        )
      }
    >
      <List
        label="Energy assets"
        of={assets}
        perPage={perPage}
        columns={mayChange ? [...columns, actions] : columns}
        keyOf={({ asset_id }) => asset_id}
        empty={
          <EmptyState icon="zap" title="The site has no energy asset">
            <span>Add a battery, solar panels, a wind turbine or a generator whose power is to be shared as well.</span>
          </EmptyState>
        }
      />
      {open?.is === 'new' && <AssetDialog close={close} done={changed} />}
      {open?.is === 'change' && <AssetDialog asset={open.asset} close={close} done={changed} />}
      {open?.is === 'remove' && (
        <Ask
          title={`Delete ${open.asset.name}?`}
          does="Delete it"
          danger
          close={close}
          run={async () => {
            const path = { site_id, asset_id: open.asset.asset_id }
            await ask(api.DELETE('/api/v1/sites/{site_id}/energy-assets/{asset_id}', { params: { path } }))
            toast(`${open.asset.name} is deleted.`)
            changed()
          }}
        >
          <p>
            Cars share {powerText(open.asset.available_kw * 1_000)} less from then on, if the power of the site is
            shared.
          </p>
        </Ask>
      )}
    </Panel>
  )
}

const fieldsOf = (asset: Asset | undefined): readonly FormField[] => [
  ...(asset === undefined ? [{ name: 'type', label: 'Kind', options: types }] : []),
  { name: 'name', label: 'Name', placeholder: 'Cellar battery' },
  { name: 'rated_capacity_kw', label: 'Rated power, kW', isNumber: true },
  {
    name: 'available_kw',
    path: '/metadata/available_kw',
    label: 'Power that it can give now, kW',
    isNumber: true,
    optional: true,
    hint: 'Left empty, a battery or a generator adds its rated power, and panels and wind add nothing.',
  },
]

interface AssetDialogProps {
  readonly asset?: Asset
  readonly close: () => void
  readonly done: () => void
}

function AssetDialog({ asset, close, done }: AssetDialogProps) {
  const { site } = useSite()
  const { site_id } = site
  return (
    <FormDialog
      title={asset === undefined ? 'Add an energy asset' : `Change ${asset.name}`}
      does={asset === undefined ? 'Add it' : 'Save'}
      fields={fieldsOf(asset)}
      begin={
        asset === undefined
          ? { type: 'battery' }
          : {
              name: asset.name,
              rated_capacity_kw: String(asset.rated_capacity_kw),
              available_kw: String(asset.metadata.available_kw ?? ''),
            }
      }
      close={close}
      run={async (values) => {
        const { available_kw: _, ...rest } = asset?.metadata ?? {}
        const available = numberOrNull(values.available_kw)
        const body = {
          name: values.name?.trim() ?? '',
          rated_capacity_kw: numberIn(values.rated_capacity_kw),
          metadata: { ...rest, ...(available !== null && { available_kw: available }) },
        }
        if (asset === undefined) {
          const type = values.type as Asset['type']
          const params = { path: { site_id } }
          await ask(api.POST('/api/v1/sites/{site_id}/energy-assets', { params, body: { type, ...body } }))
        } else {
          const params = { path: { site_id, asset_id: asset.asset_id } }
          await ask(api.PUT('/api/v1/sites/{site_id}/energy-assets/{asset_id}', { params, body }))
        }
        done()
      }}
    />
  )
}
