// The sandbox partner itself, beside an operator that keeps to OCPI 2.2.1 or does not: every breach is a fault, and nothing else is.

import { type Test, test } from 'tap'
import type { Emsp } from '../../bench/emsp/emsp.js'
import { type Misbehaviour, misbehaviours } from '../../bench/emsp/misbehaviour.js'
import { emspOf, priced } from '../support/emsp.js'
import { type OperatorAnswer, type OperatorStub, startOperator } from '../support/ocpi-operator.js'
import { cdr, connector, ended, evse, last_updated, location, session, tariff } from './emsp-objects.js'

interface Stage {
  readonly emsp: Emsp
  readonly operator: OperatorStub
}

async function stageOf(t: Test): Promise<Stage> {
  const [emsp, operator] = [await emspOf(t), await startOperator(t)]
  await emsp.register(operator.versionsUrl, 'token-a')
  emsp.drivers.set('CARD-1')
  return { emsp, operator }
}

const later = '2026-03-02T12:00:00Z'
const put = (kind: string, object: Readonly<Record<string, unknown>>) =>
  ['PUT', `/${kind}/NL/CPO/${object.id}`, object] as const

test('sandbox partner - an operator that keeps to the standard has no fault, whatever it tells beyond it', async (t) => {
  const { emsp, operator } = await stageOf(t)
  Object.assign(operator.lists, { locations: [location], tariffs: [tariff] })
  await emsp.pullAll()
  const of = async (method: string, path: string, body?: unknown) => {
    const { status, code } = await operator.send(method, path, body)
    t.match({ status, code }, { status: /^20[01]$/, code: 1000 }, `${method} ${path}`)
  }
  await of(...put('locations', { ...location, name: 'New', colour: 'green', last_updated: later }))
  await of('PATCH', '/locations/NL/CPO/L1/E1', { status: 'CHARGING', last_updated: later })
  await of('PUT', '/locations/NL/CPO/L1/E1', { ...evse, status: 'AVAILABLE', last_updated: '2026-03-02T12:00:01Z' })
  await of('PATCH', '/locations/NL/CPO/L1/E1/1', { max_amperage: 32, last_updated: '2026-03-02T12:00:02Z' })
  t.match(emsp.known('locations'), [
    { name: 'New', last_updated: '2026-03-02T12:00:02Z', evses: [{ connectors: [{ max_amperage: 32 }] }] },
  ])
  await of(...put('tariffs', { ...tariff, last_updated: later }))
  await of('DELETE', '/tariffs/NL/CPO/T1')
  await of(...put('sessions', session))
  await of('PATCH', '/sessions/NL/CPO/S1', { kwh: 5, last_updated: '2026-03-01T17:05:00Z' })
  t.match(emsp.known('sessions'), [{ kwh: 5, status: 'ACTIVE' }])
  await of(...put('sessions', ended))
  await of('POST', '/cdrs', cdr)
  t.same((await emsp.once(priced('C1'))).computed, cdr.total_cost, 'by the local time of its location')
  await of('POST', '/cdrs', cdr)
  const credit = {
    ...cdr,
    id: 'C1-C',
    credit: true,
    credit_reference_id: 'C1',
    total_cost: { excl_vat: -5, incl_vat: -6.05 },
  }
  await of('POST', '/cdrs', credit)
  await of('POST', '/cdrs', { ...cdr, id: 'C1-2' })
  await emsp.once(priced('C1-2'))
  operator.lists.cdrs = [cdr, credit, { ...cdr, id: 'C1-2' }]
  t.equal((await emsp.pull('cdrs')).length, 3)
  t.same(emsp.faults, [])
})

/** What is told after the first, which is right, and the fault that it is. */
const breaches: Readonly<Record<string, readonly [RegExp, ...(readonly [string, string, unknown?])[]]>> = {
  'a required field is missing': [/city is missing/, put('locations', { ...location, city: undefined })],
  'a null': [/postal_code must be a string/, put('locations', { ...location, postal_code: null })],
  'a time with an offset': [
    /last_updated/,
    put('locations', { ...location, last_updated: '2026-03-02T12:00:00+00:00' }),
  ],
  'an id that is not that of the address': [
    /id is L1, and in the address L2/,
    ['PUT', '/locations/NL/CPO/L2', location],
  ],
  'another party in the address': [/is not the operator/, ['PUT', '/locations/NL/XXX/L1', location]],
  'a change without its time': [
    /has changed, and its last_updated has not/,
    put('locations', location),
    put('locations', { ...location, city: 'Amsterdam' }),
  ],
  'a change of an EVSE alone without its time': [
    /EVSE E1 has changed, and its last_updated has not/,
    put('locations', location),
    put('locations', { ...location, evses: [{ ...evse, status: 'CHARGING' }], last_updated: later }),
  ],
  'an older state after a newer one': [
    /goes back/,
    put('locations', { ...location, last_updated: later }),
    put('locations', location),
  ],
  'an EVSE that is newer than its location': [
    /older last_updated than its EVSE/,
    put('locations', { ...location, evses: [{ ...evse, last_updated: later }] }),
  ],
  'an EVSE that is gone': [
    /EVSE E1 is gone/,
    put('locations', location),
    put('locations', { ...location, evses: [], last_updated: later }),
  ],
  'an EVSE with two connectors of one id': [
    /two connectors 1/,
    put('locations', { ...location, evses: [{ ...evse, connectors: [connector, connector] }] }),
  ],
  'a patch without a time': [
    /last_updated is missing/,
    put('locations', location),
    ['PATCH', '/locations/NL/CPO/L1/E1', { status: 'CHARGING' }],
  ],
  'a session of another party': [
    /of a driver of NL\*OTH/,
    put('sessions', { ...session, cdr_token: { ...session.cdr_token, party_id: 'OTH' } }),
  ],
  'a session of an unknown token': [
    /no token RFID CARD-2/,
    put('sessions', { ...session, cdr_token: { ...session.cdr_token, uid: 'CARD-2' } }),
  ],
  'a reference that was never given': [
    /authorization_reference R9 was never given/,
    put('sessions', { ...session, authorization_reference: 'R9' }),
  ],
  'a completed session that changes': [
    /was COMPLETED, which is final/,
    put('sessions', ended),
    put('sessions', { ...ended, kwh: 11, last_updated: later }),
  ],
  'a running session with another driver': [
    /its cdr_token was|its contract_id is/,
    put('sessions', session),
    put('sessions', { ...ended, cdr_token: { ...session.cdr_token, contract_id: 'NL-EMP-X' } }),
  ],
  'a CDR that costs another amount': [
    /its total_cost is 5.01 .* its tariffs make 5 \(6.05 with VAT\)/,
    ['POST', '/cdrs', { ...cdr, total_cost: { excl_vat: 5.01, incl_vat: 6.05 } }],
  ],
  'a CDR that does not add up': [/total_energy is 11 kWh/, ['POST', '/cdrs', { ...cdr, total_energy: 11 }]],
  'a CDR whose time is wrong': [/total_time is 2 h/, ['POST', '/cdrs', { ...cdr, total_time: 2 }]],
  'a CDR that changes': [
    /a CDR never changes/,
    ['POST', '/cdrs', cdr],
    ['POST', '/cdrs', { ...cdr, remark: 'Changed.' }],
  ],
  'a session that is billed twice': [
    /C2 is one too many/,
    ['POST', '/cdrs', cdr],
    ['POST', '/cdrs', { ...cdr, id: 'C2' }],
  ],
  'a credit of less': [
    /does not take back what C1 costs|its tariffs make -5/,
    ['POST', '/cdrs', cdr],
    [
      'POST',
      '/cdrs',
      { ...cdr, id: 'C3', credit: true, credit_reference_id: 'C1', total_cost: { excl_vat: -4, incl_vat: -4.84 } },
    ],
  ],
}

for (const [name, [fault, ...requests]] of Object.entries(breaches))
  test(`sandbox partner - a breach is a fault: ${name}`, async (t) => {
    const { emsp, operator } = await stageOf(t)
    operator.lists.locations = [location]
    if (requests.some(([, path]) => path === '/cdrs')) await emsp.pull('locations')
    for (const [method, path, body] of requests) await operator.send(method, path, body)
    const { message } = await emsp.once((seen) => seen.type === 'fault' && fault.test(seen.message) && seen)
    t.match(message, fault)
    t.same(
      emsp.faults.filter((one) => !fault.test(one)),
      [],
      'no other',
    )
  })

test('sandbox partner - requests are held to the headers of the standard', async (t) => {
  const { emsp, operator } = await stageOf(t)
  const cases: readonly (readonly [Record<string, string | undefined>, RegExp, number])[] = [
    [{ 'x-request-id': undefined }, /X-Request-ID is missing/, 200],
    [{ 'x-correlation-id': undefined }, /X-Correlation-ID is missing/, 200],
    [{ 'ocpi-to-party-id': 'OTH' }, /OCPI-to is NL\*OTH/, 200],
    [{ 'ocpi-from-party-id': 'OTH' }, /OCPI-from is NL\*OTH/, 200],
    [{ authorization: 'Token d3Jvbmc=' }, /token is none that the partner has given/, 401],
  ]
  for (const [index, [headers, fault, status]] of cases.entries()) {
    const tariffNow = { ...tariff, id: `T${index}` }
    t.equal((await operator.send(...put('tariffs', tariffNow), headers)).status, [201, status][status === 200 ? 0 : 1])
    t.match(emsp.faults.at(-1), fault)
    t.equal(emsp.faults.length, index + 1)
  }
  t.equal(
    (await operator.send('PATCH', '/sessions/NL/CPO/S9', { last_updated })).status,
    404,
    'of what it does not know',
  )
})

const spoiled: Readonly<Record<string, readonly [RegExp, (answer: OperatorAnswer) => OperatorAnswer]>> = {
  'without a timestamp': [
    /timestamp is no DateTime/,
    ({ body, ...answer }) => ({ ...answer, body: { ...(body as object), timestamp: undefined } }),
  ],
  'with another X-Request-ID': [
    /X-Request-ID is other/,
    (one) => ({ ...one, headers: { ...one.headers, 'x-request-id': 'other' } }),
  ],
  'without routing headers': [
    /OCPI-from is missing/,
    (one) => ({
      ...one,
      headers: Object.fromEntries(Object.entries(one.headers).filter(([name]) => !name.startsWith('ocpi-from'))),
    }),
  ],
  'without X-Total-Count': [
    /X-Total-Count is many/,
    (one) => ({ ...one, headers: { ...one.headers, 'x-total-count': 'many' } }),
  ],
  'that does not add up': [
    /X-Total-Count is 7/,
    (one) => ({ ...one, headers: { ...one.headers, 'x-total-count': '7' } }),
  ],
  'with more than X-Limit': [/2 objects, and 1/, (one) => ({ ...one, headers: { ...one.headers, 'x-limit': '1' } })],
  'with a link elsewhere': [
    /another server/,
    (one) => ({ ...one, headers: { ...one.headers, link: '<http://127.0.0.1:9/tariffs>; rel="next"' } }),
  ],
  'that is text': [/content-type/i, (one) => ({ ...one, headers: { ...one.headers, 'content-type': 'text/plain' } })],
}

for (const [name, [fault, alter]] of Object.entries(spoiled))
  test(`sandbox partner - an answer ${name} is a fault`, async (t) => {
    const { emsp, operator } = await stageOf(t)
    operator.lists.tariffs = [tariff, { ...tariff, id: 'T2' }]
    await emsp.pull('tariffs')
    t.same(emsp.faults, [])
    operator.alter(alter)
    await emsp.pull('tariffs')
    t.match(emsp.faults, [fault])
  })

test('sandbox partner - what cannot be read, and a refusal, are told apart', async (t) => {
  const { emsp, operator } = await stageOf(t)
  operator.alter((answer) => ({ ...answer, body: '<!DOCTYPE html>' }))
  await t.rejects(emsp.pull('tariffs'), /no envelope of OCPI/)
  t.equal(emsp.faults.length, 1)
  operator.alter((answer) => ({ ...answer, body: { status_code: 2001, status_message: 'no', timestamp: later } }))
  await t.rejects(emsp.pull('tariffs'), /status_code 2001: no/)
  t.equal(emsp.faults.length, 1, 'a refusal is none')
})

test('sandbox partner - a list that has what was not asked for, and a tariff that is not there, are faults', async (t) => {
  const { emsp, operator } = await stageOf(t)
  Object.assign(operator.lists, { locations: [location], tariffs: [] })
  await emsp.pullAll()
  t.match(emsp.faults, [/names the tariff T1, which is not in the list/])
  await emsp.pull('locations', { date_from: later })
  t.match(emsp.faults.at(-1), /was not asked for/)
})

test('sandbox partner - a result that is another than before is a fault, and one that is awaited is told', async (t) => {
  const { emsp, operator } = await stageOf(t)
  const { result } = await emsp.command('STOP_SESSION', { session_id: 'S1' })
  const post = (word = 'ACCEPTED') => operator.send('POST', '/commands/STOP_SESSION/1', { result: word })
  t.equal((await post()).code, 1000)
  t.equal((await result).result, 'ACCEPTED')
  await post()
  t.same(emsp.faults, [], 'the operator may not have got the answer')
  await post('FAILED')
  t.match(emsp.faults, [/its result is FAILED, and ACCEPTED has come before/])
  t.equal((await operator.send('POST', '/commands/STOP_SESSION/9', { result: 'ACCEPTED' })).status, 404)
})

test('sandbox partner - it misbehaves as it is told, and for no longer', async (t) => {
  const { emsp, operator } = await stageOf(t)
  const outcomes: Readonly<Partial<Record<Misbehaviour, object>>> = {
    html: { status: 200, code: undefined },
    redirect: { status: 302, code: undefined },
    'http-500': { status: 500, code: undefined },
    'status-3000': { status: 200, code: 3000 },
    'wrong-object': { status: 200, code: 1000 },
  }
  for (const [index, how] of (Object.keys(misbehaviours) as Misbehaviour[]).entries()) {
    emsp.misbehave(how, ({ path }) => path.endsWith('/cdrs'))
    const one = { ...cdr, id: `C${index}`, session_id: undefined }
    const asked = operator.send('POST', '/cdrs', one)
    if (how.endsWith('hang')) {
      await emsp.once((seen) => seen.type === 'request' && (seen.json as { id?: string })?.id === one.id)
      void asked.catch(() => {})
    } else if (how.endsWith('drop')) await t.rejects(asked, how)
    else t.match(await asked, outcomes[how] ?? {}, how)
    const isTaken = () => emsp.known('cdrs').some(({ id }) => id === one.id)
    if (misbehaviours[how].takes) await emsp.once(priced(one.id))
    t.equal(isTaken(), misbehaviours[how].takes, how)
    t.equal((await operator.send(...put('tariffs', { ...tariff, id: how }))).code, 1000, 'other modules go on')
  }
  emsp.misbehave(undefined)
  t.equal((await operator.send('POST', '/cdrs', { ...cdr, id: 'LAST' })).code, 1000)
})
