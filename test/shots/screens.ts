// What is looked at: each screen by the name of its picture.

export interface ShotScreen {
  name: string
  path: string
  isPublic: boolean
}

const signedIn = (name: string, path: string): ShotScreen => ({ name, path, isPublic: false })
const flag = '/p/:project/flags/checkout.one-page'

export const screens: ShotScreen[] = [
  { name: 'sign-in', path: '/sign-in', isPublic: true },
  { name: 'password-reset', path: '/password-reset', isPublic: true },
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
  signedIn('not-found', '/p/:project/nothing-here'),
]
