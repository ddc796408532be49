// Site owners of a service under test that has no mail server: invited, and joined with a key of an organization of their own.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mailFolder } from '../../src/jobs/mail/settings.js'
import { headersOf, tokenIn } from './mail-server.js'
import { makeOrganization } from './organization.js'
import type { Service } from './service.js'
import { until } from './until.js'

/** What is in the folder of a service without a mail server. */
function mailsIn(data: string): string[] {
  const folder = join(data, mailFolder)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('.eml'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
}

const profile = {
  name: 'Anna Example',
  street: 'Station Street 1',
  postal_code: '1012 AB',
  city: 'Amsterdam',
  country: 'NL',
}
const bank = { account_holder: 'Anna Example', iban: 'NL91ABNA0417164300' }
const deed = { type: 'proof_of_ownership', name: 'Deed.pdf', url: 'https://files.example.com/deed.pdf' }

/** Has accepted the invitation that was sent to the address, and submitted everything. `service` is that of its operator. Resolves with the id. */
export async function siteOwnerAt(service: Service, email: string): Promise<string> {
  const mail = await until(() => mailsIn(service.data).find((raw) => headersOf(raw).get('to')?.includes(email)))
  const { request } = await makeOrganization(service, { name: 'Land and Co' })
  const own = '/api/v1/site-owner'
  const { site_owner_id } = (await request('POST', `${own}/accept-invitation/${tokenIn(mail)}`)).body
  await request('PUT', `${own}/profile`, profile)
  await request('PUT', `${own}/onboarding/bank-details`, bank)
  await request('POST', `${own}/onboarding/documents`, deed)
  await request('POST', `${own}/onboarding/complete`)
  return site_owner_id
}
