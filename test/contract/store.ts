// The Store contract, run by every implementation: what any of them must do with rows, lists, conditions, owners and time.

import { storeConditions } from './store-conditions.js'
import { storeLifetime } from './store-lifetime.js'
import { storeLists } from './store-lists.js'
import { storeOwners } from './store-owners.js'
import { storeRows } from './store-rows.js'
import { type StorePlace, storeTests } from './store-stage.js'

export function storeContract(name: string, makePlace: () => StorePlace): void {
  const storeTest = storeTests(name, makePlace)
  for (const contract of [storeRows, storeLists, storeConditions, storeOwners, storeLifetime]) contract(storeTest)
}
