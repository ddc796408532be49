// Any life of a charge point: comings and goings, faults, ends of the process and of its shard, words that are lost. What is told of
// each subject alternates, and in the end says what is.

import fc from 'fast-check'
import { test } from 'tap'
import { createStage, minuteMs, type Stage } from './stage.js'

const id = 'CP-1'

interface Life {
  connected: boolean
  readonly faulted: Set<number>
}

type Step = (stage: Stage, life: Life) => Promise<void>

const steps: Readonly<Record<string, Step>> = {
  async connect(stage, life) {
    await stage.connect(id)
    await stage.call(id, 'BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' })
    life.connected = true
  },
  async disconnect(stage, life) {
    await stage.disconnect(id)
    life.connected = false
  },
  async fault(stage, life) {
    if (!life.connected) return
    await stage.status(id, 1, 'Faulted')
    life.faulted.add(1)
  },
  async mend(stage, life) {
    if (!life.connected) return
    await stage.status(id, 1, 'Available')
    life.faulted.delete(1)
  },
  async 'end the process'(stage, life) {
    await stage.restart()
    life.connected = false
  },
  async 'a word is lost'(stage) {
    stage.setAstray(true)
    await stage.look()
    stage.setAstray(false)
  },
  'what was lost comes late': (stage) => stage.arriveLate(),
  async 'the disk is full'(stage) {
    stage.refuseWrites(true)
    await stage.look()
    stage.refuseWrites(false)
  },
  'a moment': (stage) => stage.pass(20_000),
  'a minute': (stage) => stage.pass(minuteMs),
  'a while': (stage) => stage.pass(4 * minuteMs),
}

const names = fc.constantFrom(...Object.keys(steps))

test('alerts - of every subject what is told alternates, and ends as the subject does', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(names, { maxLength: 40 }), async (lived) => {
      const stage = createStage()
      await stage.organization({ charge_point_offline_minutes: 3, connector_faulted_minutes: 1 })
      await stage.register(id)
      const life: Life = { connected: false, faulted: new Set() }
      await steps.connect?.(stage, life)
      for (const name of lived) await steps[name]?.(stage, life)
      await stage.pass(6 * minuteMs)
      const told = new Map<string, string[]>()
      for (const line of stage.told()) {
        const [event = '', ...about] = line.split(' ')
        told.set(about.join(' '), [...(told.get(about.join(' ')) ?? []), event])
      }
      for (const [about, events] of told) {
        const alternates = events.every((event, at) => event === (at % 2 === 0 ? 'triggered' : 'resolved'))
        if (!alternates) throw new Error(`${about}: ${events}`)
      }
      const expected = [
        ...(life.connected ? [] : ['charge_point_offline CP-1']),
        ...[...life.faulted].map((connector) => `connector_faulted CP-1/${connector}`),
      ]
      if (stage.open().join() !== expected.join()) throw new Error(`${stage.open()} are open, not ${expected}`)
      return true
    }),
    { numRuns: 60 },
  )
  t.pass('whatever happened')
})
