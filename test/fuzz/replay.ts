// A kept input, sent to a new service: what it does, and whether the service is whole afterwards.

import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { bootChargePoint } from '../support/charge-point.js'
import { startService, type Teardowns } from '../support/service.js'
import { inspect, probeAll } from './afterwards.js'
import { createDebts } from './answers.js'
import type { KeptInput } from './findings.js'
import { answerCheck, send } from './requests-target.js'
import { fuzzFlags } from './session.js'
import { exchange } from './upgrades-target.js'
import { openFuzzSocket } from './web-socket.js'

/** What was seen goes to standard output; returns what is wrong. */
export async function replay(teardowns: Teardowns, file: string): Promise<string[]> {
  const input = JSON.parse(readFileSync(file, 'utf8')) as KeptInput
  const service = await startService(teardowns, { flags: fuzzFlags })
  const faults: string[] = []
  const fault = (text: string): void => void faults.push(text)
  const old = await bootChargePoint(service, 'OLD-SOCKET')
  if (input.target === 'frames') await replayFrames(service, input.frames, fault)
  else if (input.target === 'upgrades') {
    await service.register('FUZZ-UPGRADE')
    const chunks = input.chunks.map((chunk) => Buffer.from(chunk, 'base64'))
    const { status, wrong } = await exchange(service.port, { chunks, expects: 'anything' })
    console.log(`answered with ${status ?? 'nothing'}`)
    if (wrong !== undefined) fault(wrong)
  } else {
    const headers = { ...input.headers, authorization: `Bearer ${service.key}` }
    const answer = await send(service, { ...input, headers })
    console.log(`${answer.status} ${answer.body}`)
    const { body } = await service.request('GET', '/api/v1/openapi.json')
    const wrong = answerCheck(body)({ ...input, headers, operation: undefined }, answer)
    if (wrong !== undefined) fault(wrong)
  }
  await inspect(service, fault)
  if (service.process.exitCode === null && service.process.signalCode === null)
    await probeAll(service, old, ['OLD-SOCKET'], fault)
  return faults
}

async function replayFrames(
  service: Awaited<ReturnType<typeof startService>>,
  frames: readonly string[],
  fault: (text: string) => void,
): Promise<void> {
  await bootChargePoint(service, 'FUZZ-0')
  const debts = createDebts()
  const socket = await openFuzzSocket(service.port, '/ocpp16/FUZZ-0', {
    text(text) {
      console.log(`< ${text.slice(0, 1_000)}`)
      debts.mayOwe()
      const taken = debts.take(text)
      if (taken.type === 'wrong') fault(`${taken.what}: ${text.slice(0, 200)}`)
    },
    violation: fault,
    closed() {},
  })
  for (const frame of frames) {
    const bytes = Buffer.from(frame, 'base64')
    console.log(`> ${bytes.length} bytes`)
    socket.send(bytes)
    await delay(20)
  }
  await delay(1_000)
  console.log(
    socket.closed === undefined ? 'the socket is open' : `the socket is closed: ${JSON.stringify(socket.closed)}`,
  )
}
