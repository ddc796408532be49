// The pages of a charge point: why one is not online, what is asked of one that is, on a desk and with one hand. The journeys print what they have cost.

import type { Locator, Page } from 'playwright-core'
import { type Test, test } from 'tap'
import { minuteText, soughtAt, soughtId, talkative } from '../../bench/client/yesterday.js'
import { needsBrowser } from '../support/browser.js'
import { bootChargePoint, startRequest } from '../support/charge-point.js'
import { connectOcpp, refusedFor } from '../support/ocpp-client.js'
import { makeOrganization } from '../support/organization.js'
import { answering, refusedForItsPassword } from './charge-point-stage.js'
import { stagedChargePoint } from './identifiers.js'
import { goTo, installationStage, phone } from './stage.js'

const failedStep = (page: Page) => page.locator('.ladder .failed .title')

test(
  'charge point page - journey 1: why it is not online is on the first screen, with the step, the advice and the cause',
  needsBrowser,
  async (t) => {
    const stage = await installationStage()
    await refusedForItsPassword(stage.service, 'JOURNEY-0001')
    const { page, complaints } = await stage.open('/api-keys')
    const began = performance.now()
    let actions = 0
    await page.keyboard.press('Control+k')
    actions++
    await page.getByRole('combobox', { name: 'Search or jump to' }).fill('JOURNEY-0001')
    actions++
    await page.getByRole('option', { name: /JOURNEY-0001/ }).waitFor()
    await page.keyboard.press('Enter')
    actions++
    await failedStep(page).waitFor()
    const milliseconds = Math.round(performance.now() - began)
    t.equal(await failedStep(page).textContent(), 'It does not sign in with its password')
    t.equal(
      await page.locator('.to-do .advice').textContent(),
      'Set its password in the charge point again. If nobody has the password any more, make a new one, and set that.',
    )
    t.match(
      await page.locator('.to-do .led').textContent(),
      /^A new password was made at .* by .*The first refusal was/,
    )
    for (const seen of [failedStep(page), page.locator('.to-do .advice'), page.locator('.to-do .led')]) {
      const box = await seen.boundingBox()
      t.ok(box !== null && box.y + box.height <= 900, 'without scrolling')
    }
    t.comment(`journey 1: ${actions} actions, ${milliseconds} ms`)
    t.ok(actions <= 3)
    t.ok(milliseconds < 10_000)
    t.same(complaints, [])
    await page.close()
  },
)

test(
  'charge point page - a new password is made where the old one is refused, and is shown once',
  needsBrowser,
  async (t) => {
    const stage = await installationStage()
    const id = 'PASSWORD-0001'
    await refusedForItsPassword(stage.service, id)
    const { page } = await stage.open(`/charge-points/${id}`)
    await page.getByRole('button', { name: 'Make a new password' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Make a new password' }).click()
    const key = (await page.locator('.shown-once').textContent()) ?? ''
    t.match(key, /^[0-9a-f]{40}$/)
    const authorization = `Basic ${Buffer.concat([Buffer.from(`${id}:`), Buffer.from(key, 'hex')]).toString('base64')}`
    await page.getByRole('button', { name: 'I have kept it' }).click()
    await page.getByText('A new password was made after this attempt: set it in the charge point.').first().waitFor()
    const client = await connectOcpp(`${stage.service.ocppUrl}/${id}`, { headers: { authorization } })
    await page.locator('.charge-point-head .state-label.state-available').waitFor()
    t.equal(await page.locator('.shown-once').count(), 0)
    await client.close()
    await page.close()
  },
)

test('charge point page - an id that nobody has registered is registered from its page', needsBrowser, async (t) => {
  const stage = await installationStage()
  const id = 'KNOCKING-0001'
  await refusedFor(`${stage.service.ocppUrl}/${id}`)
  const { page } = await stage.open('/refused?kind=unknown')
  await page.getByText(id, { exact: true }).click()
  t.equal(await failedStep(page).textContent(), 'The id was not registered')
  await page.getByRole('button', { name: 'Register it' }).click()
  await page.getByLabel('Latitude').fill('53.55')
  await page.getByLabel('Longitude').fill('9.99')
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await page.getByRole('link', { name: 'Audit', exact: true }).waitFor()
  t.equal((await stage.service.request('GET', `/api/v1/chargepoints/${id}`)).status, 200)
  await page.close()
})

test(
  'charge point page - an address without an id is no charge point, a mistyped id leads to the right one, and one that was never seen to where it may be',
  needsBrowser,
  async (t) => {
    const stage = await installationStage()
    const { service } = stage
    await service.register('MISTYPED-0083')
    for (const path of ['', '/MISTYPED-083']) await refusedFor(`${service.ocppUrl}${path}`)
    const { page, complaints } = await stage.open('/refused')
    await page.getByText('Address from 127.0.0.1').click()
    await page.getByRole('heading', { name: 'An address without an id' }).waitFor()
    t.equal(await failedStep(page).textContent(), 'The address is not right')
    t.match(await page.locator('.to-do .lead').textContent(), /ends in \/ocpp16: it lacks the id/)
    t.match(await page.locator('.to-do .advice').textContent(), /^Set the address .*\/ocpp16\/ with its id/)
    t.equal(await page.getByRole('button', { name: 'Register it' }).count(), 0)
    t.equal(await page.getByText('Its address has to be').count(), 0)

    await page.goto('/console/charge-points/MISTYPED-083')
    await page.getByText(/MISTYPED-0083 differs in one character/).waitFor()
    t.equal(await page.getByRole('button', { name: 'Register it' }).count(), 1)
    t.match(
      await page.locator('.to-do').textContent(),
      /If it is MISTYPED-0083, its address has to be: .*\/MISTYPED-0083/,
      'the address that it has now is not told as the right one',
    )
    await page.getByRole('link', { name: 'Open MISTYPED-0083' }).click()
    await page.getByRole('heading', { name: 'MISTYPED-0083' }).waitFor()
    t.match(await page.locator('.to-do .lead').textContent(), /sends the id "MISTYPED-083", which differs/)
    t.match(await page.locator('.similar').textContent(), /MISTYPED-083 differs in one character; refused .* ago\./)

    await page.goto('/console/charge-points/NEVER-SEEN-01')
    await page.locator('[data-state=not-here]').getByText('NEVER-SEEN-01').waitFor()
    await page.getByRole('button', { name: 'Register it' }).click()
    await page.getByRole('dialog', { name: 'Register NEVER-SEEN-01' }).waitFor()
    await page.keyboard.press('Escape')
    await page.locator('[data-state=not-here]').getByRole('link', { name: 'Refused' }).click()
    await page.waitForURL(/\/refused$/)
    t.same(complaints, [])
    await page.close()
  },
)

test(
  'charge point page - one that went away with all of its site says when, and that it is the site; one that closed again says what it lacks',
  needsBrowser,
  async (t) => {
    const stage = await installationStage()
    const { service } = stage
    const place = { name: 'Pier', address: 'Pier 1', max_grid_power_kw: 50, latitude: 53, longitude: 10 }
    const { site_id } = (await service.request('POST', '/api/v1/sites', place)).body
    const clients = []
    for (const id of ['PIER-0001', 'PIER-0002']) {
      clients.push(await bootChargePoint(service, id))
      await service.request('POST', `/api/v1/sites/${site_id}/chargers/${id}/link`)
    }
    for (const { socket } of clients) socket.terminate()
    const { page } = await stage.open('/charge-points/PIER-0001')
    const lead = page.locator('.to-do .lead')
    await lead.getByText(/^Both charge points at Pier .* the power of the site, not this charge point\.$/).waitFor()
    t.match(await page.locator('.to-do').textContent(), /They went away at \d\d:\d\d on .* None of the others there/)
    t.match(await page.locator('.to-do ol.advice li').first().textContent(), /has power/)
    t.equal(await page.locator('.to-do .led').count(), 0, 'that it was moved into the site is not blamed')

    await service.register('LEAVES-0001')
    const left = await connectOcpp(`${service.ocppUrl}/LEAVES-0001`, { subprotocols: [] })
    await left.close()
    await page.goto('/console/charge-points/LEAVES-0001')
    await lead.getByText(/^The charge point arrives and is let in.*no BootNotification/).waitFor()
    t.equal(await failedStep(page).textContent(), 'It is not online')
    t.match(await page.locator('.to-do .advice').textContent(), /^Set the charge point to OCPP 1\.6-J/)
    await page.close()
  },
)

test(
  'charge point page - one that is connected and silent, and one with a fault, say what to do about it',
  needsBrowser,
  async (t) => {
    const { service, signedIn } = await installationStage()
    await service.register('SILENT-0001')
    const silent = await connectOcpp(`${service.ocppUrl}/SILENT-0001`, { subprotocols: [] })
    const faulted = await bootChargePoint(service, 'TRIPPED-0001')
    const fault = { connectorId: 1, status: 'Faulted', errorCode: 'GroundFailure' }
    await faulted.call('StatusNotification', fault)
    const { page } = await signedIn(t, service.key)
    await goTo(page, '/charge-points/TRIPPED-0001')
    const connector = page.getByRole('region', { name: 'Connector 1' })
    await connector.getByText(/What to do: Nobody should charge here until an electrician/).waitFor()
    t.ok(await connector.getByRole('button', { name: 'Start' }).isDisabled(), 'nobody is sent to charge there')
    await page.locator('.charge-point-head').getByRole('button', { name: 'Reset' }).click()
    await page.getByText('Connector 1 has a fault that an electrician has to look at first').waitFor()
    t.ok(await page.getByRole('dialog').getByRole('button', { name: 'Restart', exact: true }).isDisabled())
    await page.keyboard.press('Escape')
    await goTo(page, '/fleet?q=flag:silent')
    t.match(await page.getByRole('row', { name: /SILENT-0001/ }).textContent(), /Connected, not ready/)
    // A minute later: it could still be about to say what it is.
    await page.clock.install({ time: Date.now() + 60_000 })
    await page.goto('/console/charge-points/SILENT-0001')
    await page.getByText('It is connected, but has not said what it is').waitFor()
    await page.locator('.charge-point-head').getByText('Connected, not ready').waitFor()
    t.match(
      await page.locator('.to-do .advice').textContent(),
      /Restart it.*sends no BootNotification.*subprotocol ocpp1\.6/,
    )
    for (const client of [silent, faulted]) client.close()
  },
)

test(
  'charge point page - a command shows that it was asked, and then what the charger has said; what ends a session is asked about',
  needsBrowser,
  async (t) => {
    const stage = await installationStage()
    const id = 'COMMANDS-0001'
    const client = await bootChargePoint(stage.service, id)
    await client.call('StartTransaction', startRequest())
    const status = { errorCode: 'NoError', timestamp: new Date().toISOString() }
    await client.call('StatusNotification', { connectorId: 1, status: 'Charging', ...status })
    await client.call('StatusNotification', { connectorId: 2, status: 'Available', ...status })
    const { page } = await stage.open(`/charge-points/${id}`)
    await page.locator('.charge-point-head').getByRole('button', { name: 'Reset' }).click()
    const send = page.getByRole('dialog').getByRole('button', { name: 'Restart', exact: true })
    t.ok(await send.isDisabled(), 'a car is charging')
    await send.click({ force: true })
    await page.getByRole('dialog').getByText('Say first that you are sure.').waitFor()
    await page.getByRole('checkbox').check()
    await send.click()
    await page.getByText('Asked. Waiting for what the charger says.').waitFor()
    await client.answerNext({ status: 'Rejected' })
    const refused = /The charger has refused it\. Some do not restart while somebody charges/
    await page.getByText(refused).waitFor()
    await page.getByRole('checkbox').check()
    await send.click()
    await page.getByText('Asked. Waiting for what the charger says.').waitFor()
    await page.keyboard.press('Escape')
    await client.answerNext({ status: 'Rejected' })
    const told = page.locator('.toasts').getByText(refused)
    t.match(await told.textContent(), /^COMMANDS-0001, “Restart \(soft\)”:/, 'whoever has closed the box is told')

    await stage.service.request('POST', '/api/v1/id-tags', { id_tag: 'KNOWN-CARD', label: 'Fleet card 7' })
    const head = page.locator('.charge-point-head')
    await head.getByRole('button', { name: 'Start' }).click()
    const connector = page.getByLabel('Connector', { exact: true })
    t.equal(await connector.inputValue(), '2', 'where no car charges')
    t.same(await connector.locator('option').allTextContents(), ['Connector 1: Charging', 'Connector 2: Available'])
    await page.getByLabel('Card (id tag)').fill('NOBODYS-CARD')
    await page.getByText('None of your own id tags.').waitFor()
    await page.getByLabel('Card (id tag)').fill('KNOWN-CARD')
    await page.getByText('Fleet card 7.').waitFor()
    await page.getByLabel('Card (id tag)').fill('')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByText('Fill in the fields of the command first.').waitFor()
    await page.getByLabel('Command', { exact: true }).selectOption('Limit the power')
    await page.getByLabel('At most, kW').fill('-5')
    await page.getByText('This is not a number of kilowatts.').waitFor()
    t.ok(await page.getByRole('dialog').getByRole('button', { name: 'Limit', exact: true }).isDisabled())
    await page.keyboard.press('Escape')
    await page.locator('main').getByRole('link', { name: 'Commands', exact: true }).click()
    await page.locator('#page').getByText('Restart (soft)').first().waitFor()
    t.equal(await page.locator('.row .tag').first().textContent(), 'Rejected')
    await client.close()
    await head.getByText('Offline for', { exact: false }).first().waitFor()
    await head.getByRole('button', { name: 'Reset', disabled: true }).click({ force: true })
    await page.locator('.toasts').getByText('It is offline: commands can be sent once it has connected.').waitFor()
    t.equal(await page.getByRole('dialog').count(), 0)
    await page.close()
  },
)

test(
  'charge point page - any message of OCPP is filled in by its fields, checked, and answered as the charger has answered',
  needsBrowser,
  async (t) => {
    const stage = await installationStage()
    const id = 'COMMANDS-0002'
    const client = await bootChargePoint(stage.service, id)
    await client.call('StartTransaction', startRequest())
    const { page, complaints } = await stage.open(`/charge-points/${id}`)
    await page.keyboard.press('c')
    const box = page.getByRole('dialog')
    const send = box.getByRole('button', { name: 'Send', exact: true })
    await box.getByLabel('Command', { exact: true }).selectOption('Any other message (OCPP)')
    t.ok(await send.isDisabled(), 'no message is chosen')
    await box.getByLabel('Message', { exact: true }).selectOption('GetConfiguration')
    await box.getByLabel('Key (optional)').fill('HeartbeatInterval, AuthorizeRemoteTxRequests')
    await send.click()
    const configurationKey = [{ key: 'HeartbeatInterval', readonly: false, value: '300' }]
    const asked = await client.answerNext({ configurationKey })
    t.same(asked.slice(2), ['GetConfiguration', { key: ['HeartbeatInterval', 'AuthorizeRemoteTxRequests'] }])
    await box.getByRole('region', { name: 'What the charger has answered' }).getByText('HeartbeatInterval').waitFor()

    await box.getByLabel('Message', { exact: true }).selectOption('SetChargingProfile')
    await box.getByLabel('Connector id').fill('0')
    await box.getByLabel('Charging profile id').fill('7,5')
    await box.getByText('This has to be a whole number.').waitFor()
    await box.getByLabel('Charging profile id').fill('7')
    await box.getByLabel('Stack level').fill('0')
    await box.getByLabel('Charging profile purpose').selectOption('TxProfile')
    await box.getByLabel('Charging profile kind').selectOption('Relative')
    await box.getByLabel('Charging rate unit').selectOption('A')
    const periods = box.getByLabel('Charging schedule period', { exact: true })
    await periods.fill('[{"startPeriod": 0, "limit": 16}')
    await box.getByText(/^This is not JSON/).waitFor()
    await box.getByRole('checkbox').check()
    t.ok(await send.isDisabled(), 'what cannot be read is not sent')
    await periods.fill('[{"startPeriod": 0, "limit": 16.5}]')
    t.ok(await send.isDisabled(), 'whoever changes it is asked again whether a car may get less')
    await box.getByText('A car that is charging may be given less power, or none.').waitFor()
    await box.getByRole('checkbox').check()
    await send.click()
    await box.getByText('must not be 0 for a TxProfile', { exact: true }).waitFor()
    t.equal(await box.getByLabel('Connector id').getAttribute('aria-invalid'), 'true', 'it is said at the field')
    await box.getByLabel('Charging profile purpose').selectOption('TxDefaultProfile')
    await box.getByRole('checkbox').check()
    await send.click()
    const set = await client.answerNext({ status: 'NotSupported' })
    const chargingSchedule = { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 16.5 }] }
    t.same(set[3], {
      connectorId: 0,
      csChargingProfiles: {
        chargingProfileId: 7,
        stackLevel: 0,
        chargingProfilePurpose: 'TxDefaultProfile',
        chargingProfileKind: 'Relative',
        chargingSchedule,
      },
    })
    await box.getByText('The charger does not support this.').waitFor()

    await box.getByLabel('Message', { exact: true }).selectOption('DataTransfer')
    await box.getByLabel('Vendor id').fill('com.example')
    await box.getByRole('checkbox').check()
    await send.click()
    const [, messageId] = await client.nextFrame()
    client.raw(JSON.stringify([4, messageId, 'NotImplemented', '', {}]))
    await box.getByText('The charger does not know this message.').waitFor()
    await box.getByLabel('Vendor id').fill('com.example.other')
    await page.keyboard.press('Escape')
    const question = page.getByRole('dialog', { name: 'Close without sending?' })
    await question.getByRole('button', { name: 'Keep it open' }).click()
    t.equal(await box.getByLabel('Vendor id').inputValue(), 'com.example.other')
    await page.keyboard.press('Escape')
    await question.getByRole('button', { name: 'Close it' }).click()
    await page.locator('dialog').first().waitFor({ state: 'detached' })
    t.same(complaints, [])
    await client.close()
    await page.close()
  },
)

test('charge point page - `[` and `]` go to the charge points before and after', needsBrowser, async (t) => {
  const stage = await installationStage()
  for (const id of ['ORDER-1', 'ORDER-2', 'ORDER-3']) await stage.service.register(id)
  const { page } = await stage.open('/charge-points/ORDER-2')
  await page.keyboard.press(']')
  await page.waitForURL(/ORDER-3$/)
  await page.getByRole('heading', { name: 'ORDER-3' }).waitFor()
  await page.keyboard.press('[')
  await page.getByRole('heading', { name: 'ORDER-2' }).waitFor()
  t.match(page.url(), /ORDER-2$/)
  await page.close()
})

test(
  'charge point page - power of a moment is read with the arrows, and why its site limits it is told in words',
  needsBrowser,
  async (t) => {
    const stage = await installationStage()
    const { service } = stage
    const id = 'LIMITED-0001'
    const place = { name: 'Quay', address: 'Quay 1', max_grid_power_kw: 20, latitude: 53, longitude: 10 }
    const { site_id } = (await service.request('POST', '/api/v1/sites', place)).body
    const client = await bootChargePoint(service, id)
    answering(client, { status: 'Accepted' })
    await service.request('POST', `/api/v1/sites/${site_id}/chargers/${id}/link`)
    const sharing = { max_power_kw: 12, strategy: 'equal' }
    t.equal((await service.request('PUT', `/api/v1/smart-charging/sites/${site_id}/config`, sharing)).status, 200)
    const { payload } = await client.call('StartTransaction', startRequest({ timestamp: new Date().toISOString() }))
    await client.call('MeterValues', {
      connectorId: 1,
      transactionId: payload.transactionId,
      meterValue: [
        {
          timestamp: new Date().toISOString(),
          sampledValue: [{ value: '7400', measurand: 'Power.Active.Import', unit: 'W' }],
        },
      ],
    })
    const { page, complaints } = await stage.open(`/charge-points/${id}`)
    await page.locator('.power .reason').waitFor()
    t.match(await page.locator('.power .reason').textContent(), /^Connector 1: .*(kW|confirmed|limit)/)
    t.match(await page.locator('.power .moment').textContent(), /At most 7\.4 kW/)
    const moment = page.getByRole('slider', { name: 'Power at a moment' })
    await moment.focus()
    for (let steps = 0; steps < 3 && !/7\.4/.test((await moment.getAttribute('aria-valuetext')) ?? ''); steps++)
      await page.keyboard.press('ArrowLeft')
    t.match(await moment.getAttribute('aria-valuetext'), /, 7\.4 kW$/)
    t.same(complaints, [])
    await client.close()
    await page.close()
  },
)

/** What a thumb reaches: large, and on the screen without moving the other hand. */
async function tap(t: Test, target: Locator): Promise<void> {
  await target.waitFor()
  await target.scrollIntoViewIfNeeded()
  const box = await target.boundingBox()
  t.ok(box !== null && box.height >= 40, `${target} is ${box?.height} px high`)
  t.ok(box !== null && box.x >= 0 && box.x + box.width <= phone.width, `${target} is on the screen`)
  await target.tap()
}

test(
  'charge point page - journey 14: on a phone, 1, 4 and to unlock a connector, each with one hand',
  needsBrowser,
  async (t) => {
    const stage = await installationStage()
    const context = await stage.onPhone()
    t.teardown(() => context.close())
    await refusedForItsPassword(stage.service, 'PHONE-0001')
    const { page, complaints } = await stage.open('/api-keys', { context })
    const began = performance.now()
    await tap(t, page.getByRole('button', { name: /^Search/ }))
    await page.getByRole('combobox', { name: 'Search or jump to' }).fill('PHONE-0001')
    await tap(t, page.getByRole('option', { name: /PHONE-0001/ }))
    const [cause, advice] = [page.locator('.to-do .lead'), page.locator('.to-do .advice')]
    await advice.waitFor()
    t.comment(`journey 14: 1 with 2 taps and an id, ${Math.round(performance.now() - began)} ms`)
    t.match(await cause.textContent(), /password/)
    for (const seen of [cause, advice]) {
      const box = await seen.boundingBox()
      t.ok(box !== null && box.y >= 0 && box.y + box.height <= phone.height, `${seen} is on the first screen`)
    }

    await goTo(page, `/charge-points/${talkative}`)
    const from = performance.now()
    await tap(t, page.getByRole('link', { name: 'Messages', exact: true }))
    await page.getByLabel('Until').fill(minuteText(soughtAt))
    await tap(t, page.getByRole('row').filter({ hasText: 'StartTransaction' }))
    t.match(await page.getByRole('region', { name: 'Request' }).textContent(), new RegExp(soughtId))
    t.comment(`journey 14: 4 with 2 taps and a time, ${Math.round(performance.now() - from)} ms`)

    const id = 'PHONE-0002'
    const client = await bootChargePoint(stage.service, id)
    await client.call('StatusNotification', { connectorId: 1, status: 'Available', errorCode: 'NoError' })
    const calls = answering(client, { status: 'Unlocked' })
    await goTo(page, `/charge-points/${id}`)
    const unlock = page.getByRole('region', { name: 'Connector 1' }).getByRole('button', { name: 'Unlock' })
    const box = await unlock.boundingBox()
    t.ok(box !== null && box.y + box.height < phone.height, 'the button is on the first screen')
    const asked = performance.now()
    await tap(t, unlock)
    await tap(t, page.getByRole('dialog').getByRole('button', { name: 'Unlock', exact: true }))
    await page.getByText(/^The charger has taken it/).waitFor()
    t.same(calls, ['UnlockConnector'])
    t.comment(`journey 14: unlocked with 2 taps, ${Math.round(performance.now() - asked)} ms`)
    t.same(complaints, [])
    await client.close()
  },
)

test(
  "charge point page - another organization's link says not here, as that of an absent one does",
  needsBrowser,
  async (t) => {
    const stage = await installationStage()
    const other = await makeOrganization(stage.service)
    const { page } = await stage.signedIn(t, other.key)
    const seen: string[] = []
    for (const id of ['ABSENT-0001', stagedChargePoint])
      for (const tab of [
        '',
        '/sessions',
        '/configuration',
        '/commands',
        '/money',
        '/audit',
        '/security',
        '/commissioning',
      ]) {
        await goTo(page, `/charge-points/${id}${tab}`)
        await page.locator('[data-state=not-here]').waitFor()
        seen.push(((await page.locator('main').textContent()) ?? '').replaceAll(id, ''))
      }
    t.equal(new Set(seen).size, 1)
    t.match(seen[0], /Not here/)
  },
)
