// What is looked at: each screen by the name of its picture.

import type { Page } from '@playwright/test'

export interface ShotScreen {
  name: string
  path: string
  isPublic: boolean
  /** What is pressed before the picture is taken. */
  act: ((page: Page) => Promise<void>) | undefined
}

type Act = (page: Page) => Promise<void>

const signedIn = (name: string, path: string, act?: Act): ShotScreen => ({ name, path, isPublic: false, act })
const anybody = (name: string, path: string): ShotScreen => ({ name, path, isPublic: true, act: undefined })
const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()
const row = (name: string) => (page: Page) =>
  page.getByRole('row', { name }).getByRole('link').first().click()
const flag = '/p/:project/flags/checkout.one-page'

export const screens: ShotScreen[] = [
  anybody('sign-in', '/sign-in'),
  anybody('password-reset', '/password-reset'),
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
  signedIn('change-request-open', '/p/:project/change-requests', row('search.ranking-v2')),
  signedIn('change-request-withdrawn', '/p/:project/change-requests', row('banner.colour')),
  signedIn('change-request-conflict', '/p/:project/change-requests', row('shipping.free-above')),
  signedIn('environment', '/p/:project/settings/environments/production'),
  signedIn('project-tokens', '/p/:project/settings/tokens'),
  signedIn('sessions-of-account', '/account/sessions'),
  signedIn('account-tokens', '/account/tokens'),
  signedIn('new-token', '/account/tokens', press(/^New token/)),
  signedIn('installation-audit', '/admin/audit'),
  signedIn('segments-peek', '/p/:project/segments?peek=dach'),
  signedIn('segments-new', '/p/:project/segments?new=true'),
  signedIn('palette', '/p/:project/flags', (page) => page.keyboard.press('Control+k')),
  signedIn('key-list', '/p/:project/flags', (page) => page.keyboard.press('?')),
  signedIn('setup-done', '/setup'),
  signedIn('invite-expired', '/invite/nothing'),
  signedIn('not-found', '/p/:project/nothing-here'),
]
