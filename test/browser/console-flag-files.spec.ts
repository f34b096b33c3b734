import { expect, type Page, test } from '@playwright/test'
import { expectAccessible, expectAccessibleInThemes } from './accessibility.ts'
import type { BuiltServer } from './built-server.ts'
import { signIn, startConsole } from './console.ts'
import { ask, projectPath } from './console-member.ts'

const careful = {
  name: 'Careful',
  stages: [10_000, 100_000].map((weight) => ({
    ...{ weight, minDuration: 3_600_000, minUnits: 100, needsApproval: false },
  })),
  metrics: [{ metric: 'lcp', limit: 0.05, role: 'required', onRegression: 'roll-back' }],
}

interface Config {
  salt: string
  savedAt: string
}

let server: BuiltServer
let list: string

test.beforeAll(async () => {
  server = await startConsole()
  list = `${server.url}/p/pedal-post/flags`
})
test.afterAll(async () => {
  await server[Symbol.asyncDispose]()
})
test.beforeEach(async ({ page }) => {
  await signIn(page, server)
})

async function applyFiles(page: Page): Promise<void> {
  const body = {
    document: {
      flags: {
        'in-code': {
          name: 'In code',
          valueType: 'boolean',
          environments: { development: { enabled: true } },
        },
      },
      segments: { staff: { name: 'Staff', when: { match: 'all', of: [] } } },
      metrics: { orders: { name: 'Orders', event: 'order', aggregation: 'sum', better: 'higher' } },
      rolloutTemplates: { careful },
      alerts: { 'New errors': { env: 'development', rule: { kind: 'events', events: ['issue.new'] } } },
      dashboards: { Shop: { defaults: { range: '7d' }, tiles: [] } },
    },
    source: {
      ...{ repository: 'acme/shop', path: 'telltale', branch: 'main', commit: 'c0ffee12c0ffee12' },
      link: 'https://git.example/acme/shop/blob/{commit}/{file}',
    },
    files: { '/flags/in-code': 'flags/in-code.yaml', '/rolloutTemplates/careful': 'rolloutTemplates.yaml' },
  }
  await ask(page, server, { method: 'POST', path: `${projectPath}/code/apply`, body })
}

test('flags of another product are imported from a file, after a preview of what changes', async ({
  page,
}) => {
  await page.goto(list)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Import flags' })
  await expect(page).toHaveURL(/import=true/)
  await dialog.getByRole('combobox', { name: 'Product' }).selectOption('Unleash')
  const choose = (content: string) =>
    dialog.getByLabel(/^Choose/).setInputFiles({
      name: 'unleash.json',
      mimeType: 'application/json',
      buffer: Buffer.from(content),
    })
  await choose('no JSON')
  await expect(dialog.getByText('not valid JSON')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Preview' })).toBeDisabled()
  await choose('{ "features": [{ "name": 7, "enabled": true }] }')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await expect(dialog.getByRole('alert')).toContainText('/document/features/0/name')
  await expectAccessibleInThemes(page)

  const rollout = {
    name: 'flexibleRollout',
    parameters: { rollout: '30', stickiness: 'default', groupId: 'a' },
  }
  const features = [
    { name: 'unleashed', enabled: true, strategies: [{ name: 'default' }] },
    { name: 'in-part', enabled: true, strategies: [rollout] },
    {
      name: 'by-address',
      enabled: true,
      strategies: [{ name: 'remoteAddress', parameters: { IPs: '10.0.0.1' } }],
    },
  ]
  await choose(JSON.stringify({ version: 1, features }))
  await dialog.getByRole('button', { name: 'Preview' }).click()
  const report = dialog.getByRole('table', { name: 'Imported flags' })
  await expect(report.getByRole('row', { name: /unleashed/ })).toContainText('Carried')
  await expect(report.getByRole('row', { name: /in-part/ })).toContainText('Approximated')
  await expectAccessibleInThemes(page)
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(page.getByText(/3.flags and 0.segments imported/)).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(
    page.getByRole('table', { name: 'Flags' }).getByRole('link', { name: 'unleashed' }),
  ).toBeVisible()
})

test('a flag that is managed in code says so, and settings show what was changed elsewhere', async ({
  page,
}) => {
  const settings = `${server.url}/p/pedal-post/settings/code`
  await page.goto(settings)
  await expect(page.getByRole('heading', { name: 'Nothing is managed in code' })).toBeVisible()
  await expectAccessible(page)
  await applyFiles(page)

  await page.goto(`${list}/in-code`)
  await expect(page.getByText('Managed in code')).toBeVisible()
  await expect(page.getByRole('link', { name: 'telltale/flags/in-code.yaml' })).toHaveAttribute(
    'href',
    'https://git.example/acme/shop/blob/c0ffee12c0ffee12/telltale/flags/in-code.yaml',
  )
  await expectAccessibleInThemes(page)

  await page.goto(settings)
  await expect(page.getByRole('table', { name: 'Folders' })).toContainText('acme/shop')
  await expect(page.getByText('the project is as the files say')).toBeVisible()
  const config = `${projectPath}/environments/development/flags/in-code/config`
  const { salt: _salt, savedAt: _savedAt, ...saved } = await ask<Config>(page, server, { path: config })
  await ask(page, server, { method: 'PUT', path: config, body: { ...saved, enabled: false } })
  await page.reload()
  await expect(page.getByRole('region', { name: 'Changes of in-code' })).toContainText('the flag is on')
  await expectAccessibleInThemes(page)
  await page.getByRole('link', { name: 'in-code' }).click()
  await expect(page).toHaveURL(/flags\/in-code\/targeting\?env=development/)
  await page.getByText('Differs from the file').click()
  await expect(page.getByRole('region', { name: 'Changes of in-code in development' })).toContainText(
    'the flag is on',
  )
})

test('segments, metrics, rollout templates, alerts and dashboards say where they are managed', async ({
  page,
}) => {
  await applyFiles(page)
  const at = (path: string) => `${server.url}/p/pedal-post/${path}`
  const says = page.getByText('Managed in code', { exact: true })
  await page.goto(at('segments/staff'))
  await expect(says).toBeVisible()
  await page.goto(at('settings/metrics'))
  await page.getByRole('button', { name: 'Change Orders' }).click()
  await expect(says).toBeVisible()
  await page.goto(at('settings/rollout-templates'))
  await page.getByRole('button', { name: 'Change Careful' }).click()
  await page.getByLabel('Share of stage 1, in percent').fill('20')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Change Careful' }).click()
  await page.getByText('Differs from the file').click()
  await expect(page.getByRole('region', { name: 'Changes of careful' })).toContainText('"weight": 10000')
  await expectAccessibleInThemes(page)
  await page.goto(at('alerts?env=development'))
  await page.getByRole('link', { name: 'New errors' }).click()
  await expect(says).toBeVisible()
  await page.goto(at('dashboards'))
  await page.getByRole('link', { name: 'Shop' }).click()
  await page.getByRole('button', { name: 'Edit' }).first().click()
  await expect(says).toBeVisible()
})
