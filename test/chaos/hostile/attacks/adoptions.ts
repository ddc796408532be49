import { defineAttack } from '../attack.js'

export const adoptions = defineAttack({
  name: 'adoptions',
  finding: 'M10',
  does: 'A stranger connects with ever new ids to a service that registers unknown charge points, over 40 connections.',
  flags: ['--unknown-charge-points', 'accept'],
  async run(attacker) {
    let made = 0
    await attacker.lanes(20, async () => {
      const socket = await attacker.connect(`ADOPTED-${attacker.index}-${++made}`)
      if (socket !== undefined) attacker.count('let in')
      await attacker.pause(5)
      socket?.destroy()
    })
  },
})
