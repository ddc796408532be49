// The frame reader and the tolerant reader, held to rules that no input may break.

import fc from 'fast-check'
import { test } from 'tap'
import { createRandom } from '../../bench/client/random.js'
import { messages, readFrame, readRequest, readResponse, writeError, writeResult } from '../../src/ocpp16/index.js'
import { samples } from '../ocpp16/every-message.js'
import { createFrames, owedFor } from './frames.js'
import { hostileValue, jsonOf, mutateText, mutateValue } from './values.js'

const seeds = fc.integer({ min: 0, max: 2 ** 31 })
const receivedAt = Date.UTC(2026, 10, 1)
const actions = Object.keys(samples)
const isUnicode = (text: string): boolean => Buffer.from(text).toString() === text

const lasting: ReadonlySet<string> = new Set(['empty-array', 'out-of-range', 'text-too-long'])

/** What a charge point might have meant, after its JSON has been read. */
function mutated(seed: number, value: unknown): unknown {
  const random = createRandom(seed)
  let payload = value
  for (let times = seed % 4; times > 0; times--) payload = mutateValue(payload, random)
  if (seed % 11 === 0) payload = hostileValue(random)
  try {
    return JSON.parse(jsonOf(payload)) as unknown
  } catch {
    return undefined
  }
}

test('reader - whatever a payload is, it is read or refused, and what was read is read again as it is', async (t) => {
  const property = fc.property(seeds, fc.constantFrom(...actions), fc.boolean(), (seed, action, asRequest) => {
    const definition = messages.get(action)
    const sample = samples[action]
    if (definition === undefined || sample === undefined) return false
    const read = (payload: unknown) =>
      asRequest ? readRequest(definition, payload, receivedAt) : readResponse(definition, payload, receivedAt)
    const first = read(mutated(seed, asRequest ? sample.request : sample.response))
    if (!first.ok) return typeof first.description === 'string' && first.description !== ''
    const again = read(first.value)
    // An empty list stays one, and a fault, and so do connector 0 and a name that is too long: there is nothing to put in their place.
    return (
      again.ok &&
      again.violations.every(({ rule }) => lasting.has(rule)) &&
      JSON.stringify(again.value) === JSON.stringify(first.value)
    )
  })
  fc.assert(property, { numRuns: 5_000 })
  t.pass('held')
})

test('reader - every CALL with a usable id is read as one that can be answered under that id', async (t) => {
  const property = fc.property(seeds, (seed) => {
    const random = createRandom(seed)
    const action = actions[seed % actions.length] as string
    let text = jsonOf([2, seed % 3 === 0 ? hostileValue(random) : `id-${seed}`, action, mutateValue({}, random)])
    if (seed % 2 === 0) text = mutateText(text, random)
    const owed = owedFor(text)
    const frame = readFrame(text)
    if (owed === undefined) return true
    // A name that is not Unicode is none, and is shown in another way.
    if (frame.type !== 'call' || (isUnicode(owed.action) && frame.action !== owed.action)) return false
    const answers = [writeResult(frame.rawMessageId, {}), writeError(frame.rawMessageId, 'GenericError', text)]
    return answers.every((answer) => `${(JSON.parse(answer) as unknown[])[1]}` === owed.id)
  })
  fc.assert(property, { numRuns: 5_000 })
  t.pass('held')
})

test('reader - frames of the fuzzer are read without a throw, and some of each kind are among them', async (t) => {
  const frames = createFrames(createRandom(1))
  const kinds = new Set<string>()
  for (let at = 0; at < 5_000; at++) {
    const { bytes } = frames.next()
    const text = bytes.subarray(Math.min(bytes.length, 6)).toString('utf8')
    kinds.add(readFrame(text).type)
    const { owed, breaks, odd } = frames.next()
    kinds.add(owed !== undefined ? 'owed' : breaks ? 'breaks' : odd ? 'odd' : 'control')
  }
  for (const kind of ['owed', 'breaks', 'odd', 'control', 'malformed']) t.ok(kinds.has(kind), kind)
})
