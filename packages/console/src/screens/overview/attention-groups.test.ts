import { expect, test } from 'vitest'
import type { WaitingRequest } from '../../api/inbox.ts'
import type { SeenIssue } from '../../api/overview.ts'
import type { FlagTelltale, GuardedTelltale, UnguardedTelltale } from '../../api/telltales.ts'
import { groupByCause, groupVerdicts, waitingIn } from './attention-groups.ts'

const at = '2026-11-19T14:31:00.000Z'
const now = Date.parse(at)
const common = {
  env: 'production',
  control: 'off',
  treatment: 'on',
  startedAt: at,
  checkedAt: at,
  users: { treatment: 400, control: 400 },
  worst: null,
}

const guarded = (flag: string, change: Partial<GuardedTelltale>): GuardedTelltale => ({
  ...common,
  kind: 'guarded',
  flag,
  rollout: flag,
  state: 'running',
  why: null,
  stage: 1,
  stages: 5,
  weight: 5_000,
  endedAt: null,
  override: 'waiting',
  ...change,
})

const unguarded = (flag: string, override: UnguardedTelltale['override'], users = 0): UnguardedTelltale => ({
  ...common,
  kind: 'unguarded',
  flag,
  split: flag,
  place: 'fallthrough',
  epoch: 1,
  override,
  regressed: users > 0 ? ['lcp'] : [],
  harm: users > 0 ? { metric: 'lcp', usersPerHour: users } : null,
  alpha: 0.02,
})

const flagsOf = (telltales: readonly FlagTelltale[]) => telltales.map(({ flag }) => flag)

test('regressions are first, by harm; then decisions; wrong splits are data problems', () => {
  const found = groupVerdicts(
    [
      guarded('calm', {}),
      unguarded('small', 'fluttering', 2),
      guarded('back', { state: 'rolled-back', override: 'down', endedAt: at }),
      guarded('open', { state: 'holding-undecided' }),
      guarded('gate', { state: 'holding-approval' }),
      unguarded('skewed', 'fouled'),
      unguarded('large', 'fluttering', 900),
      unguarded('new', 'waiting'),
    ],
    now,
  )
  expect(flagsOf(found.regressions)).toEqual(['large', 'small', 'back'])
  expect(flagsOf(found.undecided)).toEqual(['open'])
  expect(flagsOf(found.approvals)).toEqual(['gate'])
  expect(flagsOf(found.wrong)).toEqual(['skewed'])
})

test('a gate of a rollout that regressed is listed once, with its regression', () => {
  const found = groupVerdicts([guarded('gate', { state: 'holding-approval', override: 'fluttering' })], now)
  expect([flagsOf(found.regressions), flagsOf(found.approvals)]).toEqual([['gate'], []])
})

test('open change requests of the environment wait for approval', () => {
  const request = (id: string, change: Partial<WaitingRequest>): WaitingRequest => ({
    kind: 'change-request',
    id,
    env: 'production',
    flag: 'checkout',
    state: 'open',
    author: 'ada',
    reason: null,
    isMine: false,
    isRequested: false,
    isOwner: false,
    at,
    ...change,
  })
  const alert = { kind: 'alert' as const, id: 'd', env: 'production', name: 'Errors', at }
  const all = [request('a', {}), request('b', { env: 'staging' }), request('c', { state: 'approved' }), alert]
  expect(waitingIn('production', all).map(({ id }) => id)).toEqual(['a'])
})

test('errors of one variation, or thrown at one place, are one cause', () => {
  const lift = {
    flag: 'checkout',
    variation: 'on',
    and: null,
    users: 10,
    hits: 5,
    otherUsers: 10,
    otherHits: 1,
    ratio: 5,
    lower: 2,
    upper: null,
  }
  const issue = (id: string, sessions: number, change: Partial<SeenIssue>): SeenIssue => ({
    id,
    group: id,
    type: 'TypeError',
    message: id,
    culprit: '',
    state: 'regressed',
    assignee: null,
    firstSeenAt: at,
    firstSeenVersion: '',
    lastSeenAt: at,
    lastSeenVersion: '',
    resolvedAt: null,
    resolvedIn: null,
    ignoredUntil: null,
    version: 1,
    events: sessions,
    sessions,
    users: sessions,
    series: [],
    lift: null,
    ...change,
  })
  const causes = groupByCause([
    issue('a', 1, { lift, culprit: 'pay' }),
    issue('b', 9, { culprit: 'draw' }),
    issue('c', 5, { lift, culprit: 'load' }),
    issue('d', 2, {}),
    issue('e', 1, {}),
  ])
  expect(causes.map(({ issues }) => issues.map(({ id }) => id))).toEqual([['b'], ['c', 'a'], ['d'], ['e']])
})
