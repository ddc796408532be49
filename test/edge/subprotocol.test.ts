// The subprotocol: echoed as it was offered, or not at all (OCPP-J 1.6, 3.1.2; RFC 6455, 4.2.2).

import { test } from 'tap'
import { chooseSubprotocol } from '../../src/edge/subprotocol.js'

const table: readonly (readonly [string, { readonly lenient: string; readonly strict: string }])[] = [
  ['ocpp1.6', { lenient: 'echo ocpp1.6', strict: 'echo ocpp1.6' }],
  ['OCPP1.6', { lenient: 'echo OCPP1.6', strict: 'echo OCPP1.6' }],
  ['ocpp2.0.1, ocpp1.6', { lenient: 'echo ocpp1.6', strict: 'echo ocpp1.6' }],
  ['ocpp1.6,ocpp1.5', { lenient: 'echo ocpp1.6', strict: 'echo ocpp1.6' }],
  ['  ocpp1.6  ,', { lenient: 'echo ocpp1.6', strict: 'echo ocpp1.6' }],
  ['', { lenient: 'echo ', strict: 'no_subprotocol' }],
  [' , ', { lenient: 'echo ', strict: 'no_subprotocol' }],
  ['ocpp1.5', { lenient: 'wrong_subprotocol', strict: 'wrong_subprotocol' }],
  ['ocpp2.0.1', { lenient: 'wrong_subprotocol', strict: 'wrong_subprotocol' }],
  ['ocpp1.6j', { lenient: 'wrong_subprotocol', strict: 'wrong_subprotocol' }],
]

for (const [offered, { lenient, strict }] of table) {
  test(`subprotocol - "${offered}"`, (t) => {
    for (const [required, expected] of [
      [false, lenient],
      [true, strict],
    ] as const) {
      const choice = chooseSubprotocol(offered, required)
      t.equal(choice.ok ? `echo ${choice.echo}` : choice.reason, expected, required ? 'required' : 'not required')
      if (!choice.ok) t.match(choice.advice, /ocpp1\.6/)
    }
    t.end()
  })
}
