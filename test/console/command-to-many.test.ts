// A command to many charge points, as somebody follows it who waits for the slowest.

import { test } from 'tap'
import { needsBrowser } from '../support/browser.js'
import { bootChargePoint } from '../support/charge-point.js'
import { operator } from './operator.js'

test(
  'command to many - what each charge point has answered shows while another one is still waited for',
  needsBrowser,
  async (t) => {
    const { service, page, complaints, goTo, press } = await operator(t)
    const quick = await bootChargePoint(service, 'QUICK-1')
    const slow = await bootChargePoint(service, 'SLOW-1')
    await goTo('/fleet')
    await page
      .locator('.fleet-list .hits')
      .filter({ hasText: /^2 of 2$/ })
      .waitFor()
    await page.getByRole('button', { name: 'Choose all' }).click()
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Command', { exact: true }).selectOption('soft_reset')
    const isAsked = slow.nextFrame()
    await press('Restart')
    await quick.answerNext({ status: 'Rejected' })
    const [, messageId] = await isAsked
    const row = (id: string) => dialog.getByRole('row').filter({ hasText: id })
    await row('QUICK-1').filter({ hasText: 'Refused' }).waitFor()
    t.match(await row('SLOW-1').textContent(), /Asked/)
    const beside = await page.context().newPage()
    await beside.goto('/console/charge-points/SLOW-1/commands')
    const history = beside.getByRole('row').filter({ hasText: 'Restart (soft)' })
    await history.filter({ hasText: 'Waiting' }).waitFor()
    await press('Send again to 1')
    await row('QUICK-1').filter({ hasText: 'Waiting' }).waitFor()
    slow.raw(JSON.stringify([3, messageId, { status: 'Rejected' }]))
    await row('SLOW-1').filter({ hasText: 'Refused' }).waitFor()
    await quick.answerNext({ status: 'Accepted' })
    await row('QUICK-1').filter({ hasText: 'Accepted' }).waitFor()
    await history.filter({ hasText: 'Rejected' }).waitFor()
    t.equal(await history.count(), 1)
    t.same(complaints, [])
    await Promise.all([quick.close(), slow.close()])
  },
)
