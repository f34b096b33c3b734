// What of a page may leave it, and when: consent, trouble of the server and the network, sampling, content policies.

import { expect, test } from '@playwright/test'
import { leave, readFlags, useMonitoredSite } from './monitored-site.ts'

const site = useMonitoredSite()
const kindsOf = (events: readonly { kind: string }[]) => events.map(({ kind }) => kind)

test('nothing is stored or sent before consent; then collected events are sent, and a refusal discards them', async ({
  page,
}) => {
  await site.open(page, { options: `consent: 'pending'` })
  await readFlags(page)
  await page.click('#fail')
  await page.evaluate(() => app.track('early'))
  const stored = () =>
    page.evaluate(() => Object.keys(localStorage).filter((name) => /session|settings/.test(name)))
  expect(await stored()).toEqual([])
  expect(site.intake.batches).toEqual([])
  await page.evaluate(() => app.setConsent('granted'))
  await expect.poll(() => kindsOf(site.intake.batches.flatMap(({ events }) => events))).toContain('exposure')
  expect(site.intake.events('error')).toHaveLength(1)
  expect(site.intake.events('custom').map(({ name }) => name)).toEqual(['early'])

  site.intake.forget()
  await page.evaluate(() => {
    app.track('never')
    app.setConsent('refused')
    app.track('neither')
  })
  expect(await page.evaluate(() => localStorage.getItem('telltale:shop-production-web:session'))).toBeNull()
  await leave(page)
  await site.open(page, { options: `consent: 'refused'` })
  await page.click('#fail')
  await leave(page)
  expect(site.intake.batches).toEqual([])
})

test('a failing server gets the same batch again, after its Retry-After', async ({ page }) => {
  site.intake.answers = [{ status: 429, headers: { 'retry-after': '1' } }, { status: 503 }, { status: 408 }]
  await site.open(page)
  await page.click('#fail')
  await expect
    .poll(() => site.intake.batches.map(({ status }) => status), { timeout: 20_000 })
    .toEqual([429, 503, 408, 202])
  const [first, second, ...rest] = site.intake.batches
  for (const each of [second, ...rest]) expect(each?.id).toBe(first?.id)
  for (const each of [second, ...rest]) expect(each?.events).toEqual(first?.events)
  expect((second?.sentAt ?? 0) - (first?.sentAt ?? 0)).toBeGreaterThanOrEqual(1_000)
  expect(site.intake.events('error')).toHaveLength(1)
})

test('offline events arrive when the network is back', async ({ page, context }) => {
  await site.open(page)
  await page.evaluate(() => app.track('before'))
  await context.setOffline(true)
  await page.click('#fail')
  await page.evaluate(() => app.track('meanwhile'))
  const failed = page.waitForEvent('requestfailed')
  await failed
  expect(site.intake.events('error')).toEqual([])
  await context.setOffline(false)
  await expect.poll(() => site.intake.events('error').length).toBe(1)
  await site.leaveAndWait(page)
  expect(site.intake.events('custom').map(({ name }) => name)).toEqual(['before', 'meanwhile'])
})

test('the environment samples sessions down, with their weight, consistently in every tab', async ({
  page,
}) => {
  site.intake.config = { sampling: { session: 40 }, privacyLevel: 'mask-all' }
  try {
    let sampled = 0
    for (let visit = 0; visit < 6; visit++) {
      site.intake.forget()
      await site.open(page, { before: 'localStorage.clear()' })
      await page.click('#dead')
      const id = await page.evaluate(async () => {
        while (!app.sessionId()) await new Promise((resolve) => setTimeout(resolve, 20))
        return app.sessionId() ?? ''
      })
      const isIn = Number.parseInt(id.slice(-8), 16) / 2 ** 32 < 0.4
      await leave(page)
      if (isIn) {
        sampled++
        await expect.poll(() => site.intake.events('action').length).toBe(1)
        expect(site.intake.events('action')[0]).toMatchObject({
          name: 'button#dead',
          context: { weight: 2.5 },
        })
      } else expect(site.intake.batches).toEqual([])
    }
    test.info().annotations.push({ type: 'sampled', description: `${sampled} of 6` })
  } finally {
    site.intake.config = { sampling: { session: 100 }, privacyLevel: 'mask-inputs' }
  }
})

test('a page whose CSP only allows connections to the server is still monitored', async ({ page }) => {
  const refused: string[] = []
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) refused.push(message.text())
  })
  site.shop.headers = {
    'content-security-policy': `default-src 'none'; script-src ${site.intake.url} 'unsafe-inline'; style-src 'unsafe-inline'; connect-src ${site.intake.url}`,
  }
  try {
    await site.open(page)
    await readFlags(page)
    await page.click('#fail')
    await site.leaveAndWait(page)
    expect(site.intake.events('error')).toHaveLength(1)
    expect(refused).toEqual([])
  } finally {
    site.shop.headers = {}
  }
})
