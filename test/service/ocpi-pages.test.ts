// Pages of every list that partners read (OCPI 2.2.1, 4.1.4): at a service that is known to them by another address than that on which it listens.

import { type Test, t, test } from 'tap'
import { secondsAgo } from '../support/charge-point.js'
import {
  modules,
  operatorOf,
  partnerOf,
  publishedChargePoint,
  roamingFlags,
  sendToken,
  startCharge,
  stopCharge,
} from '../support/roaming-stage.js'
import { startService } from '../support/service.js'
import { until } from '../support/until.js'

const publicUrl = 'https://cpms.example.com'
const service = await startService(t, { flags: [...roamingFlags, '--public-api-url', publicUrl] })
const lists = ['locations', 'sessions', 'cdrs', 'tariffs'] as const
type List = (typeof lists)[number]

type Row = Readonly<Record<string, string>>

/** An organization with three rows in each list, and its partner. */
const stage = (async () => {
  const tenant = await operatorOf(service)
  const partner = await partnerOf(t, tenant)
  const client = await publishedChargePoint(tenant, partner, 'PAGE-1', { connector_count: 8 })
  for (const id of ['PAGE-3', 'PAGE-2']) (await publishedChargePoint(tenant, partner, id)).close()
  for (const name of ['A', 'B', 'C']) {
    const components = [{ type: 'energy', price: 0.4 }]
    await tenant.request('POST', '/api/v1/billing/tariffs', { name, currency: 'EUR', components })
  }
  await sendToken(partner, 'PAGE')
  for (const connectorId of [1, 2, 3]) {
    const fields = { idTag: 'PAGE', connectorId, meterStart: 0, timestamp: secondsAgo(3600) }
    const { transactionId } = await startCharge(tenant, client, 'PAGE-1', fields)
    const timestamp = secondsAgo(400 - 100 * connectorId)
    await client.call('StopTransaction', { transactionId, meterStop: 5_000, timestamp, reason: 'Local' })
  }
  await until(async () => (await partner.call('GET', `${modules}/cdrs`)).body.data.length === 3)
  return { tenant, partner, client }
})()

async function page(list: List, query = '') {
  const { partner } = await stage
  const { body, headers } = await partner.call('GET', `${modules}/${list}?${query}`)
  return { rows: body.data as Row[], headers, link: linkOf(headers) }
}

const linkOf = (headers: Headers): string | undefined => /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]

const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => id)

/** By which a period bounds the list: the interface asks for CDRs by the end of their sessions. */
const timeOf = (list: List, row: Row | undefined): string =>
  (list === 'cdrs' ? row?.end_date_time : row?.last_updated) ?? ''

const each = (name: string, look: (t: Test, list: List) => Promise<void>) =>
  test(name, async (t) => {
    for (const list of lists) await t.test(list, (t) => look(t, list))
  })

each('OCPI 1.6 - date_from is inclusive, and date_to exclusive', async (t, list) => {
  const { rows } = await page(list, `date_from=2000-01-01T00:00:00Z`)
  t.equal(rows.length, 3)
  const times = rows.map((row) => Date.parse(timeOf(list, row)))
  const byTime = [...rows].sort((one, other) => Date.parse(timeOf(list, one)) - Date.parse(timeOf(list, other)))
  t.equal(new Set(times).size, 3, 'they can be told apart')
  const [first, second, third] = byTime
  const at = timeOf(list, second)
  const those = async (query: string) => new Set(idsOf((await page(list, query)).rows))
  t.same(await those(`date_from=${at}`), new Set(idsOf([second, third] as Row[])))
  t.same(await those(`date_to=${at}`), new Set(idsOf([first] as Row[])))
  t.same(await those(`date_from=${at}&date_to=${timeOf(list, third)}`), new Set(idsOf([second] as Row[])))
  t.same(await those(`date_from=${at.replace('Z', '')}`), new Set(idsOf([second, third] as Row[])), 'without Z is UTC')
  t.same(await those(`date_from=${at}&date_to=${at}`), new Set())
})

each('OCPI 1.6 - offset passes over as many, and is 0 unless it is given', async (t, list) => {
  const all = idsOf((await page(list)).rows)
  t.equal(all.length, 3)
  t.same(idsOf((await page(list, 'offset=0')).rows), all)
  t.same(idsOf((await page(list, 'offset=2')).rows), all.slice(2))
  t.same(idsOf((await page(list, 'offset=1&limit=1')).rows), all.slice(1, 2))
  t.same((await page(list, 'offset=3')).rows, [])
})

each('OCPI 1.6 - X-Total-Count is of all that match, whatever the page has', async (t, list) => {
  for (const [query, count] of [
    ['', '3'],
    ['limit=1', '3'],
    ['offset=2', '3'],
    ['offset=9', '3'],
    ['date_from=2000-01-01T00:00:00Z&limit=1', '3'],
    ['date_from=2099-01-01T00:00:00Z', '0'],
  ] as const)
    t.equal((await page(list, query)).headers.get('x-total-count'), count, query)
})

each('OCPI 1.6 - X-Limit is the most that a page has, also where less is asked for', async (t, list) => {
  for (const query of ['', 'limit=1', 'limit=100']) t.equal((await page(list, query)).headers.get('x-limit'), '100')
})

each('OCPI 1.6 - a limit above the most is taken for the most', async (t, list) => {
  const { rows, headers } = await page(list, 'limit=2000')
  t.equal(rows.length, 3)
  t.equal(headers.get('x-limit'), '100')
})

each('OCPI 1.6 - Link is absolute, by the public address, and has the filters of the page', async (t, list) => {
  const { link = '' } = await page(list, 'limit=2&date_from=2000-01-01T00:00:00Z&date_to=2099-01-01T00:00:00Z')
  const { origin, pathname, searchParams } = new URL(link)
  t.equal(origin, publicUrl)
  t.equal(pathname, `${modules}/${list}`)
  t.match(Object.fromEntries(searchParams), {
    limit: '2',
    offset: '2',
    date_from: '2000-01-01T00:00:00Z',
    date_to: '2099-01-01T00:00:00Z',
  })
})

/** Follows links to the end. `between` is called before the second page. */
async function crawl(list: List, query: string, between: () => Promise<void> = async () => {}): Promise<string[]> {
  const { partner } = await stage
  const found: string[] = []
  for (let path: string | undefined = `${modules}/${list}?${query}`, pages = 1; path !== undefined; pages++) {
    if (pages > 50) throw new Error('the list does not end')
    const { body, headers } = await partner.call('GET', path)
    found.push(...body.data.map(({ id }: Row) => id))
    if (pages === 1) await between()
    path = linkOf(headers)?.replace(publicUrl, '')
  }
  return found
}

each('OCPI 1.6 - whoever follows the links sees each once, and the last page has none', async (t, list) => {
  const all = idsOf((await page(list)).rows)
  const [limited, bounded] = ['limit=1', 'limit=2&date_from=2000-01-01T00:00:00Z']
  t.same(await crawl(list, limited), all)
  t.same(new Set(await crawl(list, bounded)), new Set(all))
  t.equal((await crawl(list, bounded)).length, 3)
  t.equal((await page(list)).link, undefined)
  t.equal((await page(list, 'limit=3')).link, undefined)
  t.equal((await page(list, 'offset=3')).link, undefined)
  t.match((await page(list, 'limit=2')).link, /offset=2/)
})

each('OCPI 1.6 - the oldest come first', async (t, list) => {
  const { rows } = await page(list)
  const times = rows.map((row) => row.start_date_time ?? row.last_updated ?? '')
  if (list !== 'locations') t.same(times, [...times].sort())
  else t.same(idsOf(rows), ['PAGE-1', 'PAGE-3', 'PAGE-2'], 'in the order in which they came')
})

test('OCPI 1.6 - what comes, changes or goes meanwhile moves nothing between pages', async (t) => {
  const { tenant, partner, client } = await stage
  const before = (await page('sessions')).rows.map(({ id }) => id)
  const running = []
  for (const connectorId of [4, 5, 6]) {
    const timestamp = secondsAgo(30)
    running.push(await startCharge(tenant, client, 'PAGE-1', { idTag: 'PAGE', connectorId, timestamp }))
  }
  const all = new Set([...before, ...running.map(({ sessionId }) => sessionId)])
  const [fourth, , sixth] = running
  for (const query of ['limit=4&date_from=2000-01-01T00:00:00Z', 'limit=1&offset=3&date_from=2000-01-01T00:00:00Z']) {
    const offset = query.includes('offset') ? 3 : 0
    const ending = offset === 0 ? sixth : fourth
    const found = await crawl('sessions', query, async () => {
      if (ending !== undefined) await stopCharge(client, ending, 5_000)
    })
    const wanted = offset === 0 ? all : new Set(running.map(({ sessionId }) => sessionId))
    for (const id of wanted) t.ok(id !== undefined && found.includes(id), `${query}: ${id}`)
  }
  const ids = (await page('sessions')).rows.map(({ id }) => id)
  const found = await crawl('sessions', 'limit=1', async () => {
    await startCharge(tenant, client, 'PAGE-1', { idTag: 'PAGE', connectorId: 7, timestamp: secondsAgo(1) })
  })
  t.same(found.slice(0, ids.length), ids)
  t.equal(found.length, ids.length + 1, 'what is new comes last')

  const tariffs = (await page('tariffs')).rows.map(({ id }) => id ?? '')
  const seen = await crawl('tariffs', 'limit=1', async () => {
    const { status } = await tenant.request('DELETE', `/api/v1/billing/tariffs/${tariffs[0]}`)
    if (status !== 204) throw new Error('the tariff was not deleted')
  })
  t.same(seen, tariffs)

  const locations = (await page('locations')).rows.map(({ id }) => id)
  for (const query of ['limit=1', 'limit=1&date_from=2000-01-01T00:00:00Z'])
    t.same(
      await crawl('locations', query, async () => {
        await tenant.request('PUT', '/api/v1/chargepoints/PAGE-1/ocpi', { publish: false })
        await until(async () => (await partner.call('GET', `${modules}/locations/PAGE-1`)).body.data?.publish === false)
      }),
      locations,
      'a location that is taken back stays in its place',
    )
})
