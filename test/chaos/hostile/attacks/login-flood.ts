import { defineAttack } from '../attack.js'

const addresses = 200

export const loginFlood = defineAttack({
  name: 'login-flood',
  does: 'Strangers at two hundred addresses log in to accounts that do not exist over 40 connections: each attempt is the work of a password.',
  async run(attacker) {
    let attempts = 0
    await attacker.lanes(20, async () => {
      const number = ++attempts % addresses
      const localAddress = `127.67.${attacker.index}.${1 + number}`
      const account = { email: `nobody-${attacker.index}-${attempts}@example.com`, password: 'Ladestation 2026' }
      await attacker.request('POST', '/api/v1/installer/login', account, { localAddress })
    })
  },
})
