// Charge points around a location.

import fc from 'fast-check'
import { test } from 'tap'
import { distanceKm } from '../../src/api/areas/charge-points/charge-point-search.js'
import { createTestApi } from './fixture.js'

test('search - what lies within the radius, nearest first', async (t) => {
  const service = await createTestApi()
  const places = { near: [52.371, 4.9], middle: [52.4, 4.9], far: [52.5, 5.2], abroad: [48.85, 2.35] } as const
  for (const [id, [latitude, longitude]] of Object.entries(places)) await service.register(id, { latitude, longitude })
  const search = async (query: string) => (await service.call('GET', `/api/v1/chargepoints/search?${query}`)).body
  const ids = (body: { charge_points: { charge_point_id: string }[] }) =>
    body.charge_points.map((row) => row.charge_point_id)
  const close = await search('latitude=52.37&longitude=4.9')
  t.same(ids(close), ['near', 'middle'])
  t.equal(close.total, 2)
  t.equal(close.charge_points[0].distance_km, 0.111)
  t.same(ids(await search('latitude=52.37&longitude=4.9&radius_km=50')), ['near', 'middle', 'far'])
  t.same(ids(await search('latitude=52.37&longitude=4.9&radius_km=500&limit=1')), ['near'])
  t.equal((await search('latitude=52.37&longitude=4.9&radius_km=500')).total, 4)
  t.equal((await service.call('GET', '/api/v1/chargepoints/search?latitude=52')).status, 400)
  t.equal((await service.call('GET', '/api/v1/chargepoints/search?latitude=52&longitude=4&radius_km=501')).status, 400)
})

test('search - without a limit fifty are found, and 200 at most', async (t) => {
  const service = await createTestApi()
  for (let at = 0; at < 51; at++) await service.register(`CP-${at}`)
  const found = async (query: string) =>
    service.call('GET', `/api/v1/chargepoints/search?latitude=52.37&longitude=4.9${query}`)
  const { body } = await found('')
  t.equal(body.charge_points.length, 50)
  t.equal(body.total, 51)
  t.equal((await found('&limit=200')).body.charge_points.length, 51)
  t.equal((await found('&limit=201')).status, 400)
})

test('search - the date line and the poles are no borders', async (t) => {
  const service = await createTestApi()
  const places = { west: [0, 179.95], east: [0, -179.95], pole: [89.9, 10] } as const
  for (const [id, [latitude, longitude]] of Object.entries(places)) await service.register(id, { latitude, longitude })
  const found = async (latitude: number, longitude: number) => {
    const query = `latitude=${latitude}&longitude=${longitude}&radius_km=50`
    const { body } = await service.call('GET', `/api/v1/chargepoints/search?${query}`)
    return body.charge_points.map((row: { charge_point_id: string }) => row.charge_point_id).sort()
  }
  t.same(await found(0, 179.9), ['east', 'west'])
  t.same(await found(0, -179.9), ['east', 'west'])
  t.same(await found(0, 180), ['east', 'west'])
  t.same(await found(89.9, -170), ['pole'])
})

test('search - finds exactly what the distance says, at the poles and across the date line too', async (t) => {
  const service = await createTestApi()
  const latitude = fc.oneof(fc.double({ min: -90, max: 90, noNaN: true }), fc.constantFrom(-90, 90, 89.9, 0))
  const longitude = fc.oneof(
    fc.double({ min: -180, max: 180, noNaN: true }),
    fc.constantFrom(-180, 180, 179.95, -179.95),
  )
  const place = fc.record({ latitude, longitude })
  const offset = fc.double({ min: -6, max: 6, noNaN: true })
  const clamp = (value: number, bound: number) => Math.max(-bound, Math.min(bound, value))
  let next = 0
  const around = fc.record({ centre: place, offsets: fc.array(fc.tuple(offset, offset), { maxLength: 6 }) })
  const checking = fc.assert(
    fc.asyncProperty(around, fc.double({ min: 0.1, max: 500, noNaN: true }), async ({ centre, offsets }, radius) => {
      const organization = await service.addOrganization()
      const placed = offsets.map(([north, east]) => {
        const wrapped = ((centre.longitude + east + 540) % 360) - 180
        return { id: `P-${next++}`, latitude: clamp(centre.latitude + north, 90), longitude: clamp(wrapped, 180) }
      })
      for (const { id, ...spot } of placed) await service.register(id, spot, organization.key)
      const query = `latitude=${centre.latitude}&longitude=${centre.longitude}&radius_km=${radius}`
      const { body } = await service.call('GET', `/api/v1/chargepoints/search?${query}`, undefined, organization)
      const expected = placed.filter((spot) => distanceKm(centre, spot) <= radius).map(({ id }) => id)
      const found = body.charge_points.map((row: { charge_point_id: string }) => row.charge_point_id)
      return expected.length === found.length && expected.every((id) => found.includes(id))
    }),
    { numRuns: 60 },
  )
  await t.resolves(checking)
})
