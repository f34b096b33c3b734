import { expect, test } from 'vitest'
import { withoutNamesFor } from './without-names.ts'

const withoutNames = withoutNamesFor({
  origin: 'https://telltale.example',
  screenOf: (path) => (path.startsWith('/p/') ? '/p/:project/identities/:identity' : undefined),
  callOf: (path) => (path === '/api/v1/projects/shop' ? '/api/v1/projects/:project' : undefined),
})

test.each([
  ['https://telltale.example/p/shop/identities/ada%40example.com?q=ada', '/p/:project/identities/:identity'],
  ['https://telltale.example/api/v1/projects/shop?search=ada', '/api/v1/projects/:project'],
  ['https://telltale.example/api/v1/projects/other', '/api/'],
  ['https://telltale.example/assets/main-1a2b.js', '/assets/main-1a2b.js'],
  ['https://telltale.example/nowhere/ada', '/'],
  ['/p/shop/identities/ada', '/p/:project/identities/:identity'],
])('%s becomes the pattern of the screen or call', (address, told) => {
  expect(withoutNames(address)).toBe(`https://telltale.example${told}`)
})

test('only the origin of another site is reported', () => {
  expect(withoutNames('https://chat.example/rooms/ada?token=1')).toBe('https://chat.example')
})
