import { defineAttack } from '../attack.js'
import { endSessions } from '../ground.js'

const values = Array.from({ length: 200 }, (_, at) => `TAG-${at}-${'x'.repeat(10)}`)
const conditions = Array.from({ length: 20 }, () => ({ field: 'id_tag', operator: 'not_in', value: values }))
const rule = { name: 'Heavy', priority: 1, conditions, actions: [{ type: 'discount_percent', value: 1 }] }
const rules = Array.from({ length: 5 }, () => rule)

export const simulations = defineAttack({
  name: 'simulations',
  finding: 'M7',
  does: 'A tenant simulates five rules of 4,000 values each over its sessions on 10 connections without end.',
  chargePoints: 1,
  prepare: async ({ tenant, chargePointIds }) => void (await endSessions(tenant, chargePointIds[0] as string, 200)),
  run: (attacker) =>
    attacker.lanes(5, async () => {
      const period = { from: '2026-01-01T00:00:00Z', to: new Date().toISOString() }
      await attacker.request('POST', '/api/v1/billing/rules/simulate', { rules, ...period })
    }),
})
