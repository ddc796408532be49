// The fuzzer in its small size. The seed is in the output; AMPSHARD_FUZZ_SEED gives it again, and npm run fuzz the rest.

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'tap'
import { fuzzTargets } from './findings.js'
import { fuzz } from './session.js'

test('fuzz - whatever is sent, the service answers, stays whole, and gives the memory back', async (t) => {
  const seed = Number(process.env.AMPSHARD_FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 20))
  const { findings, figures } = await fuzz(t, {
    seed,
    sizes: { frames: 8_000, upgrades: 400, requests: 1_500, floods: 100 },
    targets: fuzzTargets,
    minutes: 1,
    corpus: mkdtempSync(join(tmpdir(), 'ampshard-fuzz-')),
    sockets: 16,
    quietSeconds: 60,
    tell() {},
  })
  t.comment(`seed ${seed}`, figures)
  t.same(findings.list, [])
  t.ok(Number(figures['frames: answers']) > 1_000, 'frames were answered')
  t.ok(Number(figures['upgrades: letIn']) > 20, 'upgrades were let in')
  t.ok(Number(figures['floods: answered']) > 10, 'what came with floods was answered')
  t.ok(Number(figures['requests: accepted']) > 100, 'requests were accepted')
})
