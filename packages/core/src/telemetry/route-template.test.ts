import { expect, test } from 'vitest'
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
