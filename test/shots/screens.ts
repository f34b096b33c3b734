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
  signedIn('flag-targeting', flag),
  signedIn('segments', '/p/:project/segments'),
  signedIn('segment', '/p/:project/segments/dach'),
  signedIn('not-found', '/p/:project/nothing-here'),
]
