// What is said of a site: when it is made, and when it changes.

import { api, ask, type Schema } from '../../client/api.js'
import { zone } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { may } from '../../client/session.js'
import { FormDialog, type FormField, numberIn, textOrNull } from '../../parts/form.js'

type Site = Schema<'Site'>

const fields: readonly FormField[] = [
  { name: 'name', label: 'Name', placeholder: 'Station Street car park' },
  { name: 'address', label: 'Address' },
  {
    name: 'max_grid_power_kw',
    label: 'Grid connection, kW',
    isNumber: true,
    hint: 'The power that the connection can carry. No limit of the site is ever set above it.',
  },
  { name: 'latitude', label: 'Latitude', isNumber: true },
  { name: 'longitude', label: 'Longitude', isNumber: true },
]

interface SiteDialogProps {
  /** The one that changes; without it, one is made. */
  readonly site?: Site
  readonly close: () => void
  readonly done: (site: Site) => void
}

export function SiteDialog({ site, close, done }: SiteDialogProps) {
  const seesTariffs = may('read:billing')
  const tariffs = useResource(
    async (signal) =>
      (await ask(api.GET('/api/v1/billing/tariffs', { params: { query: { per_page: 200 } }, signal }))).data,
    [],
    { enabled: seesTariffs },
  )
  const known = site?.default_tariff_id
  const named = tariffs.data?.map(({ tariff_id, name }) => ({ value: tariff_id, name })) ?? []
  const others: readonly FormField[] = [
    {
      name: 'time_zone',
      label: 'Time zone of its schedules',
      optional: true,
      placeholder: zone(),
      hint: 'Such as Europe/Amsterdam. Leave it empty for the time zone of your organization.',
    },
    ...(seesTariffs
      ? [
          {
            name: 'default_tariff_id',
            label: 'Tariff of charge points that have none of their own',
            optional: true,
            options: [
              { value: '', name: 'That of the organization' },
              ...named,
              ...(known != null && named.every(({ value }) => value !== known) ? [{ value: known, name: known }] : []),
            ],
          },
        ]
      : []),
  ]
  return (
    <FormDialog
      title={site === undefined ? 'Create a site' : `Change ${site.name}`}
      does={site === undefined ? 'Create the site' : 'Save'}
      fields={[...fields, ...others]}
      begin={
        site === undefined
          ? {}
          : {
              name: site.name,
              address: site.address,
              max_grid_power_kw: String(site.max_grid_power_kw),
              latitude: String(site.latitude),
              longitude: String(site.longitude),
              time_zone: site.time_zone ?? '',
              default_tariff_id: site.default_tariff_id ?? '',
            }
      }
      close={close}
      run={async (values) => {
        const body = {
          name: values.name?.trim() ?? '',
          address: values.address?.trim() ?? '',
          max_grid_power_kw: numberIn(values.max_grid_power_kw),
          latitude: numberIn(values.latitude),
          longitude: numberIn(values.longitude),
          time_zone: textOrNull(values.time_zone),
          ...(seesTariffs && { default_tariff_id: textOrNull(values.default_tariff_id) }),
        }
        done(
          site === undefined
            ? await ask(api.POST('/api/v1/sites', { body }))
            : await ask(api.PATCH('/api/v1/sites/{site_id}', { params: { path: { site_id: site.site_id } }, body })),
        )
      }}
    />
  )
}
