import { expect, test } from 'vitest'
import { createRouteLearner } from './route-learner.ts'
import { mergedRoutes, mergeRoute, type RouteRule } from './route-rules.ts'

const learning = { segments: 50, firstSegments: 200, remembered: 1_000 }

function visit(routes: readonly string[], rules: RouteRule[] = [], how = learning): RouteRule[] {
  const learner = createRouteLearner((under) => rules.some((rule) => rule.under === under), how)
  for (const route of routes) {
    const rule = learner.observe(mergeRoute(route, mergedRoutes(rules)))
    if (rule !== undefined) rules.push(rule)
  }
  return rules
}

const names = (count: number, of = 'name') =>
  Array.from({ length: count }, (_, index) => `${of}-${'abcdefghij'[index % 10]}${index}x`)

test('a position with many different segments becomes a parameter, and separate pages stay', () => {
  const orders = names(80).flatMap((name, index) => [
    `/orders/${name}`,
    ...(index % 2 ? ['/orders/new'] : []),
  ])
  const rules = visit(orders)

  expect(rules).toEqual([{ under: '/orders', isMerged: true, except: ['new'] }])
  const merged = mergedRoutes(rules)
  expect(mergeRoute('/orders/zoe', merged)).toBe('/orders/:id')
  expect(mergeRoute('/orders/zoe/items', merged)).toBe('/orders/:id/items')
  expect(mergeRoute('/orders/new', merged)).toBe('/orders/new')
  expect(mergeRoute('/orders', merged)).toBe('/orders')
  expect(mergeRoute('/shop/zoe', merged)).toBe('/shop/zoe')
})

test('a position is learned below another learned one', () => {
  const rules = visit([
    ...names(60, 'team').map((team) => `/teams/${team}`),
    ...names(200, 'member').map((member, index) => `/teams/team-${index % 7}/members/${member}`),
  ])

  expect(mergeRoute('/teams/blue/members/zoe', mergedRoutes(rules))).toBe('/teams/:id/members/:id')
})

test('a site may have many pages at its root, and pages kept apart manually are never merged', () => {
  expect(visit(names(150).map((name) => `/${name}`))).toEqual([])
  expect(visit(names(250).map((name) => `/${name}`))).toMatchObject([{ under: '' }])
  const apart = { under: '/blog', isMerged: false, except: [] }
  expect(
    visit(
      names(500).map((name) => `/blog/${name}`),
      [apart],
    ),
  ).toEqual([apart])
})

test('its memory is bounded for any input', () => {
  const random = Array.from({ length: 5_000 }, (_, index) => `/p${index % 1_500}/q${index}`)
  expect(visit(random, [], { ...learning, firstSegments: 10_000 })).toEqual([])
  // When its memory is full, it learns nothing new; a learned rule frees the memory of its segments.
  expect(visit([...names(60).map((name) => `/orders/${name}`), ...random.slice(0, 100)])).toHaveLength(1)
})
