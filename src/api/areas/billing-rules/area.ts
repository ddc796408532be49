// The area of billing rules: they change what sessions cost that end from now on.

import { billingRulesTable } from '../../../records/billing-rule.js'
import { defineArea } from '../../pipeline/area.js'
import { defineOwned } from '../../pipeline/owned.js'
import { operator } from '../../surfaces/operator.js'

export const area = defineArea(operator, {
  tag: 'Billing rules',
  about: 'Discounts, surcharges and bounds that apply to ended sessions, with a test and a simulation.',
  path: '/api/v1/billing/rules',
  read: 'read:billing',
  write: 'write:billing',
})

export const rules = defineOwned({ table: billingRulesTable, id: 'rule_id', idPrefix: 'rul', called: 'billing rule' })
