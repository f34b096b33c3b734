import { type Browser, expect, type Page, test } from '@playwright/test'
import { expectAccessible, expectAccessibleInThemes } from './accessibility.ts'
import type { BuiltServer } from './built-server.ts'
import { listenForComplaints, signIn, startConsole } from './console.ts'
import { ask, becomeMember, projectPath } from './console-member.ts'

let server: BuiltServer
let list: string
/** The page of an editor, who asks; on the others the owner decides. */
let author: Page

test.beforeAll(async ({ browser }) => {
  server = await startConsole()
  list = `${server.url}/p/pedal-post/change-requests`
  author = await authorOf(browser)
})
test.afterAll(async () => {
  await author.context().close()
  await server[Symbol.asyncDispose]()
})
test.beforeEach(async ({ page }) => {
  await signIn(page, server)
})

const rule = (plan: string) => ({
  description: `Rule of ${plan}`,
  when: { match: 'all', of: [{ attribute: 'plan', operator: 'equals', value: plan }] },
  serve: { variation: 'on' },
})
const saved = {
  enabled: false,
  offVariation: 'off',
  prerequisites: [],
  rules: [],
  fallthrough: { variation: 'off' },
}
const proposed = { ...saved, enabled: true, fallthrough: { variation: 'on' } }

interface Request {
  id: string
  version: number
  state: string
}
const read = (page: Page, id: string) =>
  ask<Request>(page, server, { path: `${projectPath}/change-requests/${id}` })
const configOf = (page: Page, flag: string) =>
  ask<{ version: number; enabled: boolean }>(page, server, {
    path: `${projectPath}/environments/production/flags/${flag}/config`,
  })

test('every state has its description and next step, in both themes, wide and narrow', async ({ page }) => {
  const complaints = listenForComplaints(page)
  for (const [state, { says, offers }] of Object.entries(states)) {
    const id = await inState(page, state)
    await page.goto(`${list}/${id}`)
    await expect(page.getByText(says)).toBeVisible()
    const buttons = page.getByRole('main').getByRole('button')
    await expect.poll(() => buttons.allInnerTexts()).toEqual(offers)
    await expectAccessibleInThemes(page)
  }
  expect(complaints).toEqual([])
})

test('the list is filtered by URL and navigated by keyboard', async ({ page }) => {
  await open(page, 'listed', proposed)
  await page.goto(`${list}?flag=listed`)
  await expect(page.getByRole('row', { name: /listed/ })).toContainText('Waiting for approval')
  await expect(page.getByRole('row', { name: /listed/ })).toContainText('A editor')
  await expectAccessibleInThemes(page)
  await chooseState(page, 'Declined')
  await expect(page).toHaveURL(/state=declined/)
  await expect(page.getByText('No matching change requests')).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('row', { name: /listed/ })).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(page.getByText('A editor proposes to change')).toBeVisible()
  await page.getByRole('link', { name: 'listed', exact: true }).press('Enter')
  await expect(page).toHaveURL(/\/flags\/listed\/targeting\?.*env=production/)
  await page.getByRole('link', { name: 'Open change request' }).press('Enter')
  await expect(page.getByText('A editor proposes to change')).toBeVisible()
})

test('authors cannot approve their own request; another member does, and applies it', async ({ page }) => {
  const id = await open(page, 'agreed', proposed)
  await author.goto(`${list}/${id}`)
  await expect(author.getByRole('button', { name: 'Approve' })).toBeDisabled()
  await expect(author.getByText('You cannot approve or decline your own change request')).toBeVisible()

  await page.goto(`${list}/${id}`)
  await page.getByRole('button', { name: 'Approve' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Approve: agreed in Production' })
  await expect(dialog.getByLabel('Comment (optional)')).toBeFocused()
  await page.keyboard.type('Looks calm to me')
  await expectAccessible(page)
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Looks calm to me')).toBeVisible()
  expect((await configOf(page, 'agreed')).enabled).toBe(false)

  await page.getByRole('button', { name: 'Apply now' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Apply now' }).dblclick()
  await expect(page.getByText('Saved as version 2.')).toBeVisible()
  expect(await configOf(page, 'agreed')).toMatchObject({ version: 2, enabled: true })
})

test('a request is declined with a comment, and withdrawn by keyboard', async ({ page }) => {
  const declined = await open(page, 'refused', proposed)
  await page.goto(`${list}/${declined}`)
  await page.getByRole('button', { name: 'Decline' }).click()
  await page.getByLabel('Comment (optional)').fill('Not on a Friday')
  await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click()
  await expect(page.getByText('A reviewer declined it. Nothing changed.')).toBeVisible()
  await expect(page.getByText('Not on a Friday')).toBeVisible()

  const withdrawn = await open(page, 'taken-back', proposed)
  await author.goto(`${list}/${withdrawn}`)
  await author.getByRole('button', { name: 'Withdraw' }).press('Enter')
  await author.keyboard.press('Control+Enter')
  await expect(author.getByText('The author withdrew it. Nothing changed.')).toBeVisible()
})

test('the author edits the proposal; a rejected edit keeps all input, and an approval is voided', async ({
  page,
}) => {
  const id = await open(page, 'reworded', proposed)
  await decide(page, id, 'approve')
  await author.goto(`${list}?flag=reworded`)
  await author.getByRole('link', { name: 'reworded' }).click()
  await author.getByRole('button', { name: 'Change proposal' }).click()
  const dialog = author.getByRole('dialog', { name: /^Change the proposal/ })
  await expect(dialog.getByText('This discards the approval')).toBeVisible()
  await dialog.getByLabel('Reason').fill('On second thoughts')
  const editor = dialog.getByRole('textbox', { name: 'Proposed configuration' })
  await editor.fill('{ "enabled": true')
  await expect(dialog.getByText(/^Invalid JSON/)).toBeVisible()
  await editor.fill(JSON.stringify({ ...proposed, offVariation: 'gone', fallthrough: { variation: 'lost' } }))
  await dialog.getByRole('button', { name: 'Change proposal' }).click()
  await expect(dialog.getByRole('alert')).toContainText('/offVariation')
  await expect(dialog.getByRole('alert')).toContainText('/fallthrough')
  await expect(dialog.getByLabel('Reason')).toHaveValue('On second thoughts')
  await expectAccessible(author)

  await author.goBack()
  await author
    .getByRole('dialog', { name: 'Leave the proposal without saving' })
    .getByRole('button', { name: 'Cancel' })
    .click()
  await editor.fill(JSON.stringify({ ...proposed, rules: [rule('staff')] }))
  await dialog.getByRole('button', { name: 'Change proposal' }).click()
  await expect(author.getByText('A maintainer or admin other than the author must approve it.')).toBeVisible()
  await expect(author.getByText('On second thoughts')).toBeVisible()
  expect((await read(page, id)).state).toBe('open')
})

test('the author chooses reviewers by keyboard', async ({ page }) => {
  const id = await open(page, 'asked-for', proposed)
  await becomeMember(page, server, 'maintainer')
  await author.goto(`${list}/${id}`)
  await author.getByRole('button', { name: 'Change proposal' }).press('Enter')
  await author.getByRole('dialog').getByRole('checkbox', { name: 'A maintainer' }).press('Space')
  await author.keyboard.press('Control+Enter')
  await expect(author.getByText('Reviewers: A maintainer.')).toBeVisible()
  await expectAccessible(author)
})

test('a request in conflict is rebased: automatically, or part by part', async ({ page }) => {
  const apart = await open(page, 'apart', { ...saved, offVariation: 'on' })
  await applyOther(page, 'apart', { ...saved, enabled: true })
  await author.goto(`${list}/${apart}`)
  await expect(author.getByText('No conflicts')).toBeVisible()
  await author.getByRole('button', { name: 'Rebase' }).click()
  await author.getByRole('dialog').getByRole('button', { name: 'Rebase' }).click()
  await expect(author.getByText('Rebased')).toBeVisible()
  expect(await read(page, apart)).toMatchObject({
    state: 'open',
    proposed: { enabled: true, offVariation: 'on' },
  })

  const mine = { ...saved, rules: [rule('staff')] }
  const both = await open(page, 'both', mine)
  await applyOther(page, 'both', {
    ...proposed,
    rules: [rule('trade')],
    fallthrough: {
      split: [
        { variation: 'on', weight: 40_000 },
        { variation: 'off', weight: 60_000 },
      ],
    },
  })
  await author.goto(`${list}/${both}`)
  await expect(author.getByText('Everyone else', { exact: true })).toBeVisible()
  await expectAccessible(author)
  await author.getByRole('button', { name: 'Rebase' }).click()
  const dialog = author.getByRole('dialog', { name: 'Rebase the change of both' })
  const send = dialog.getByRole('button', { name: 'Request approval again' })
  await dialog.getByRole('region', { name: 'Everyone else' }).getByRole('button', { name: 'Mine' }).click()
  await expect(send).toBeDisabled()
  await dialog
    .getByRole('region', { name: 'Rules and their order' })
    .getByRole('button', { name: 'Theirs' })
    .click()
  await expect(dialog.getByRole('region', { name: 'From current to result' })).toContainText('serve off')
  await expectAccessible(author)
  await send.click()
  await expect(author.getByText('Rebased')).toBeVisible()
  expect(await read(page, both)).toMatchObject({
    state: 'open',
    baseVersion: 2,
    proposed: { enabled: true, rules: [{ description: 'Rule of trade' }], fallthrough: { variation: 'off' } },
  })
})

test('long keys and words fit a narrow screen', async ({ page }) => {
  const flag = 'f'.repeat(64)
  const long = 'w'.repeat(120)
  await makeFlag(page, flag)
  const config = { ...proposed, rules: [{ ...rule(long), description: long }] }
  const id = await propose(author, flag, { config, reason: long })
  await ask(page, server, {
    method: 'POST',
    path: `${projectPath}/environments/development/flags/${flag}/scheduled-changes`,
    body: { at: new Date(Date.now() + 86_400_000).toISOString(), change: { enabled: true }, reason: long },
  })
  await page.setViewportSize({ width: 390, height: 844 })
  for (const path of [
    `change-requests?flag=${flag}`,
    `change-requests/${id}`,
    `scheduled-changes?flag=${flag}`,
  ]) {
    await page.goto(`${server.url}/p/pedal-post/${path}`)
    await expect(page.getByText(long).first()).toBeVisible()
    await expectAccessible(page)
  }
  await page.getByRole('link', { name: flag }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessible(page)
})

test('the second of two members sees the conflict, and keeps the input', async ({ page }) => {
  const id = await open(page, 'raced', proposed)
  await page.goto(`${list}/${id}`)
  await page.getByRole('button', { name: 'Decline' }).click()
  await page.getByLabel('Comment (optional)').fill('Too early')
  await decide(author, id, 'withdraw')
  await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click()
  await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible()
  await expect(page.getByLabel('Comment (optional)')).toHaveValue('Too early')
  await page.keyboard.press('Escape')
  await expect(page.getByText('The author withdrew it. Nothing changed.')).toBeVisible()
})

test('a viewer can read, an unknown request says so, and a failure can be retried', async ({ page }) => {
  const id = await open(page, 'looked-at', proposed)
  let fails = true
  await page.route(`**/api/v1/**/change-requests/${id}`, (route) =>
    fails ? route.fulfill({ status: 400, body: '{"title":"Not this time"}' }) : route.continue(),
  )
  await becomeMember(page, server, 'viewer')
  await page.goto(`${list}/${id}`)
  await expect(page.getByRole('heading', { name: 'Not this time' })).toBeVisible()
  fails = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Approving and declining require the role maintainer or admin.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Approve' })).toBeDisabled()
  await page.goto(`${list}/00000000-0000-7000-8000-000000000000`)
  await expect(page.getByText('Not found')).toBeVisible()
  await expectAccessible(page)
})

test('a scheduled change is found, rescheduled and cancelled', async ({ page }) => {
  const flag = 'clockwork'
  await makeFlag(page, flag)
  const at = new Date(Date.now() + 86_400_000).toISOString()
  await ask(page, server, {
    method: 'POST',
    path: `${projectPath}/environments/development/flags/${flag}/scheduled-changes`,
    body: { at, change: { enabled: true }, reason: 'Before the doors open' },
  })
  await page.goto(`${server.url}/p/pedal-post/scheduled-changes?flag=${flag}`)
  await expect(page.getByRole('row', { name: /Before the doors open/ })).toContainText('Scheduled')
  await expectAccessibleInThemes(page)
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: /clockwork/ })
  await dialog.getByLabel(/^Date and time/).fill('2020-01-01T09:00')
  await dialog.getByRole('button', { name: 'Change time' }).click()
  await expect(dialog.getByLabel(/^Date and time/)).toHaveAccessibleDescription(
    'Choose a time in the future.',
  )
  await expect(dialog.getByRole('region', { name: 'Changes' })).toContainText('the flag is on')
  await expectAccessibleInThemes(page)
  const later = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 16)
  await dialog.getByLabel(/^Date and time/).fill(later)
  await dialog.getByRole('button', { name: 'Change time' }).click()
  await expect(dialog).toBeHidden()
  await page.getByRole('link', { name: flag }).click()
  await page.reload()
  await expect(dialog.getByLabel(/^Date and time/)).toHaveValue(later)
  await dialog.getByRole('button', { name: 'Cancel change' }).click()
  await expect(page.getByRole('row', { name: /Before the doors open/ })).toContainText('Cancelled')
  await chooseState(page, 'Failed')
  await expect(page.getByText('No matching scheduled changes')).toBeVisible()
})

const states: Record<string, { says: string; offers: string[] }> = {
  open: {
    says: 'A maintainer or admin other than the author must approve it.',
    offers: ['Approve', 'Decline'],
  },
  approved: {
    says: 'Nothing has changed yet. A maintainer or admin applies it.',
    offers: ['Apply now', 'Decline'],
  },
  conflicted: { says: 'The flag was changed in the meantime.', offers: ['Decline'] },
  applied: { says: 'The change is live.', offers: [] },
  declined: { says: 'A reviewer declined it. Nothing changed.', offers: [] },
  withdrawn: { says: 'The author withdrew it. Nothing changed.', offers: [] },
}

async function chooseState(page: Page, state: string): Promise<void> {
  await page.getByRole('button', { name: /^State/ }).click()
  await page.getByRole('menuitemcheckbox', { name: state }).click()
  await page.keyboard.press('Escape')
}

async function inState(page: Page, state: string): Promise<string> {
  const id = await open(page, state, proposed)
  if (state === 'approved' || state === 'applied') await decide(page, id, 'approve')
  if (state === 'applied') await decide(page, id, 'apply')
  if (state === 'declined') await decide(page, id, 'decline')
  if (state === 'withdrawn') await decide(author, id, 'withdraw')
  if (state === 'conflicted') await applyOther(page, state, { ...saved, offVariation: 'on' })
  return id
}

async function authorOf(browser: Browser): Promise<Page> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await signIn(page, server)
  await ask(page, server, {
    method: 'PATCH',
    path: `${projectPath}/environments/production`,
    body: { protected: true, approvalRequired: true },
  })
  await becomeMember(page, server, 'editor')
  return page
}

async function makeFlag(page: Page, key: string): Promise<void> {
  const body = { key, name: key, valueType: 'boolean' }
  await ask(page, server, { method: 'POST', path: `${projectPath}/flags`, body })
}

/** A flag of its own, and what the author wants of it. */
async function open(page: Page, flag: string, config: object): Promise<string> {
  await makeFlag(page, flag)
  return propose(author, flag, { config })
}

async function propose(
  page: Page,
  flag: string,
  { config, reason = 'The calm one won' }: { config: object; reason?: string },
): Promise<string> {
  const { id } = await ask<Request>(page, server, {
    method: 'POST',
    path: `${projectPath}/environments/production/flags/${flag}/change-requests`,
    body: { config, baseVersion: 1, reason },
  })
  return id
}

async function decide(page: Page, id: string, decision: string): Promise<void> {
  const { version } = await read(page, id)
  await ask(page, server, {
    method: 'POST',
    path: `${projectPath}/change-requests/${id}/${decision}`,
    body: decision === 'approve' ? { version } : {},
  })
}

/** Saves something else in between. */
async function applyOther(page: Page, flag: string, config: object): Promise<void> {
  const id = await propose(author, flag, { config })
  await decide(page, id, 'approve')
  await decide(page, id, 'apply')
}
