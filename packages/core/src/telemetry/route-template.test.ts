import { expect, test } from 'vitest'
import { seededRandom } from '../statistics/testing/seeded-random.ts'
import { routeTemplate } from './route-template.ts'

test.each([
  ['', '/'],
  ['/', '/'],
  ['/cart', '/cart'],
  ['/orders/8121/items', '/orders/:id/items'],
  ['/orders/0198a2c4-0000-7000-8000-000000000001/', '/orders/:id'],
  ['/u/deadbeef01', '/u/:id'],
  ['/p/mountain-bike-29', '/p/mountain-bike-29'],
  ['/p/internationalization-of-everything', '/p/internationalization-of-everything'],
  ['/v2/users/[email]', '/v2/users/:id'],
  ['/t/2026-11-21', '/t/:id'],
  ['/f/a8Kz0PqLmN3xYtRw1b', '/f/:id'],
  [`/${'x'.repeat(61)}`, '/:id'],
  ['/a/b/c/d/e/f/g/h/i/j/k/l/m/n', '/a/b/c/d/e/f/g/h/i/j/k/l/*'],
])('%s is the route %s', (path, template) => {
  expect(routeTemplate(path)).toBe(template)
})

const digits = '0123456789'
const lower = 'abcdefghijklmnopqrstuvwxyz'
const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const base62 = `${digits}${lower}${lower.toUpperCase()}`
const base64url = `${base62}-_`

// Minimum share of ids recognized by their shape alone. Short ids look like words more often.
test.each([
  ['ULID', '01J', crockford, 23, 0.99],
  ['ULID in lower case', '01j', crockford.toLowerCase(), 23, 0.99],
  ['cuid', 'cl', digits + lower, 23, 0.97],
  ['cuid2', 'k', digits + lower, 23, 0.97],
  ['nanoid(21)', '', base64url, 21, 0.97],
  ['nanoid(10)', '', base64url, 10, 0.8],
  ['11 characters, as of a video', '', base64url, 11, 0.85],
  ['base64url of 16 bytes', '', base64url, 22, 0.97],
  ['KSUID', '2', base62, 26, 0.97],
  ['with a prefix', 'cus_', base62, 14, 0.8],
  ['hexadecimal', '6', '0123456789abcdef', 23, 0.99],
])('ids are recognised: %s', (...[, prefix, alphabet, length, share]) => {
  const random = seededRandom(7)
  const id = () =>
    prefix + Array.from({ length }, () => alphabet[Math.floor(random.uniform() * alphabet.length)]).join('')
  const routes = Array.from({ length: 2_000 }, () => routeTemplate(`/orders/${id()}`))

  expect(routes.filter((route) => route === '/orders/:id').length / 2_000).toBeGreaterThanOrEqual(share)
})

test.each(
  `iPhone15Pro iphone-15-pro-max MacBookPro2023 web-vitals-v4 covid19-update q4-2024-results h264-encoder next13app utf8mb4 i18n
  a11y-guide README.md index.html ps5-vs-xbox-series-x OAuth2Callback getUserById XMLHttpRequest graphql2rest k8s-101 3d-printing
  USB-C-HUB-4K SKU-BLACK-XL rhythms strengths queueing-theory b2b-saas p2p-lending mp3-to-wav x86_64-linux-gnu GetUserV2 s3-bucket
  sha256sum HTML5Player ROME-LICENSE-MIT two-factor-2fa-setup`.split(/\s+/),
)('%s is a word', (word) => {
  expect(routeTemplate(`/${word}`)).toBe(`/${word}`)
})
