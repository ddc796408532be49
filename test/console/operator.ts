// Somebody of a new organization, who is signed in and does what its key may do: what a test changes there concerns no other.

import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { type Tenant, tenantOf } from '../support/organization.js'
import type { Service } from '../support/service.js'
import { goTo, installationStage } from './stage.js'

export interface Operator {
  /** As the organization sees it. */
  readonly service: Tenant
  readonly page: Page
  readonly complaints: readonly string[]
  /** Below /console; it has what it asks for then. */
  goTo(path: string): Promise<void>
  /** Presses the button of this name, exactly: that of the dialog, where one is open. */
  press(name: string): Promise<void>
  /** What the API answers. */
  read(path: string): Promise<Record<string, unknown> & { readonly data: readonly Record<string, unknown>[] }>
}

export async function operator(t: Test): Promise<Operator> {
  return await at(t, await tenantOf((await installationStage()).service))
}

/** Somebody of the organization that operates the installation. */
export async function installationOperator(
  t: Test,
): Promise<Omit<Operator, 'service'> & { readonly service: Service }> {
  return await at(t, (await installationStage()).service as Tenant)
}

async function at(t: Test, service: Tenant): Promise<Operator> {
  const stage = await installationStage()
  const { page, complaints } = await stage.signedIn(t, service.key, { acceptDownloads: true })
  return {
    service,
    page,
    complaints,
    goTo: (path) => goTo(page, path),
    async press(name) {
      const dialog = page.locator('dialog[open]')
      const within = (await dialog.count()) > 0 ? dialog.last() : page.locator('body')
      await within.getByRole('button', { name, exact: true }).click()
    },
    read: async (path) => (await service.request('GET', path)).body,
  }
}
