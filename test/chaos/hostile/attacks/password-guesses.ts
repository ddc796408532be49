import { defineAttack } from '../attack.js'
import { floodRequests } from '../flood.js'
import { upgradeRequest } from '../upgrade-request.js'

const chargePointId = 'password-guesses-0'
const credentials = Buffer.from(`${chargePointId}:wrong`).toString('base64')

export const passwordGuesses = defineAttack({
  name: 'password-guesses',
  finding: 'L10',
  does: 'A stranger guesses the password of a charge point over 20 connections as fast as it is answered.',
  chargePoints: 1,
  async prepare({ tenant, chargePointIds }) {
    await tenant.request('POST', `/api/v1/chargepoints/${chargePointIds[0]}/authorization-key`, {})
  },
  run: (attacker) =>
    floodRequests(attacker, 10, upgradeRequest(chargePointId, [`Authorization: Basic ${credentials}`])),
})
