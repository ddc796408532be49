// Field note 22 (shiv3 simulator#260, Java-OCA-OCPP#163, steve#1895).

import { test } from 'tap'
import { rawUpgrade } from '../support/raw-socket.js'
import { sharedService } from '../support/shared-services.js'

const basic = (user: string, password: Buffer | string): string =>
  `Basic ${Buffer.concat([Buffer.from(`${user}:`), Buffer.from(password)]).toString('base64')}`

test('the password is sent as the bytes of the key, or as its hex - both are right, and bytes need not be UTF-8', async (t) => {
  const service = await sharedService(['--flap-connects-per-minute', '1000'])
  for (let round = 0; round < 5; round++) {
    const id = `CP-22-${round}`
    await service.register(id)
    const made = await service.request('POST', `/api/v1/chargepoints/${id}/authorization-key`)
    t.equal(made.status, 201)
    const hex: string = made.body.authorization_key
    t.match(hex, /^[0-9a-f]{40}$/i)
    const bytes = Buffer.from(hex, 'hex')
    const login = async (authorization: string | undefined): Promise<number> => {
      const peer = await rawUpgrade(service.port, `/ocpp16/${id}`, { Authorization: authorization })
      peer.socket.destroy()
      return peer.status
    }
    t.equal(await login(basic(id, bytes)), 101, 'bytes')
    t.equal(await login(basic(id, hex.toLowerCase())), 101, 'hex')
    t.equal(await login(basic(id, hex.toUpperCase())), 101, 'hex in upper case')
    t.equal(await login(basic(id, bytes.subarray(0, 19))), 401, 'a byte short')
    t.equal(await login(basic(id, Buffer.from(bytes.toString('utf8')))), 401, 'bytes that went through a UTF-8 string')
    t.equal(await login(basic('CP-OTHER', bytes)), 401, 'the user name of another')
    t.equal(await login('Basic !!!'), 401, 'no Basic authentication at all')
    t.equal(await login(undefined), 401, 'no password')
  }
})
