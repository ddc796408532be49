// What a tenant has: a kit makes a thing of each kind when it is first asked for it.

import type { Route } from '../../src/api/pipeline/route.js'
import { type Charger, connectCharger } from './charger.js'
import { identifiers, kindsOf } from './identifiers.js'
import type { Tenant } from './tenants.js'

export type Id = string | number

export interface Kit {
  readonly tenant: Tenant
  /** Of this kind, and always the same one. */
  id(name: string): Promise<Id>
  /** The charge point of the kit, connected. */
  charger(): Promise<Charger>
}

/** `fixed` are identifiers that it is to begin with. */
export function createKit(tenant: Tenant, fixed: Readonly<Record<string, Id>> = {}): Kit {
  const ids = new Map<string, Promise<Id>>(Object.entries(fixed).map(([name, id]) => [name, Promise.resolve(id)]))
  let charger: Promise<Charger> | undefined

  function made(name: string): Promise<Id> {
    const identifier = identifiers[name]
    if (identifier === undefined) throw new Error(`identifiers.ts does not say how to make ${name}`)
    const id = ids.get(name) ?? identifier.make(kit)
    ids.set(name, id)
    return id
  }

  const kit: Kit = {
    tenant,
    id: (name) => (name === 'charge_point_id' ? kit.charger().then(({ id }) => id) : made(name)),
    charger() {
      charger ??= made('charge_point_id').then((id) => connectCharger(tenant.service, `${id}`, { model: tenant.mark }))
      return charger
    },
  }
  return kit
}

/** Makes those of these kinds that take long, all of them together. */
export async function hasten(kit: Kit, kinds: readonly string[] = Object.keys(identifiers)): Promise<void> {
  await Promise.all(kinds.filter((name) => identifiers[name]?.slow === true).map((name) => kit.id(name)))
}

/** One of each kind. */
export async function everyIdOf(kit: Kit): Promise<Map<string, Id>> {
  await hasten(kit)
  const ids = new Map<string, Id>()
  for (const name of Object.keys(identifiers)) ids.set(name, await kit.id(name))
  return ids
}

/** One for each of the routes, which has what takes long. */
export async function kitsFor(tenant: Tenant, routes: readonly Route[]): Promise<Kit[]> {
  const kits = routes.map((route) => ({ route, kit: createKit(tenant) }))
  await Promise.all(kits.map(({ route, kit }) => hasten(kit, kindsOf(route))))
  return kits.map(({ kit }) => kit)
}
