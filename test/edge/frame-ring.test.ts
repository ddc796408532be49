// The ring of the newest frames: what it keeps of whom, and what makes room for what.

import fc from 'fast-check'
import { pino } from 'pino'
import { test } from 'tap'
import { createFrameRecorder, type RecordedChain } from '../../src/edge/frame-recorder.js'
import { type Chain, countAt, createFrameRing, type FrameRing, type RingFrame } from '../../src/edge/frame-ring.js'
import { limits } from '../../src/edge/limits.js'
import { secretStructures, secretTexts } from '../ocpp16/secret-forms.js'

const log = pino({ level: 'silent' })
const most = Number.POSITIVE_INFINITY
const everything = { limit: most, bytes: most, since: 0, until: most, behind: 0, passed: most }
const newChain = (id: string): Chain => ({ name: id, at: 0, count: 0, last: undefined })

function addAt(ring: FrameRing, chain: Chain, at: number, text: string): void {
  countAt(chain, at)
  ring.add(chain, 'in', text)
}

test('frame ring - each charge point has its own newest frames, as they were said, and the oldest of all make room', (t) => {
  const texts = fc.string({ unit: 'grapheme', maxLength: 300 })
  const frame = fc.record({
    who: fc.nat(3),
    later: fc.nat(1),
    text: texts,
    direction: fc.constantFrom('in' as const, 'out' as const),
  })
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 200 }), (frames) => {
      const ring = createFrameRing({ bytes: 8_192, frameBytes: 1_024, now: () => 1 })
      const chains = [0, 1, 2, 3].map((id) => newChain(String(id)))
      const told: RingFrame[][] = [[], [], [], []]
      let at = 1
      for (const { who, later, text, direction } of frames) {
        at += later
        const count = countAt(chains[who] as Chain, at)
        ring.add(chains[who] as Chain, direction, text)
        told[who]?.unshift({ at, count, direction, text, cut: false })
      }
      let kept = 0
      for (const [who, chain] of chains.entries()) {
        const found = ring.read(chain, everything).frames
        kept += found.length
        const all = told[who] as RingFrame[]
        const same =
          JSON.stringify(found.map((one) => ({ ...one, text: '' }))) ===
          JSON.stringify(all.slice(0, found.length).map((one) => ({ ...one, text: '' })))
        // A lone surrogate has no UTF-8.
        const texts = found.every(({ text }, index) => text === Buffer.from(all[index]?.text ?? '').toString())
        const lost = all.slice(found.length)
        if (!same || !texts) throw new Error('it is not what was said')
        if (lost.some(({ at }) => at > ring.completeSince)) throw new Error('newer than what is complete, and gone')
      }
      if (kept !== ring.frames) throw new Error(`${kept} frames are found of ${ring.frames}`)
    }),
  )
  t.end()
})

test('frame ring - what is longer than is kept of one frame is cut, and says so', (t) => {
  const ring = createFrameRing({ bytes: 65_536, frameBytes: 1_024, now: () => 1 })
  const chain = newChain('CP-1')
  addAt(ring, chain, 2, 'x'.repeat(2_000))
  addAt(ring, chain, 3, 'ü'.repeat(513))
  addAt(ring, chain, 4, 'ü'.repeat(512))
  const found = ring.read(chain, everything).frames
  t.same(
    found.map(({ text, cut }) => [text.length, cut]),
    [
      [512, false],
      [512, true],
      [1_024, true],
    ],
  )
  t.end()
})

test('frame ring - what is read has bounds: how many, how long together, how old, how new, and how far to look for them', (t) => {
  const ring = createFrameRing({ bytes: 65_536, frameBytes: 1_024, now: () => 1 })
  const chain = newChain('CP-1')
  for (let at = 2; at <= 9; at++) addAt(ring, chain, at, 'x'.repeat(100))
  const read = (bounds: object): readonly unknown[] => {
    const { frames, isCut } = ring.read(chain, { ...everything, ...bounds })
    return [frames.map(({ at }) => at), isCut]
  }
  t.same(read({}), [[9, 8, 7, 6, 5, 4, 3, 2], false])
  t.same(read({ limit: 1 }), [[9], true])
  t.same(read({ since: 8 }), [[9, 8], false])
  t.same(read({ bytes: 250 }), [[9, 8], true])
  t.same(read({ bytes: 1 }), [[9], true], 'the first in any case')
  t.same(read({ until: 4, limit: 2 }), [[4, 3], true])
  t.same(read({ until: 4, passed: 5 }), [[4, 3, 2], false])
  t.same(read({ until: 4, passed: 4 }), [[], true], 'farther away than is looked')
  t.same(read({ until: 4, behind: 2, limit: 2 }), [[6, 5, 4, 3], true], 'those just behind as well')
  t.same(read({ until: 4, behind: 2, limit: 2, bytes: 800 }), [[6, 5, 4, 3], true])
  t.same(read({ until: 4, behind: 2, limit: 2, bytes: 600 }), [[5, 4, 3], true], 'in a quarter of the bytes')
  t.end()
})

test('frame recorder - after the clock was set back, what is said is there all the same', (t) => {
  let now = 1_000
  const recorder = createFrameRecorder({ now: () => now, monotonic: () => 0 }, 1, log)
  const chain = recorder.opened('CP-1')
  const bounds = { limit: 10, bytes: most, since: 0, until: most, behind: 0 }
  for (let count = 0; count < 200; count++)
    recorder.frame(chain, 'in', `[2,"${now++}","Heartbeat",{"x":"${'x'.repeat(9_000)}"}]`)
  t.ok(recorder.recent('CP-1', bounds).completeSince > 1_000, 'some have made room')
  now = 500
  recorder.frame(chain, 'in', '[2,"new","Heartbeat",{}]')
  const { frames, completeSince } = recorder.recent('CP-1', { ...bounds, limit: 1 })
  t.match(frames[0]?.text, /new/)
  t.ok(completeSince <= 500, `complete since ${completeSince}`)
  t.end()
})

test('frame recorder - of one charge point, so many long frames are searched for secrets at once; those beyond are masked whole', (t) => {
  let now = 1
  const recorder = createFrameRecorder({ now: () => now, monotonic: () => now }, 1, log)
  const shown: string[] = []
  const chains = ['CP-1', 'CP-2'].map((name) => {
    recorder.follow(name, ({ text }) => shown.push(text.slice(0, 120)))
    return recorder.opened(name)
  })
  const long = (extra: string) =>
    `[2,"a","DataTransfer",{"secret":"HIDDEN","data":"${'x'.repeat(limits.frameBytes - 60)}${extra}"}]`
  const say = (at: number, text: string): string | undefined => {
    recorder.frame(chains[at] as RecordedChain, 'in', text)
    return shown.pop()
  }
  const searched = /^\[2,"a","DataTransfer",\{"secret":"\(redacted\)","data":"x/
  const whole = /^\[2,"a","DataTransfer","\(\d+ characters that may hold a secret\)"\]$/
  const atOnce = Math.floor(limits.searchedCharactersAtOnce / long('').length)
  t.ok(atOnce >= 2)
  for (let count = 0; count < atOnce; count++) t.match(say(0, long('')), searched)
  t.match(say(0, long('')), whole)
  t.match(say(1, long('')), searched, 'of another')
  const plain = '[2,"b","Heartbeat",{}]'
  t.equal(say(0, plain), plain)
  now += (1_000 * limits.frameBytes) / limits.searchedCharactersPerSecond
  t.match(say(0, long('')), searched)
  t.match(say(0, long('')), whole)
  t.end()
})

test('frame recorder - secrets are masked before a frame is kept or handed on, also where a charge point repeats one', (t) => {
  let now = 1
  const recorder = createFrameRecorder({ now: () => now++, monotonic: () => 1 }, 1, log)
  const chain = recorder.opened('CP-1')
  const followed: string[] = []
  const end = recorder.follow('CP-1', ({ text }) => followed.push(text))
  const secret = 'PLANTED-SECRET'
  recorder.frame(chain, 'out', `[2,"a","ChangeConfiguration",{"key":"AuthorizationKey","value":"${secret}"}]`)
  recorder.frame(chain, 'in', `[4,"a","InternalError","cannot set it to ${secret}",{}]`)
  recorder.frame(
    chain,
    'in',
    `[3,"b",{"configurationKey":[{"key":"Authorization\\u004bey","readonly":false,"value":"OTHER-${secret}"}]}]`,
  )
  recorder.frame(chain, 'in', `[2,"c","DataTransfer",{"vendorId":"V","data":"{\\"wifiPassword\\":\\"${secret}2\\"}"}]`)
  recorder.frame(chain, 'in', `[2,"d","DataTransfer",{"vendorId":"V","data":"password=${secret}`)
  recorder.frame(chain, 'in', '[2,"e","Heartbeat",{}]')
  end()
  recorder.frame(chain, 'in', '[2,"f","Heartbeat",{}]')
  const { frames, completeSince } = recorder.recent('CP-1', {
    limit: 100,
    bytes: most,
    since: 0,
    until: most,
    behind: 0,
  })
  t.equal(completeSince, 1)
  t.equal(frames.length, 7)
  t.equal(followed.length, 6)
  t.notMatch(JSON.stringify([frames, followed]), /SECRET/)
  t.match(JSON.stringify(frames), /AuthorizationKey/, 'but the rest is there')
  t.equal(frames[0]?.text, '[2,"f","Heartbeat",{}]')
  t.same(recorder.recent('CP-2', { limit: 100, bytes: most, since: 0, until: most, behind: 0 }).frames, [])
  t.end()
})

test('frame recorder - a secret is in no form in the ring, nor handed on', (t) => {
  const recorder = createFrameRecorder({ now: () => 1, monotonic: () => 1 }, 1, log)
  const chain = recorder.opened('CP-1')
  const followed: RingFrame[] = []
  recorder.follow('CP-1', (frame) => followed.push(frame))
  const secret = 'PLANTED-SECRET'
  const forms = ['AuthorizationKey', 'wifi_password'].flatMap((name) => [
    ...secretStructures(name, secret),
    ...secretTexts(name, secret),
  ])
  for (const data of forms) {
    recorder.frame(chain, 'in', JSON.stringify([2, 'a', 'DataTransfer', { vendorId: 'V', data }]))
    recorder.frame(chain, 'in', JSON.stringify([3, 'a', data]))
    recorder.frame(chain, 'in', JSON.stringify([2, 'a', 'DataTransfer', { vendorId: 'V', data }]).slice(0, -1))
  }
  const { frames } = recorder.recent('CP-1', everything)
  t.equal(frames.length, 3 * forms.length)
  t.equal(followed.length, frames.length)
  t.same(
    [...frames, ...followed].filter(({ text }) => text.includes(secret)),
    [],
  )
  t.end()
})

test('frame recorder - one who follows and fails keeps a frame from nobody', (t) => {
  const lines: object[] = []
  let now = 0
  const failures = { error: (line: object) => lines.push(line) } as unknown as typeof log
  const recorder = createFrameRecorder({ now: () => 1, monotonic: () => now }, 1, failures)
  const chain = recorder.opened('CP-1')
  const followed: string[] = []
  let fails = true
  recorder.follow('CP-1', ({ text }) => {
    if (fails) throw new Error('it cannot be shown')
    followed.push(`first ${text}`)
  })
  recorder.follow('CP-1', ({ text }) => followed.push(text))
  recorder.frame(chain, 'in', '1')
  recorder.frame(chain, 'in', '2')
  fails = false
  recorder.frame(chain, 'in', '3')
  t.same(followed, ['1', '2', 'first 3', '3'])
  t.equal(recorder.recent('CP-1', everything).frames.length, 3)
  t.match(lines, [{ err: /it cannot be shown/, left_out: 0 }])
  t.equal(lines.length, 1, 'a line an hour')
  now = 3_600_000
  fails = true
  recorder.frame(chain, 'in', '4')
  t.match(lines[1], { left_out: 1 })
  t.end()
})

test('frame recorder - without a ring nothing is kept, and nothing is called complete', (t) => {
  const recorder = createFrameRecorder({ now: () => 1, monotonic: () => 1 }, 0, log)
  const chain = recorder.opened('CP-1')
  const followed: string[] = []
  recorder.follow('CP-1', ({ text }) => followed.push(text))
  recorder.frame(chain, 'in', '[2,"e","Heartbeat",{}]')
  t.same(recorder.recent('CP-1', { limit: 1, bytes: most, since: 0, until: most, behind: 0 }), {
    frames: [],
    completeSince: Number.POSITIVE_INFINITY,
    isCut: false,
  })
  t.equal(followed.length, 1, 'whoever follows is told all the same')
  t.end()
})
