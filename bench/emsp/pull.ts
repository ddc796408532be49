// A list of the operator, read page by page as `Link` leads (OCPI 2.2.1, 4.1.4), and held to what its headers say.

import type { Party } from '../../src/ocpi/headers.js'
import { parseUrl } from '../../src/runtime/parse-url.js'
import type { Client } from './client.js'
import type { Journal } from './journal.js'

export interface ListRequest {
  /** The endpoint of the module. */
  readonly url: string
  readonly token: string
  readonly to: Party
  readonly query: Readonly<Record<string, string>>
}

export interface List {
  readonly rows: readonly unknown[]
  readonly pages: number
}

const mostPages = 100_000

/** What is wrong with the header is a fault of the journal. */
function countIn(headers: Headers, name: string, fault: (words: string) => void): number | undefined {
  const text = headers.get(name)
  if (text !== null && /^\d+$/.test(text)) return Number(text)
  fault(`${name} is ${text ?? 'missing'}, and not a number`)
  return undefined
}

function nextOf(headers: Headers, url: string, fault: (words: string) => void): string | undefined {
  const link = headers.get('link')
  if (link === null) return undefined
  const next = /<([^<>]+)>\s*;\s*rel="next"/.exec(link)?.[1]
  const [here, there] = [parseUrl(url), next === undefined ? undefined : parseUrl(next)]
  if (there === undefined) fault(`Link is ${link}, and not <the address of the next page>; rel="next"`)
  else if (there.origin !== here?.origin) fault(`Link leads to another server: ${link}`)
  else if (there.href === here.href) fault('Link leads to the same page again')
  else return there.href
  return undefined
}

/** Rejects as `client.call` does. */
export async function pullList(
  client: Client,
  journal: Journal,
  { url, token, to, query }: ListRequest,
): Promise<List> {
  const parameters = new URLSearchParams(query).toString()
  const first = parameters === '' ? url : `${url}?${parameters}`
  const rows: unknown[] = []
  const totals = new Set<number>()
  let pages = 0
  for (let next: string | undefined = first; next !== undefined && pages < mostPages; pages++) {
    const page: string = next
    const fault = (words: string): void => journal.fault(`the answer to GET ${page}`, words)
    const { data, headers } = await client.call({ method: 'GET', url: page, token, to })
    const total = countIn(headers, 'X-Total-Count', fault)
    const limit = countIn(headers, 'X-Limit', fault)
    if (!Array.isArray(data)) {
      fault('its data is no list')
      return { rows, pages: pages + 1 }
    }
    const asked = Number(parseUrl(page)?.searchParams.get('limit') ?? Number.POSITIVE_INFINITY)
    const most = Math.min(asked, limit ?? Number.POSITIVE_INFINITY)
    if (data.length > most) fault(`it has ${data.length} objects, and ${most} were to be expected at most`)
    rows.push(...data)
    if (total !== undefined) totals.add(total)
    next = nextOf(headers, page, fault)
  }
  // Where something has come or gone meanwhile, the pages need not add up.
  const [total] = totals
  if (totals.size === 1 && total !== rows.length)
    journal.fault(`GET ${first}`, `X-Total-Count is ${total}, and its ${pages} pages have ${rows.length} objects`)
  return { rows, pages }
}
