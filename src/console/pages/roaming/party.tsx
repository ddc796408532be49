// As whom the organization appears to roaming partners.

import { ApiError, api, ask, type Schema } from '../../client/api.js'
import { useResource } from '../../client/resource.js'
import { may, me } from '../../client/session.js'
import { Facts } from '../../parts/facts.js'
import { type FormField, type FormValues, PageForm, textIn, textOrNull, useForm } from '../../parts/form.js'
import { Panel } from '../../parts/panel.js'
import { EmptyState, Loaded } from '../../parts/states.js'

type Party = Schema<'RoamingParty'>

/** null where it has none yet, which is an answer as well. */
async function readParty(signal: AbortSignal): Promise<Party | null> {
  try {
    return await ask(api.GET('/api/v1/ocpi/party', { signal }))
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}

export function Page() {
  const party = useResource(async (signal) => ({ party: await readParty(signal) }), [])
  return (
    <Panel title="Your party" hint="As whom partners know you" padded>
      <Loaded of={party} rows={3}>
        {({ party: now }) =>
          may('write:ocpi') ? (
            <PartyForm key={now?.updated_at ?? ''} party={now} saved={party.reload} />
          ) : now === null ? (
            <EmptyState icon="network" title="Your organization has no party yet">
              <span>Somebody who may change roaming sets it.</span>
            </EmptyState>
          ) : (
            <Facts
              of={[
                { name: 'Party', value: <span class="mono">{`${now.country_code}-${now.party_id}`}</span> },
                { name: 'Name', value: now.business_details.name },
                { name: 'Website', value: now.business_details.website },
              ]}
            />
          )
        }
      </Loaded>
    </Panel>
  )
}

const fields = (values: FormValues): readonly FormField[] => [
  {
    name: 'country_code',
    label: 'Country',
    placeholder: 'NL',
    mono: true,
    hint: 'Two letters. It cannot be changed while a partner is registered.',
  },
  {
    name: 'party_id',
    label: 'Party id',
    placeholder: 'AMP',
    mono: true,
    hint: 'Three letters or digits, as the issuing office of the country has given them to you.',
  },
  { name: 'name', path: '/business_details/name', label: 'Name that drivers see' },
  { name: 'website', path: '/business_details/website', label: 'Website', optional: true },
  { name: 'logo', path: '/business_details/logo/url', label: 'Address of the logo', optional: true },
  ...(textIn(values.logo) === ''
    ? []
    : [
        {
          name: 'logo_type',
          path: '/business_details/logo/type',
          label: 'Kind of picture',
          placeholder: 'svg',
          hint: 'Such as svg, png or jpeg.',
        },
      ]),
  {
    name: 'publish_by_default',
    label: 'Sites and charge points that do not say whether partners see them',
    options: [
      { value: 'true', name: 'Partners see them' },
      { value: 'false', name: 'Partners do not see them' },
    ],
  },
]

function PartyForm({ party, saved }: { readonly party: Party | null; readonly saved: () => void }) {
  const details = party?.business_details
  const form = useForm(fields, {
    country_code: party?.country_code ?? me.value?.organization.country ?? '',
    party_id: party?.party_id ?? '',
    name: details?.name ?? me.value?.organization.name ?? '',
    website: details?.website ?? '',
    logo: details?.logo?.url ?? '',
    logo_type: details?.logo?.type ?? '',
    publish_by_default: String(party?.publish_by_default ?? true),
  })
  return (
    <PageForm
      of={form}
      does="Save"
      said="Partners are told."
      run={async (values) => {
        const logo = {
          url: textIn(values.logo),
          category: details?.logo?.category ?? ('OPERATOR' as const),
          type: textIn(values.logo_type),
        }
        const body = {
          country_code: textIn(values.country_code),
          party_id: textIn(values.party_id),
          business_details: {
            name: textIn(values.name),
            website: textOrNull(values.website),
            logo: logo.url === '' ? null : logo,
          },
          publish_by_default: values.publish_by_default === 'true',
        }
        await ask(api.PUT('/api/v1/ocpi/party', { body }))
        saved()
      }}
    />
  )
}
