// How soon somebody who has come for one thing has it.

import { type Measurement, milliseconds, type StartedServer } from '../scenario.js'
import type { ConsoleBrowser } from './console-tab.js'
import { billedId, refusedId } from './fleet-on-disk.js'
import { bill, findMessage, refuse, seeBill, seeWhyNotOnline } from './journeys.js'

export async function measureJourneys(browser: ConsoleBrowser, server: StartedServer): Promise<Measurement[]> {
  await refuse(server, refusedId)
  const sessionId = await bill(server, billedId)
  const tab = await browser.tab()
  await tab.page.goto('/console/alerts')
  await tab.page.waitForSelector('#page')
  const why = await seeWhyNotOnline(tab, refusedId)
  const cost = await seeBill(tab, sessionId)
  const message = await findMessage(tab)
  await tab.close()
  return [
    { metric: 'why not online, in all', value: why.sinceFirst / 1_000, unit: 's' },
    milliseconds('message of yesterday', message.sinceLast),
    milliseconds('bill, last key to its steps', cost.sinceLast),
  ]
}
