// What is looked at: each screen by the name of its picture.

import type { Page } from '@playwright/test'
import { project } from '../browser/console.ts'
import { alertScreens } from './alert-screens.ts'
import { arrivalScreens } from './arrival-screens.ts'
import { errorScreens } from './error-screens.ts'
import { showDropping, showEvents, showOneEvent, showPaused } from './fill-live.ts'
import { impactScreens } from './impact-screens.ts'
import { sessionScreens } from './session-screens.ts'

export type Visitor = 'nobody' | 'owner' | 'viewer'

export interface ShotScreen {
  name: string
  path: string
  visitor: Visitor
  /** What is pressed before the picture is taken. */
  act: ((page: Page) => Promise<void>) | undefined
}

type Act = (page: Page) => Promise<void>

const signedIn = (name: string, path: string, act?: Act): ShotScreen => ({
  name,
  path,
  visitor: 'owner',
  act,
})
const asViewer = (name: string, path: string): ShotScreen => ({
  name: `${name}-viewer`,
  path,
  visitor: 'viewer',
  act: undefined,
})
const anybody = (name: string, path: string): ShotScreen => ({
  name,
  path,
  visitor: 'nobody',
  act: undefined,
})
const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()
const says = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()
/** The first of those that are listed. */
const opens =
  (text: string): Act =>
  async (page) => {
    await page.getByRole('row').nth(1).getByRole('link').click()
    await says(page, text)
  }
/** Opens the dialog of a button. */
const asks =
  (name: string | RegExp, then?: Act): Act =>
  async (page) => {
    await press(name)(page)
    await page.getByRole('dialog').waitFor()
    await then?.(page)
  }
const flag = '/p/:project/flags/checkout.one-page'

const requestTexts = {
  open: 'A maintainer or admin other than the author must approve it.',
  approved: 'Nothing has changed yet.',
  applied: 'The change is live.',
  declined: 'A reviewer declined it.',
  withdrawn: 'The author withdrew it.',
  conflicted: 'The flag was changed in the meantime.',
}

/** Somebody else saves the flag that stands open with changes. */
async function saveMeanwhile(page: Page, key: string): Promise<void> {
  const headers = { origin: new URL(page.url()).origin }
  const path = `${headers.origin}/api/v1/projects/${project.key}/environments/production/flags/${key}/config`
  const { salt: _, savedAt: __, ...config } = await (await page.request.get(path)).json()
  const [rule] = config.rules
  const description = `Staff first, as of ${new Date().toISOString().slice(11, 19)}`
  const data = { ...config, rules: [{ ...rule, description }], offVariation: 'on', reason: 'By name.' }
  await page.request.put(path, { headers, data })
}

export const screens: ShotScreen[] = [
  anybody('sign-in', '/sign-in'),
  anybody('password-reset', '/password-reset'),
  ...arrivalScreens,
  signedIn('projects', '/'),
  signedIn('overview', '/p/:project'),
  signedIn('flags', '/p/:project/flags'),
  signedIn('flags-peek', '/p/:project/flags?peek=banner.colour'),
  signedIn('flags-new', '/p/:project/flags?new=true'),
  signedIn('flag-targeting', `${flag}/targeting`),
  signedIn('flag-impact', `${flag}/impact`),
  signedIn('flag-history', `${flag}/history`),
  signedIn('flag-usage', `${flag}/usage`),
  signedIn('flag-settings', `${flag}/settings`),
  signedIn('flag-values', '/p/:project/flags/banner.colour/settings'),
  signedIn('identities', '/p/:project/identities'),
  signedIn('settings', '/p/:project/settings/general'),
  signedIn('environments', '/p/:project/settings/environments'),
  signedIn('members', '/p/:project/settings/members'),
  signedIn('data', '/p/:project/settings/data'),
  signedIn('audit', '/p/:project/settings/audit'),
  signedIn('change-requests', '/p/:project/change-requests'),
  signedIn('scheduled-changes', '/p/:project/scheduled-changes'),
  signedIn('account', '/account'),
  signedIn('installation', '/admin/installation'),
  signedIn('users', '/admin/users'),
  signedIn('segments', '/p/:project/segments'),
  signedIn('segment', '/p/:project/segments/dach'),
  signedIn('flags-archived', '/p/:project/flags?archived=true'),
  signedIn('flags-empty', '/p/empty/flags'),
  signedIn('segments-empty', '/p/empty/segments'),
  signedIn('identities-empty', '/p/empty/identities'),
  signedIn('change-requests-empty', '/p/empty/change-requests'),
  signedIn('overview-empty', '/p/empty'),
  signedIn('flag-targeting-string', '/p/:project/flags/banner.colour/targeting'),
  signedIn(
    'flag-long',
    '/p/:project/flags/returns.portal-for-customers-who-ordered-as-guests-no-account/targeting',
  ),
  signedIn('flag-review', `${flag}/targeting`, async (page) => {
    await page.getByRole('switch').first().click()
    await page
      .getByRole('button', { name: /^Review/ })
      .first()
      .click()
  }),
  signedIn('flag-unsaved', `${flag}/targeting`, (page) => page.getByRole('switch').first().click()),
  signedIn('identities-peek', '/p/:project/identities?peek=ada'),
  signedIn('identity', '/p/:project/identities/ada'),
  ...Object.entries(requestTexts).map(([state, text]) =>
    signedIn(`change-request-${state}`, `/p/:project/change-requests?state=${state}`, opens(text)),
  ),
  signedIn('change-request-approving', '/p/:project/change-requests?state=approved', async (page) => {
    await opens(requestTexts.approved)(page)
    await asks('Apply now')(page)
  }),
  signedIn('change-request-changing', '/p/:project/change-requests?state=open', async (page) => {
    await opens(requestTexts.open)(page)
    await press('Change proposal')(page)
  }),
  signedIn('flag-stale', `${flag}/settings`, async (page) => {
    const since = new Date(Date.now() - 94 * 86_400_000).toISOString()
    const lifecycle = { state: 'stale', because: 'one-variation', variation: 'on', since }
    await page.route(/\/flags\/checkout\.one-page$/, async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ json: { ...(await answer.json()), lifecycle } })
    })
    await page.reload()
    await says(page, 'Same for everyone, 94 days')
  }),
  asViewer('flag-targeting', `${flag}/targeting`),
  asViewer('flag-settings', `${flag}/settings`),
  asViewer('flag-history', `${flag}/history`),
  asViewer('segment', '/p/:project/segments/dach'),
  asViewer('segments', '/p/:project/segments'),
  asViewer('identity', '/p/:project/identities/ada'),
  asViewer('data', '/p/:project/settings/data'),
  asViewer('audit', '/p/:project/settings/audit'),
  asViewer('change-requests', '/p/:project/change-requests'),
  signedIn('flag-slow', `${flag}/targeting`, async (page) => {
    await page.route(/\/environments\/production\/flags\/[^/]+\/config$/, () => undefined)
    await page.reload()
    await page.getByRole('status', { name: 'Loading the targeting' }).waitFor()
  }),
  signedIn('flag-usage-failed', `${flag}/usage`, async (page) => {
    await page.route(/\/evaluations/, (route) =>
      route.fulfill({ status: 400, body: '{"title":"The counters could not be read"}' }),
    )
    await page.reload()
    await says(page, 'The counters could not be read')
  }),
  signedIn('flag-rule', `${flag}/targeting`, press('Edit Our own people first')),
  signedIn('flag-tried', `${flag}/targeting`, async (page) => {
    await page.getByLabel('Targeting key', { exact: true }).fill('katherine')
    await page.getByRole('button', { name: 'Try it' }).click()
    await says(page, 'As saved.')
  }),
  signedIn('flag-schedule', `${flag}/targeting`, async (page) => {
    await page.getByRole('switch').first().click()
    await asks('Schedule…')(page)
  }),
  signedIn('flag-scheduled', `${flag}/targeting`, asks('Show scheduled change')),
  signedIn('flag-copy', `${flag}/targeting`, asks('Compare and copy…')),
  signedIn('flag-revert', `${flag}/history`, asks(/^Revert this change/)),
  signedIn('flag-conflict', '/p/:project/flags/nav.sticky/targeting', async (page) => {
    await press(/^Edit /)(page)
    await page.getByLabel('Description').fill('Everybody who works here')
    await page.getByRole('switch').first().click()
    await saveMeanwhile(page, 'nav.sticky')
    await asks(/^Review changes/)(page)
    await page.getByRole('dialog').getByLabel('Reason').fill('It is in the way.')
    await press(/^Save to/)(page)
    await page.getByRole('dialog', { name: /^Someone else saved/ }).waitFor()
  }),
  signedIn('flags-new-faults', '/p/:project/flags?new=true', press('Create a flag')),
  signedIn('scheduled-change', '/p/:project/scheduled-changes', async (page) => {
    await page.getByRole('row').nth(1).getByRole('link').click()
    await page.getByRole('dialog').waitFor()
  }),
  signedIn('overview-change', '/p/:project', press(/^Change \d/)),
  signedIn('overview-table', '/p/:project', async (page) => {
    await press('Chart options')(page)
    await page.getByRole('menuitem', { name: 'Show as table' }).click()
  }),
  signedIn('pages', '/p/:project/pages'),
  signedIn('pages-peek', '/p/:project/pages', async (page) => {
    await page.keyboard.press('j')
    await page.keyboard.press('Space')
  }),
  signedIn('page', '/p/:project/pages/%2Fcart'),
  signedIn('page-by-device', '/p/:project/pages/%2Fcart?vital=INP&by=device'),
  signedIn('page-nothing', '/p/:project/pages/%2Fnowhere'),
  signedIn('requests', '/p/:project/requests'),
  signedIn('requests-peek', '/p/:project/requests', async (page) => {
    await page.keyboard.press('j')
    await page.keyboard.press('Space')
    await page.getByRole('complementary').last().waitFor()
  }),
  signedIn(
    'request',
    '/p/:project/requests/%2Fquote?method=POST&host=pay.example&by=flag%3Acheckout.one-page',
  ),
  signedIn('explore', '/p/:project/explore'),
  signedIn(
    'explore-stacked',
    '/p/:project/explore?measure=count&kind=view&by=page&look=stacked&compare=true',
  ),
  signedIn('explore-p75', '/p/:project/explore?measure=p75&of=lcp&by=browser'),
  signedIn('explore-fields', '/p/:project/explore?measure=count&by=page', press('Group by: Page')),
  signedIn('explore-nothing', '/p/:project/explore?measure=count&q=browser%3ALynx'),
  signedIn('live', '/p/:project/live?env=production', showEvents),
  signedIn('live-peek', '/p/:project/live?env=production', showOneEvent),
  signedIn('live-dropping', '/p/:project/live?env=production', showDropping),
  signedIn('live-paused', '/p/:project/live?env=production&q=flag%3Acheckout.one-page', showPaused),
  signedIn('live-empty', '/p/:project/live?env=staging'),
  ...alertScreens,
  ...errorScreens,
  ...impactScreens,
  ...sessionScreens,
  signedIn('audit-peek', '/p/:project/settings/audit?entity=flag-config', async (page) => {
    await page.getByRole('row').nth(1).getByRole('button').click()
    await page.getByRole('complementary').last().waitFor()
  }),
  signedIn('segment-unsaved', '/p/:project/segments/staff', async (page) => {
    await page.getByLabel('Name', { exact: true }).fill('People of Pedal & Post')
  }),
  signedIn('segment-review', '/p/:project/segments/staff', async (page) => {
    await page.getByLabel('Name', { exact: true }).fill('People of Pedal & Post')
    await asks(/^Review/)(page)
  }),
  signedIn('segment-used', '/p/:project/segments/staff', asks('Delete segment')),
  signedIn('identity-why', '/p/:project/identities/ada?flag=banner.colour'),
  signedIn('identity-override', '/p/:project/identities/ada?override='),
  signedIn('identity-unknown', '/p/:project/identities/nobody-yet'),
  signedIn('environment', '/p/:project/settings/environments/production'),
  signedIn('project-tokens', '/p/:project/settings/tokens'),
  signedIn('sessions-of-account', '/account/sessions'),
  signedIn('account-tokens', '/account/tokens'),
  signedIn('new-token', '/account/tokens', press(/^New token/)),
  signedIn('installation-audit', '/admin/audit'),
  signedIn('segments-peek', '/p/:project/segments?peek=dach'),
  signedIn('segments-new', '/p/:project/segments?new=true'),
  signedIn('palette', '/p/:project/flags', (page) => page.keyboard.press('Control+k')),
  signedIn('key-list', '/p/:project/flags', async (page) => {
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
  }),
  signedIn('environment-menu', '/p/:project', press(/^Environment:/)),
  signedIn('overview-check', '/p/:project?env=staging', (page) => page.getByText('Checklist').click()),
  signedIn('setup-done', '/setup'),
  signedIn('invite-expired', '/invite/nothing'),
  signedIn('not-found', '/p/:project/nothing-here'),
]
