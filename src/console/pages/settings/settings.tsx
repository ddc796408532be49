// The settings of the organization, each with what it means, and what its papers say of it. Only what was changed is sent.

import './settings.css'
import { organization as organizationSchema, settings as settingsSchema } from 'virtual:request-schemas'
import { api, ask } from '../../client/api.js'
import { explained } from '../../client/explained.js'
import { useResource } from '../../client/resource.js'
import { may, organizationId } from '../../client/session.js'
import { PageHead, Panel } from '../../parts/panel.js'
import { Loaded } from '../../parts/states.js'
import { SettingsForm } from './settings-form.js'

const ofSettings = explained(settingsSchema)
const ofOrganization = explained(organizationSchema)

const regions = new Intl.DisplayNames(['en'], { type: 'region' })
const countries = (ofOrganization.fields.country?.choices ?? [])
  .map((value) => ({ value, name: regions.of(value) ?? value }))
  .sort((one, other) => one.name.localeCompare(other.name))

export function Page() {
  const org_id = organizationId()
  const params = { path: { org_id } }
  const settings = useResource(
    (signal) => ask(api.GET('/api/v1/organizations/{org_id}/settings', { params, signal })),
    [org_id],
  )
  const organization = useResource(
    (signal) => ask(api.GET('/api/v1/organizations/{org_id}', { params, signal })),
    [org_id],
  )
  const tariffs = useResource(
    async (signal) =>
      (await ask(api.GET('/api/v1/billing/tariffs', { params: { query: { per_page: 200 } }, signal }))).data,
    [org_id],
    { enabled: may('read:billing') },
  )
  const tariffOffer = tariffs.data?.map(({ tariff_id: value, name, currency }) => ({
    value,
    name: `${name} (${currency})`,
  }))
  return (
    <>
      <PageHead title="Settings" about="Of the whole organization; each change is in the audit log" />
      <div class="settings-page">
        <Panel title="How it works" hint="currency, time, tariff, mails, alerts, id tags" padded>
          <Loaded of={settings}>
            {(values) => (
              <SettingsForm
                explained={ofSettings}
                values={values}
                {...(tariffOffer !== undefined && { offers: { default_tariff_id: tariffOffer } })}
                save={async (changes) => {
                  await ask(api.PUT('/api/v1/organizations/{org_id}/settings', { params, body: changes as never }))
                  settings.reload()
                }}
              />
            )}
          </Loaded>
        </Panel>
        <Panel title="Who it is" hint="what receipts and invoices say" padded>
          <Loaded of={organization}>
            {(values) => (
              <SettingsForm
                explained={ofOrganization}
                values={values}
                offers={{ country: countries }}
                save={async (changes) => {
                  const { name, country, contact_email } = values
                  const body = { name, country, contact_email, ...changes }
                  await ask(api.PUT('/api/v1/organizations/{org_id}', { params, body: body as never }))
                  organization.reload()
                }}
              />
            )}
          </Loaded>
        </Panel>
      </div>
    </>
  )
}
