// How long a token is good without a question, whatever the clock did meanwhile.

import { test } from 'tap'
import { decideAtOnce } from '../../src/ocpi/authorize.js'
import { partnerRow, tokenRow } from '../support/roaming-rows.js'

const hour = 3_600_000
const now = Date.parse('2026-05-01T12:00:00Z')
const partner = partnerRow('org_1')

function decided(heardAt: number, pulledAt: number): string | undefined {
  const token = tokenRow(partner, { whitelist: 'ALLOWED', heard_at: heardAt })
  return decideAtOnce({ token, partner, pulledAt }, { chargePointId: 'CP-1', now })?.status
}

test('token - one of which nothing was heard for a day is asked about', (t) => {
  t.equal(decided(now - hour, 0), 'Accepted')
  t.equal(decided(now - 100 * hour, now - hour), 'Accepted')
  t.equal(decided(now - 25 * hour, now - 25 * hour), undefined)
  t.end()
})

test('token - one that was heard of by a clock which was a year ahead is asked about', (t) => {
  const ahead = now + 365 * 24 * hour
  t.equal(decided(ahead, 0), undefined)
  t.equal(decided(now - 100 * hour, ahead), undefined)
  t.equal(decided(now + hour, 0), 'Accepted', 'not for an hour')
  t.end()
})

test('token - one of a partner that only pushes is as it was pushed', (t) => {
  t.equal(decided(now - 1_000 * hour, Number.POSITIVE_INFINITY), 'Accepted')
  t.end()
})
