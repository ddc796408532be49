// What needs attention, for any fleet: each charge point in one cause of a kind at most, what is told to be shared is shared, and a planted wave is found.

import fc from 'fast-check'
import { test } from 'tap'
import type { Cause, Causes, Group } from '../../src/api/areas/fleet/cause.js'
import {
  causesOf,
  createCensus,
  faultGroups,
  isNotable,
  isTelling,
  offlineGroups,
} from '../../src/api/areas/fleet/causes.js'
import { createChangeLog } from '../../src/api/areas/fleet/change-log.js'
import type { FleetRow } from '../../src/api/areas/fleet/fleet-row.js'
import { limits } from '../../src/api/areas/fleet/limits.js'
import { atOnce } from '../../src/api/areas/fleet/steps.js'

const now = Date.parse('2026-11-22T15:00:00.000Z')
const nowSeconds = now / 1_000
const none = { refused: [], security: [] }

function rowOf(id: string, fields: Partial<FleetRow> = {}): FleetRow {
  return {
    charge_point_id: id,
    name: id,
    latitude: 0,
    longitude: 0,
    status: 'available',
    connectors: 'A',
    powerWatts: 0,
    maxPowerWatts: null,
    statusSince: nowSeconds - 3_600,
    lastSeenAt: nowSeconds,
    site: undefined,
    address: undefined,
    model: { vendor: 'Voltaris', model: 'V22' },
    firmware: '1.18',
    errorCode: undefined,
    openAlerts: 0,
    flags: 0,
    network: '10.1.0.0/16',
    isLimited: false,
    ...fields,
  }
}

const faulted = (errorCode: string): Partial<FleetRow> => ({ status: 'faulted', connectors: 'X', errorCode })

function censusOf(rows: readonly FleetRow[]) {
  const census = createCensus()
  for (const row of rows) census.add(row)
  return census
}

const attentionOf = (rows: readonly FleetRow[], reports = none): Causes =>
  atOnce(
    causesOf(rows.filter(isNotable), censusOf(rows), {
      reports,
      rowOf: (id) => rows.find((row) => row.charge_point_id === id),
      now,
    }),
  )

const causes = (rows: readonly FleetRow[], reports = none): readonly Cause[] => attentionOf(rows, reports).causes

const anyRow = fc.record({
  status: fc.constantFrom('offline', 'available', 'charging', 'faulted'),
  errorCode: fc.option(fc.constantFrom('GroundFailure', 'HighTemperature'), { nil: undefined }),
  model: fc.option(fc.constantFrom({ vendor: 'A', model: '1' }, { vendor: 'B', model: '2' }), { nil: undefined }),
  firmware: fc.option(fc.constantFrom('1', '2', '3'), { nil: undefined }),
  site: fc.option(
    fc.constantFrom({ site_id: 's1', name: 'One', address: '' }, { site_id: 's2', name: 'Two', address: '' }),
    { nil: undefined },
  ),
  network: fc.option(fc.constantFrom('10.1.0.0/16', '10.2.0.0/16'), { nil: undefined }),
  statusSince: fc.option(fc.integer({ min: nowSeconds - 300, max: nowSeconds }), { nil: null }),
  connectors: fc.constantFrom('A', 'CE', 'XA', 'O'),
  flags: fc.integer({ min: 0, max: 63 }),
})
const anyFleet = fc
  .array(anyRow, { maxLength: 120 })
  .map((rows) => rows.map((row, at) => rowOf(`CP-${String(at).padStart(3, '0')}`, row as Partial<FleetRow>)))

const sameOnce = (groups: readonly Group[], rows: readonly FleetRow[]): boolean => {
  const ids = groups.flatMap((group) => group.rows.map(({ charge_point_id }) => charge_point_id))
  return ids.length === rows.length && new Set(ids).size === rows.length
}

test('causes - each fault is in one cause, of which it has all that is shared', async () => {
  fc.assert(
    fc.property(anyFleet, (rows) => {
      const groups = atOnce(faultGroups(rows, censusOf(rows)))
      if (
        !sameOnce(
          groups,
          rows.filter(({ errorCode }) => errorCode !== undefined),
        )
      )
        return false
      return groups.every(
        ({ rows: members, shared, shareOfGroup }) =>
          members.every(
            ({ errorCode, model, firmware, site }) =>
              errorCode === shared.error_code &&
              (shared.model === undefined || (model?.model === shared.model && model?.vendor === shared.vendor)) &&
              (shared.firmware === undefined || firmware === shared.firmware) &&
              (shared.site === undefined || site?.name === shared.site),
          ) &&
          (Object.keys(shared).length === 1 ||
            (members.length >= 3 && (shareOfGroup ?? 0) > 0 && (shareOfGroup ?? 2) <= 1)),
      )
    }),
  )
})

test('causes - each that is offline is in one cause, and those that were lost together were lost within a minute', async () => {
  fc.assert(
    fc.property(anyFleet, (rows) => {
      const groups = atOnce(offlineGroups(rows))
      if (
        !sameOnce(
          groups,
          rows.filter(({ status }) => status === 'offline'),
        )
      )
        return false
      return groups
        .filter(({ shared }) => Object.keys(shared).length > 0)
        .every(({ rows: members, shared }) => {
          const times = members.map(({ statusSince }) => statusSince ?? 0)
          const areAlike = members.every(
            ({ network, site }) =>
              (shared.network === undefined || network === shared.network) &&
              (shared.site === undefined || site?.name === shared.site),
          )
          return (
            areAlike &&
            members.length >= (shared.network === undefined ? 3 : 5) &&
            Math.max(...times) - Math.min(...times) <= 60
          )
        })
    }),
  )
})

test('causes - they do not depend on the order of the charge points, and stay the same cause', async () => {
  fc.assert(
    fc.property(anyFleet, fc.integer(), (rows, seed) => {
      const shuffled = rows
        .map((row, at) => ({ row, key: Math.sin(seed + at * 7919) }))
        .sort((a, b) => a.key - b.key)
        .map(({ row }) => row)
      return JSON.stringify(causes(rows)) === JSON.stringify(causes(shuffled))
    }),
  )
})

test('causes - a wave of faults of one firmware is found in any fleet that has few of them elsewhere', async () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 3, max: 20 }),
      fc.integer({ min: 100, max: 400 }),
      fc.integer({ min: 0, max: 2 }),
      (wave, rest, strays) => {
        const rows = [
          ...Array.from({ length: wave }, (_, at) =>
            rowOf(`W-${at}`, { firmware: '1.19', ...faulted('GroundFailure') }),
          ),
          ...Array.from({ length: rest }, (_, at) => rowOf(`R-${at}`, at < strays ? faulted('GroundFailure') : {})),
        ]
        const [first] = causes(rows)
        return first?.charge_points === wave && first.shared.firmware === '1.19' && first.share_of_group === 1
      },
    ),
  )
})

test('causes - what is as frequent elsewhere is told of nobody', (t) => {
  t.notOk(isTelling(2, 2, 2, 100), 'two are too few')
  t.ok(isTelling(3, 10, 3, 100))
  t.notOk(isTelling(3, 3, 3, 3), 'a group that is the fleet says nothing')
  t.ok(isTelling(10, 20, 11, 30), 'five times as frequent')
  t.notOk(isTelling(9, 20, 10, 30), 'and not less')
  const rows = Array.from({ length: 20 }, (_, at) => rowOf(`CP-${at}`, at % 2 === 0 ? faulted('OtherError') : {}))
  t.match(causes(rows), [
    { kind: 'faults', charge_points: 10, shared: { error_code: 'OtherError', model: null }, share_of_group: null },
  ])
  t.end()
})

test('causes - charge points that lost the network together are told apart from those that are offline', (t) => {
  const lost = (id: string, seconds: number, network: string) =>
    rowOf(id, { status: 'offline', connectors: 'O', statusSince: nowSeconds - seconds, network })
  const rows = [
    ...Array.from({ length: 6 }, (_, at) => lost(`A-${at}`, 600 + at * 10, '10.64.0.0/16')),
    ...Array.from({ length: 4 }, (_, at) => lost(`B-${at}`, 600 + at, '10.65.0.0/16')),
    rowOf('NEVER', { status: 'offline', connectors: 'O', statusSince: null }),
  ]
  const told = causes(rows)
  t.match(told, [
    { charge_points: 6, shared: { network: '10.64.0.0/16' }, title: '6 charge points were lost together' },
    { charge_points: 4, shared: { network: null, site: null }, filter: 'id:B-0,B-1,B-2,B-3' },
    { charge_points: 1, title: '1 charge point has never connected', since: null, filter: 'status:offline seen:never' },
  ])
  t.equal(told.length, 3, 'one that never came is not lost')
  t.match(told[0]?.filter, /^status:offline since:2026-11-22T14:49:10\.000Z\.\.2026-11-22T14:50:00\.000Z$/)
  t.end()
})

test('causes - those of one site that were lost together are told by it, with the network where it is one', (t) => {
  const lost = (id: string, seconds: number, network: string, site: { site_id: string; name: string }) =>
    rowOf(id, {
      status: 'offline',
      connectors: 'O',
      statusSince: nowSeconds - seconds,
      network,
      site: { ...site, address: '' },
    })
  const [yard, hall] = [
    { site_id: 'site_1', name: 'Yard' },
    { site_id: 'site_2', name: 'Hall' },
  ]
  const rows = [
    ...Array.from({ length: 3 }, (_, at) => lost(`Y-${at}`, 600 + at * 10, `10.${at}.0.0/16`, yard)),
    ...Array.from({ length: 5 }, (_, at) => lost(`H-${at}`, 900 + at, '10.64.0.0/16', hall)),
    lost('ALONE', 5_000, '10.9.0.0/16', yard),
    ...['NEVER-1', 'NEVER-2'].map((id) => rowOf(id, { status: 'offline', connectors: 'O', statusSince: null })),
  ]
  t.match(causes(rows), [
    {
      charge_points: 5,
      shared: { network: '10.64.0.0/16', site: 'Hall' },
      why: 'Within the same minute, all at Hall, from the network 10.64.0.0/16.',
      filter: /^status:offline since:\S+ site:Hall$/,
    },
    { charge_points: 3, shared: { network: null, site: 'Yard' }, why: 'Within the same minute, all at Yard.' },
    { charge_points: 1, why: 'It was lost alone.' },
    { charge_points: 2, title: '2 charge points have never connected' },
  ])
  t.end()
})

test('causes - refused charge points are told with the advice, and only those that are not online', (t) => {
  const attempt = (chargePointId: string, reason: string, at: number) => ({
    chargePointId,
    reason,
    advice: `Mind the ${reason}.`,
    at,
  })
  const rows = [
    rowOf('AWAY', { status: 'offline', statusSince: nowSeconds - 10 }),
    rowOf('BACK'),
    rowOf('HELD', { status: 'charging', connectors: 'CE' }),
    rowOf('CLOCK', { flags: 1 }),
    rowOf('LOST', { status: 'offline', statusSince: nowSeconds - 10, flags: 1 }),
    rowOf('SILENT', { flags: 32, statusSince: nowSeconds - 61 }),
    rowOf('NEW', { flags: 32, statusSince: nowSeconds - 59 }),
  ]
  const refused = [
    attempt('AWAY', 'unknown', now - 5_000),
    attempt('AWAY', 'wrong_password', now),
    attempt('BACK', 'wrong_password', now),
    attempt('THEIRS', 'unknown', now),
  ]
  const { causes: told, charge_points } = attentionOf(rows, { refused, security: [] } as never)
  t.match(
    told.map(({ kind }) => kind),
    ['offline', 'refused', 'silent', 'held', 'clock'],
  )
  t.match(told[1], {
    title: '1 charge point is refused: wrong password',
    why: 'Mind the wrong_password.',
    examples: ['AWAY'],
    filter: 'id:AWAY',
  })
  t.match(told[2], {
    title: '1 charge point is connected, and not ready',
    filter: 'flag:silent',
    examples: ['SILENT'],
  })
  t.match(told[0], { charge_points: 1, filter: 'id:LOST' }, 'why the one that is refused is away is known')
  t.equal(charge_points, 5, 'one that is offline and of a wrong clock is one')
  t.end()
})

test('causes - however many are lost at once, a few are passed over in a step, and those that come first are named', (t) => {
  const count = 20_000
  let looks = 0
  const rows = Array.from({ length: count }, (_, at) => {
    const row = rowOf(`CP-${String((at * 7_919) % count).padStart(5, '0')}`, {
      status: 'offline',
      connectors: 'O',
      network: `10.${at % 4}.0.0/16`,
    })
    return Object.defineProperty(row, 'statusSince', {
      get() {
        looks++
        return nowSeconds - (at % 50)
      },
    })
  })
  const steps = causesOf(rows, censusOf(rows), { reports: none, rowOf: () => undefined, now })
  let most = 0
  let told: readonly Cause[] | undefined
  while (told === undefined) {
    looks = 0
    const step = steps.next()
    most = Math.max(most, looks)
    if (step.done === true) told = step.value.causes
  }
  t.ok(most <= 3_000, `${most} looks at charge points in a step`)
  t.equal(told.length, 4)
  for (const { charge_points, examples, shared, since } of told) {
    const own = rows.filter(({ network }) => network === shared.network)
    t.equal(charge_points, own.length)
    t.same(
      examples,
      own
        .map(({ charge_point_id }) => charge_point_id)
        .sort()
        .slice(0, limits.examplesOfCause),
    )
    t.equal(Date.parse(since ?? '') / 1_000, Math.min(...own.map(({ statusSince }) => statusSince ?? 0)))
  }
  t.end()
})

test('causes - a security event is told of a charge point that is otherwise well, and of none of others', (t) => {
  const at = now - 60_000
  const security = ['WELL', 'THEIRS'].map((chargePointId) => ({ chargePointId, event: 'TamperDetectionActivated', at }))
  t.match(causes([rowOf('WELL')], { refused: [], security } as never), [
    { kind: 'security', charge_points: 1, examples: ['WELL'] },
  ])
  t.end()
})

test('changes - who reads on from any place is told of every later change, and of what is too far back not at all', async () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 60 }),
      fc.nat(),
      fc.integer({ min: 1, max: 5 }),
      (ids, at, most) => {
        const log = createChangeLog('p000')
        ids.forEach((id, index) => void log.add(`${id}`, `p${String(index + 1).padStart(3, '0')}`))
        const seen = at % ids.length
        let place = log.after(`p${String(seen + 1).padStart(3, '0')}`)
        const told = new Set<string>()
        for (;;) {
          const changes = place === undefined ? undefined : log.from(place, most)
          if (changes === undefined) return false
          for (const id of changes.chargePointIds) told.add(id)
          place = changes.next
          if (changes.more === 0) break
        }
        return (
          ids.slice(seen + 1).every((id) => told.has(`${id}`)) &&
          log.after('o') === undefined &&
          log.from(log.next, most)?.chargePointIds.length === 0
        )
      },
    ),
  )
})

test('changes - more than a stream may wait for are not told', (t) => {
  const log = createChangeLog('p')
  const begin = log.next
  for (let at = 0; at < limits.rowsWaiting; at++) log.add(`${at}`, 'q')
  t.equal(log.from(begin, 10)?.more, limits.rowsWaiting - 10)
  log.add('one more', 'r')
  t.equal(log.from(begin, 10), undefined)
  for (let at = 0; at < 3 * limits.rowsWaiting; at++) log.add(`${at % 7}`, 's')
  t.equal(log.from(begin, 10), undefined)
  t.equal(log.from(log.next, 10)?.more, 0)
  for (let at = 0; at < 3 * limits.rowsWaiting; at++) log.add(`${at}`, 't')
  t.equal(log.after('r'), undefined, 'some of what followed is forgotten')
  t.end()
})
