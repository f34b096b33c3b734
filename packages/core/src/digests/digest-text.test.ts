import { expect, test } from 'vitest'
import type { Digest, DigestChange } from '../contract/digests.ts'
import { changeText, digestSubject, digestText } from './digest-text.ts'

const change: DigestChange = {
  of: 'flag',
  name: 'checkout-v2',
  variation: 'one-page',
  against: 'classic',
  metric: 'Users with an error',
  scale: 'relative',
  lower: 0.124,
  upper: 0.4,
}
const quiet: Digest = {
  env: 'production',
  from: '2026-11-16T08:00:00.000Z',
  to: '2026-11-23T08:00:00.000Z',
  released: { deploys: [], rollouts: [], changes: 0 },
  worse: [],
  better: [],
  waiting: { alerts: [], rollouts: [], changeRequests: 0, scheduledChanges: 0, issues: 0 },
  isPartial: false,
}

test('an interval is said from its near to its far end, without a sign', () => {
  expect(changeText(change)).toBe(
    'checkout-v2, one-page against classic: Users with an error 12 to 40% worse',
  )
  expect(changeText({ ...change, lower: -0.4, upper: -0.05 })).toMatch(/5 to 40% better$/)
  expect(changeText({ ...change, upper: null })).toMatch(/at least 12% worse$/)
  expect(changeText({ ...change, lower: null, upper: -0.05 })).toMatch(/at least 5% better$/)
  const release: DigestChange = { ...change, of: 'release', name: '3.9.0', variation: null, against: '3.8.4' }
  expect(changeText({ ...release, scale: 'points', lower: 0.002, upper: 0.0115 })).toBe(
    '3.9.0 against 3.8.4: Users with an error 0.2 to 1.1 points worse',
  )
})

test('a week without anything says so in every section', () => {
  expect(digestSubject('Storefront', quiet)).toBe('Week of Storefront, 2026-11-16 to 2026-11-23')
  expect(digestText(quiet)).toBe(
    'Released in production\n- Nothing\n\nWorse\n- Nothing\n\nBetter\n- Nothing\n\nWaiting\n- Nothing',
  )
})

test('many regressions are counted in the subject and cut off in the text', () => {
  const worse = Array.from({ length: 14 }, (_, index) => ({ ...change, name: `flag-${index}` }))
  expect(digestSubject('Storefront', { ...quiet, worse })).toMatch(/: 14 regressions$/)
  const text = digestText({ ...quiet, worse })
  expect(text).toContain('flag-9')
  expect(text).not.toContain('flag-10')
  expect(text).toContain('- and 4 more')
})

test('what was released and what waits is listed', () => {
  const at = '2026-11-20T10:00:00.000Z'
  const text = digestText({
    ...quiet,
    released: {
      deploys: [{ version: '3.9.0', at, author: 'Jonas', commits: 3 }],
      rollouts: [{ id: '1', flag: 'quick-view', treatment: 'on', state: 'rolled-back', endedAt: at }],
      changes: 1,
    },
    waiting: {
      alerts: [{ id: '1', name: 'Too many errors' }],
      rollouts: [{ id: '2', flag: 'sticky-cart' }],
      changeRequests: 2,
      scheduledChanges: 1,
      issues: 3,
    },
  })
  for (const line of [
    '- 3.9.0 on 2026-11-20, by Jonas, 3 commits',
    '- Rollout of quick-view (on): rolled back',
    '- 1 flag change',
    '- Alert firing: Too many errors',
    '- Rollout on hold: sticky-cart',
    '- 2 change requests',
    '- 1 scheduled change',
    '- 3 new unresolved errors',
  ])
    expect(text.split('\n')).toContain(line)
})
