// Whose fault a call's failure is: the other side's, which counts as an attempt, or this machine's own, which does not.

import { test } from 'tap'
import { failureOf } from '../../../src/jobs/outbound/failure.js'

const noAddress = (address: string): Error =>
  Object.assign(new Error(`connect EADDRNOTAVAIL ${address}:443`), { code: 'EADDRNOTAVAIL', address })
/** As node has it where several addresses of a host were tried. */
const ofSeveral = (...errors: Error[]): Error =>
  Object.assign(new AggregateError(errors), { code: (errors[0] as { code?: string } | undefined)?.code })

test('outbound - an IPv6 host cannot be reached from a machine that has IPv4 alone: that is no shortage of its own', (t) => {
  const unreachable = { outbound: 'connection', message: 'the host cannot be reached' }
  t.match(failureOf(noAddress('2606:4700::1111')), unreachable)
  t.match(failureOf(ofSeveral(noAddress('2606:4700::1111'), noAddress('2606:4700::1112'))), unreachable)
  t.end()
})

test('outbound - a machine whose ports or files have run out has not made the call', (t) => {
  t.throws(() => failureOf(noAddress('192.0.2.1')))
  t.throws(() => failureOf(ofSeveral(noAddress('192.0.2.1'), noAddress('2606:4700::1111'))))
  t.throws(() => failureOf(Object.assign(new Error('too many open files'), { code: 'EMFILE' })))
  t.end()
})
