import { registerAll } from '../../fleet.js'
import { defineAttack } from '../attack.js'

const chargePoints = 3_000

export const search = defineAttack({
  name: 'search',
  finding: 'M7',
  does: 'A tenant with 3,000 charge points at one place searches them over 20 connections without end.',
  prepare: ({ tenant }) =>
    registerAll(
      tenant,
      Array.from({ length: chargePoints }, (_, at) => `SEARCH-${at}`),
    ),
  run: (attacker) =>
    attacker.lanes(10, async () => {
      await attacker.request('GET', '/api/v1/chargepoints/search?latitude=52.5&longitude=13.4&radius_km=500')
    }),
})
