// What somebody comes to the console for, as they do it: why a charge point does not come online, a message of yesterday, every step of a bill. Each needs something
// that has happened, which is made here as well.

import { connectWebSocket } from '../client/websocket.js'
import { minuteText, soughtAt, talkative } from '../client/yesterday.js'
import { startTransactionPayload, stopTransactionPayload } from '../generator/payloads.js'
import type { StartedServer } from '../scenario.js'
import { ask } from '../servers/server-process.js'
import type { Answered, ConsoleTab } from './console-tab.js'
import { callStation, connectStation } from './probes.js'

/** A charge point whose password was replaced, and that has come with another since. */
export async function refuse(server: StartedServer, id: string): Promise<void> {
  await connectStation(server.process.ocppUrl, id)
  // Which ends the connection.
  await ask(server, 'POST', `/api/v1/chargepoints/${id}/authorization-key`)
  const url = `${server.process.ocppUrl}/${id}`
  const options = { url, subprotocols: ['ocpp1.6'], username: id, password: 'not-the-one-that-was-set' }
  await new Promise<void>((resolve) => {
    connectWebSocket(options, { closed: () => resolve() })
  })
}

/** A session that has ended and has a cost; its id. */
export async function bill(server: StartedServer, id: string): Promise<string> {
  const components = [
    { type: 'energy', price: 0.49 },
    { type: 'flat', price: 0.5 },
  ]
  const tariff = { name: 'Public', currency: 'EUR', tax_percentage: 19, components }
  const { tariff_id } = await ask(server, 'POST', '/api/v1/billing/tariffs', tariff)
  await ask(server, 'PUT', `/api/v1/chargepoints/${id}/tariff`, { tariff_id })
  const station = await connectStation(server.process.ocppUrl, id)
  await callStation(station, 'StartTransaction', startTransactionPayload(station, 1))
  station.transactions[1] = Number(station.answer().transactionId)
  station.registerWh += 9_000
  await callStation(station, 'StopTransaction', stopTransactionPayload(station, 1))
  station.drop()
  const { sessions } = await ask(server, 'GET', `/api/v1/sessions?charge_point_id=${id}`)
  const [session] = sessions as readonly { readonly session_id: string }[]
  if (session === undefined) throw new Error(`there is no session of ${id}`)
  return session.session_id
}

/** From the keys that open the palette to what was looked for; something in the page says that it is there. */
async function jumpTo(tab: ConsoleTab, text: string, selector: string): Promise<Answered> {
  const { keyboard } = tab.page
  const isThere = `() => document.querySelector('${selector}') !== null`
  return tab.answered('keydown', isThere, async () => {
    await keyboard.press('Control+k')
    await keyboard.type(text)
    await tab.page.getByRole('option', { name: text }).first().waitFor()
    await keyboard.press('Enter')
  })
}

export function seeWhyNotOnline(tab: ConsoleTab, id: string): Promise<Answered> {
  return jumpTo(tab, id, '.ladder .failed .title')
}

export function seeBill(tab: ConsoleTab, sessionId: string): Promise<Answered> {
  return jumpTo(tab, sessionId, '.bill .total')
}

/** From the time that is entered to the row of its message; `writeYesterday` has written it. */
export async function findMessage(tab: ConsoleTab): Promise<Answered> {
  await tab.page.goto(`/console/charge-points/${talkative}/messages`)
  const field = tab.page.getByLabel('Until')
  await tab.page.locator('.messages .table-rows [role=row]').first().waitFor()
  const isFirst = `() =>
    document.querySelector('.messages .table-rows [role=row]')?.textContent.includes('StartTransaction') === true`
  return tab.answered('input', isFirst, () => field.fill(minuteText(soughtAt)))
}
