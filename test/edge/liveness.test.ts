// Pings and the dead: what is done about a silent socket.

import { test } from 'tap'
import { judge } from '../../src/edge/liveness.js'
import type { Socket } from '../../src/edge/socket.js'

const options = { deadPeerSeconds: 120, heartbeatIntervalSeconds: 300 }

function socket(fields: Partial<Socket> = {}): Socket {
  return {
    connection: 16,
    address: { kind: 'charge-point', id: 'CP-1' },
    partition: 1,
    epoch: 1,
    details: {
      incarnation: 1,
      remoteAddress: '::1',
      subprotocol: 'ocpp1.6',
      securityProfile: 0,
      overTls: false,
      connectedAt: 0,
      letInBy: { mark: '' },
    },
    pingIntervalSeconds: 30,
    webSocket: undefined,
    recordedName: '',
    recorded: undefined,
    held: undefined,
    heardAt: 0,
    pingedAt: 0,
    answersPings: false,
    configuredHeartbeatSeconds: undefined,
    frames: 0,
    bytes: 0,
    pings: 0,
    closing: undefined,
    ...fields,
  }
}

test('liveness - a silent socket is pinged, once an interval', (t) => {
  t.equal(judge(socket(), 29_999, options), 'quiet')
  t.equal(judge(socket(), 30_000, options), 'ping')
  t.equal(judge(socket({ pingedAt: 30_000 }), 59_999, options), 'quiet')
  t.equal(judge(socket({ pingedAt: 30_000 }), 60_000, options), 'ping')
  t.equal(judge(socket({ heardAt: 20_000 }), 45_000, options), 'quiet', 'one that speaks needs no ping')
  t.end()
})

test('liveness - one that has answered pings is gone after three that it has not', (t) => {
  const answers = { answersPings: true, pingedAt: 75_000 }
  t.equal(judge(socket(answers), 90_000, options), 'quiet')
  t.equal(judge(socket(answers), 90_001, options), 'gone')
  t.end()
})

test('liveness - one that never answered a ping has the time of two heartbeats', (t) => {
  const silent = { pingedAt: 645_000 }
  t.equal(judge(socket(silent), 660_000, options), 'quiet')
  t.equal(judge(socket(silent), 660_001, options), 'gone')
  const short = { deadPeerSeconds: 1_000, heartbeatIntervalSeconds: 10 }
  const asked = { pingedAt: 985_000 }
  t.not(judge(socket(asked), 1_000_000, short), 'gone')
  t.equal(judge(socket(asked), 1_000_001, short), 'gone', 'or the longer time that is set')
  t.end()
})

test('liveness - one whose configuration has it speak less often has more time, if it answers no pings', (t) => {
  const rare = { pingedAt: 7_900_000, configuredHeartbeatSeconds: 3_600 }
  t.not(judge(socket(rare), 7_920_000, options), 'gone')
  t.equal(judge(socket(rare), 7_920_001, options), 'gone')
  const often = { pingedAt: 645_000, configuredHeartbeatSeconds: 10 }
  t.not(judge(socket(often), 660_000, options), 'gone', 'never less than others')
  t.equal(
    judge(socket({ answersPings: true, pingedAt: 75_000, configuredHeartbeatSeconds: 3_600 }), 90_001, options),
    'gone',
  )
  t.end()
})

test('liveness - one that was not asked while we stood still is asked, and given time to answer', (t) => {
  for (const answersPings of [true, false]) {
    const silent = { answersPings, heardAt: 31_000, pingedAt: 30_000 }
    t.equal(judge(socket(silent), 5_000_000, options), 'ping')
    t.equal(judge(socket({ ...silent, pingedAt: 5_000_000 }), 5_009_999, options), 'quiet')
    t.equal(judge(socket({ ...silent, pingedAt: 5_000_000 }), 5_010_000, options), 'gone')
    t.equal(judge(socket({ ...silent, heardAt: 5_000_050, pingedAt: 5_000_000 }), 5_010_000, options), 'quiet')
  }
  t.end()
})

test('liveness - one that must not be pinged never is, and is gone by silence alone', (t) => {
  const unpinged = socket({ pingIntervalSeconds: 0, answersPings: true })
  t.equal(judge(unpinged, 660_000, options), 'quiet')
  t.equal(judge(unpinged, 660_001, options), 'gone')
  t.end()
})
