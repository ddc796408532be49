import { defineAttack } from '../attack.js'

export const connectionChurn = defineAttack({
  name: 'connection-churn',
  does: 'Fifty charge points connect and drop the connection, without a pause.',
  chargePoints: 50,
  run: (attacker) =>
    attacker.lanes(attacker.chargePointIds.length, async (lane) => {
      const socket = await attacker.connect(attacker.chargePointIds[lane] as string)
      if (socket !== undefined) attacker.count('let in')
      socket?.destroy()
    }),
})
