import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SomePerson } from '../../../../../test/start.ts'
import { findHistory, findRunning } from './queries.ts'
import { guarded, minute, type Release, stage, startRelease, threeStages } from './testing/release.ts'

let release: Release
let grace: SomePerson
let viewer: SomePerson
const well = { 'users-with-an-error': 'healthy' as const }
const harmed = { 'users-with-an-error': 'regressed' as const }

beforeAll(async () => {
  release = await startRelease()
  grace = await release.telltale.person({ in: { shop: 'editor' } })
  viewer = await release.telltale.person({ in: { shop: 'viewer' } })
})
afterAll(() => release[Symbol.asyncDispose]())

const findRunningAt = async (flag: string) =>
  (await findRunning(release.telltale.running.services.db)).filter((one) => one.flag.key === flag)
const versionOf = async (at: string) => (await release.ask('GET', `${at}/config`)).body.version

describe('a rollout', () => {
  test('advances through its stages to all users; only start and end are versions', async () => {
    const at = await release.flag('passes')
    const before = await versionOf(at)
    const rollout = await release.start(at)
    expect(await release.read(rollout)).toMatchObject({ state: 'running', stage: 0, weight: 10_000 })
    expect(await versionOf(at)).toBe(before + 1)

    await release.look(rollout, { states: well })
    await release.look(rollout, { states: well })
    const grown = await release.read(rollout)
    expect(grown).toMatchObject({ state: 'running', stage: 1, weight: 50_000, epochs: { first: 1, last: 2 } })
    expect(grown.stages[0]).toMatchObject({ leftAt: grown.stages[1].enteredAt })
    expect(await versionOf(at)).toBe(before + 1)
    const { body: flag } = await release.ask('GET', '/flags/passes')
    const here = flag.environments.find(({ env }: { env: string }) => env === 'development')
    expect(here.serves).toMatchObject([{ weight: 50_000 }, { weight: 50_000 }])

    await release.look(rollout, { states: well })
    const done = await release.read(rollout)
    expect(done).toMatchObject({ state: 'completed', weight: 100_000, why: 'healthy', stage: 2 })
    expect(done.endedAt).not.toBeNull()
    const { body } = await release.ask('GET', `${at}/config`)
    expect(body.version).toBe(before + 2)
    expect(body.fallthrough.split.arms).toMatchObject([
      { variation: 'off', weight: 0 },
      { variation: 'on', weight: 100_000 },
    ])
    expect(await release.log(rollout)).toEqual(['start started', 'advance healthy', 'complete healthy'])

    const to = new Date(Date.parse(done.endedAt) + minute).toISOString()
    const marks = await release.ask('GET', `/environments/development/flag-changes?flag=passes&to=${to}`)
    expect(marks.body.changes.slice(-2)).toMatchObject([
      { kind: 'stage', version: null, stage: { treatment: 'on', weight: 50_000 }, actor: { kind: 'guard' } },
      { kind: 'passed', version: before + 2, stage: null },
    ])
  })

  test('that regresses is rolled back by the guard, which is named in the audit log', async () => {
    const at = await release.flag('harms')
    const rollout = await release.start(at)
    await release.look(rollout, { states: harmed })
    expect(await release.read(rollout)).toMatchObject({
      state: 'rolled-back',
      weight: 0,
      regressed: ['users-with-an-error'],
      seen: { findings: [{ state: 'regressed', harm: { upper: null } }, { metric: 'lcp' }] },
    })
    const { body } = await release.ask('GET', `${at}/config/versions`)
    expect(body.items[0].actor).toMatchObject({ kind: 'guard' })
    const audit = await release.ask('GET', '/audit')
    const own = audit.body.items.filter(({ actor }: { actor: { kind: string } }) => actor.kind === 'guard')
    expect(own.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['flag-config.save', 'rollout.roll-back']),
    )
    const log = await release.ask('GET', `${rollout}/decisions`)
    expect(log.body.items[0]).toMatchObject({ by: null, metric: 'users-with-an-error', state: 'rolled-back' })
    expect(log.body.items[0].findings).toHaveLength(2)
  })

  test('is paused, resumed, advanced, finished and cancelled by members', async () => {
    const at = await release.flag('by-hand')
    const rollout = await release.start(at)
    expect((await release.act(rollout, 'pause', grace)).body).toMatchObject({ state: 'paused' })
    expect((await release.act(rollout, 'advance')).status).toBe(409)
    expect((await release.act(rollout, 'resume')).body).toMatchObject({ state: 'running' })
    const blind = await release.act(rollout, 'advance')
    expect(blind).toMatchObject({ status: 409, body: { type: '/errors/wrong-state' } })
    // The clock is injected: the guard looked just now.
    await release.look(rollout, { later: 0 })
    expect((await release.act(rollout, 'advance')).body).toMatchObject({ stage: 1, weight: 50_000 })
    const cancelled = await release.act(rollout, 'cancel')
    expect(cancelled.body).toMatchObject({ state: 'cancelled' })
    const { body } = await release.ask('GET', `${at}/config`)
    expect(body.fallthrough.split).toMatchObject({ epoch: 2, arms: [{ weight: 50_000 }, { weight: 50_000 }] })
    for (const action of ['start', 'pause', 'resume', 'advance', 'approve', 'finish', 'cancel', 'roll-back'])
      expect((await release.act(rollout, action)).status, action).toBe(409)
  })

  test('waits at an approval for a member who did not start it', async () => {
    const at = await release.flag('gated')
    const stages = [stage(10_000), stage(50_000, { needsApproval: true })]
    const rollout = await release.start(at, { stages })
    await release.look(rollout, { states: well })
    await release.look(rollout, { states: well })
    expect(await release.read(rollout)).toMatchObject({ state: 'holding-approval', stage: 0 })
    expect(await release.act(rollout, 'approve')).toMatchObject({ status: 403 })
    expect((await release.act(rollout, 'approve', viewer)).status).toBe(403)
    expect((await release.act(rollout, 'approve', grace)).body).toMatchObject({ state: 'running', stage: 1 })
    expect((await release.ask('GET', `${rollout}/decisions`)).body.items[0].by).toMatchObject({
      id: grace.id,
    })
  })

  test('starts a new epoch and ends with a version even if the weights are unchanged', async () => {
    const fallthrough = {
      split: [
        { variation: 'off', weight: 90_000 },
        { variation: 'on', weight: 10_000 },
      ],
    }
    const at = await release.flag('as-it-was', { fallthrough })
    const before = await versionOf(at)
    const rollout = await release.start(at, { stages: [stage(10_000)] })
    expect(await release.read(rollout)).toMatchObject({ weight: 10_000, epochs: { first: 2, last: 2 } })
    await release.act(rollout, 'restart-evidence')
    await release.look(rollout, { later: 0 })
    expect((await release.act(rollout, 'finish')).body).toMatchObject({ state: 'completed' })
    const { body } = await release.ask('GET', `${at}/config`)
    expect(body).toMatchObject({ version: before + 2, fallthrough: { split: { epoch: 3 } } })
  })

  test('restarts its evidence, for the same users', async () => {
    const at = await release.flag('anew')
    const rollout = await release.start(at)
    await release.look(rollout)
    const restarted = await release.act(rollout, 'restart-evidence')
    expect(restarted.body).toMatchObject({
      evidence: 2,
      weight: 10_000,
      epochs: { first: 2, last: 2 },
      seen: null,
    })
  })
})

test('of two concurrent actions one wins; the other gets the current state, and is logged', async () => {
  const at = await release.flag('at-once')
  const rollout = await release.start(at)
  await release.look(rollout, { later: 0 })
  const { turn } = await release.read(rollout)
  const [advanced, rolledBack] = await Promise.all([
    release.ask('POST', `${rollout}/advance`, { turn }),
    release.ask('POST', `${rollout}/roll-back`, { turn }, grace),
  ])
  expect(rolledBack.status).toBe(200)
  expect([200, 409]).toContain(advanced.status)
  const late = await release.ask('POST', `${rollout}/advance`, { turn })
  expect(late).toMatchObject({ status: 409, body: { current: { state: 'rolled-back' } } })
  const log = await release.log(rollout)
  expect(log).toContain('roll-back a-person')
  expect(log.at(-1)).toBe('advance a-person ended')
  // The result of a look that started before the decision is discarded.
  expect((await release.read(rollout)).state).toBe('rolled-back')
})

test("what the guard observed before a member's decision is discarded", async () => {
  const rollout = await release.start(await release.flag('late-look'))
  const { db } = release.telltale.running.services
  const { findRunning, planOf, standingOf } = await import('./queries.ts')
  const { applyTurn } = await import('./apply-turn.ts')
  const { act } = await import('@telltale/core/guard/act')
  const before = (await findRunning(db)).find(({ row }) => rollout.endsWith(row.id))
  if (before === undefined) throw new Error('it does not run')
  const standing = standingOf(before.row)
  const now = new Date()
  const wanted = { action: 'roll-back', by: 'guard', turn: standing.turn, now: now.getTime() } as const
  const turn = act(planOf(before.row), standing, wanted)
  if ('refused' in turn) throw new Error(turn.refused)
  await release.act(rollout, 'pause')
  expect(await applyTurn(db, { before, turn, evidence: undefined, now })).toBe(false)
  expect(await release.read(rollout)).toMatchObject({ state: 'paused', weight: 10_000 })
})

describe('a draft', () => {
  test('gets defaults, is changed from the version that was read, and deleted', async () => {
    const at = await release.flag('drafted')
    const { body } = await release.ask('POST', `${at}/rollouts`, { treatment: 'on' })
    expect(body.stages.map(({ weight }: { weight: number }) => weight)).toEqual([
      1_000, 5_000, 25_000, 50_000, 100_000,
    ])
    expect(body.stages[3].minDuration).toBe(24 * 60 * minute)
    const url = `/rollouts/${body.id}`
    const changed = await release.ask('PATCH', url, { stages: threeStages, turn: 0 })
    expect(changed).toMatchObject({ status: 200, body: { turn: 1, treatment: 'on' } })
    expect(await release.ask('PATCH', url, { alpha: 0.01, turn: 0 })).toMatchObject({
      status: 409,
      body: { current: { turn: 1 } },
    })
    expect((await release.ask('POST', `${url}/start`, { turn: 0 })).status).toBe(409)
    expect((await release.ask('DELETE', url)).status).toBe(204)
    expect((await release.ask('GET', url)).status).toBe(404)
  })

  test.each([
    ['a variation that there is not', { treatment: 'none' }, '/treatment'],
    ['All users already have it', { treatment: 'off', control: 'off' }, '/treatment'],
    ['stages that shrink', { stages: [stage(5_000), stage(1_000)] }, '/stages/1/weight'],
    ['a metric that there is not', { metrics: [{ ...guarded[0], metric: 'none' }] }, '/metrics/0/metric'],
    ['one metric twice', { metrics: [guarded[0], guarded[0]] }, '/metrics/1/metric'],
    ['a rule that there is not', { place: '0190b3a4-0000-7000-8000-000000000009' }, '/place'],
  ])('with %s is refused', async (name, wrong, pointer) => {
    const at = await release.flag(`wrong-${name.replaceAll(/[^a-z]/g, '-')}`.slice(0, 60))
    const refused = await release.ask('POST', `${at}/rollouts`, { treatment: 'on', ...wrong })
    expect(refused).toMatchObject({ status: 422, body: { type: '/errors/invalid-rollout' } })
    expect(refused.body.errors[0].pointer).toBe(pointer)
  })

  test('is not started for an attribute that clients do not store, for a flag that is off, or twice', async () => {
    const at = await release.flag('unmeasured')
    const byPlan = await release.draft(at, { by: 'company' })
    expect(await release.act(byPlan, 'start')).toMatchObject({
      status: 422,
      body: { type: '/errors/unit-not-measured' },
    })
    // A flag that only servers evaluate is measured by them.
    await release.ask('PATCH', '/flags/unmeasured', { clientVisible: false })
    const hidden = await release.draft(at)
    const second = await release.draft(at)
    expect((await release.act(hidden, 'start')).status).toBe(200)
    expect((await release.act(second, 'start')).body).toMatchObject({
      type: '/errors/guard-running',
      rollouts: [{ id: hidden.split('/').at(-1) }],
    })
    await release.act(hidden, 'roll-back')
    await release.save(at, { enabled: false })
    expect((await release.act(second, 'start')).body.type).toBe('/errors/wrong-state')
  })
})

test('in a protected environment maintainers run rollouts, and editors can still stop them', async () => {
  await release.ask('PATCH', '/environments/production', { protected: true })
  const at = await release.flag('protected', {}, 'production')
  expect((await release.ask('POST', `${at}/rollouts`, { treatment: 'on' }, grace)).status).toBe(403)
  const rollout = await release.start(at)
  for (const action of ['advance', 'finish', 'cancel', 'restart-evidence'])
    expect((await release.act(rollout, action, grace)).status, action).toBe(403)
  expect((await release.act(rollout, 'roll-back', viewer)).status).toBe(403)
  expect((await release.act(rollout, 'roll-back', grace)).status).toBe(200)
})

test('where changes need approval, a draft starts with as many as the environment asks for, one by an owner', async () => {
  const at = await release.flag('four-eyes', {}, 'staging')
  const place = '/environments/staging'
  await release.ask('PATCH', place, { protected: true, approvalRequired: true })
  const own = await release.draft(at)
  expect((await release.ask('GET', own)).body.approval).toMatchObject({
    ...{ approvals: [], needed: { approvals: 1, owner: false }, missing: { approvals: 1, owner: false } },
  })
  expect((await release.act(own, 'start')).body.detail).toBe('This now needs 1 more approval.')
  const maintainer = () => release.telltale.person({ in: { shop: 'maintainer' } })
  const [ada, bob, kim] = [await maintainer(), await maintainer(), await maintainer()]
  await release.ask('PATCH', '/flags/four-eyes', { owners: [kim.id] })
  await release.ask('PATCH', place, { approvals: 2, ownerApproval: true })
  try {
    expect((await release.act(own, 'approve-start')).body.permission).toBe('changes.approve')
    expect((await release.act(own, 'start', ada)).body.detail).toContain('an owner of the flag')
    expect((await release.act(own, 'approve-start', ada)).body.approval).toMatchObject({
      ...{ approvals: [{ id: ada.id, asOwner: false }], missing: { approvals: 1, owner: true } },
    })
    expect((await release.act(own, 'approve-start', ada)).body.type).toBe('/errors/wrong-state')
    expect((await release.act(own, 'start', bob)).body.detail).toContain('an owner of the flag')

    // An approval lapses when the draft changes, and when its member may no longer approve.
    const { turn } = (await release.ask('GET', own)).body
    const changed = await release.ask('PATCH', own, { turn, reason: 'Wider' })
    expect(changed.body.approval).toMatchObject({ approvals: [], missing: { approvals: 2, owner: true } })
    expect((await release.ask('POST', `${own}/approve-start`, { turn }, ada)).status).toBe(409)
    await release.act(own, 'approve-start', ada)
    await release.act(own, 'approve-start', kim)
    await release.ask('PATCH', `/members/${ada.id}`, { role: 'viewer' })
    expect((await release.ask('GET', own)).body.approval.missing).toEqual({ approvals: 1, owner: false })
    expect((await release.act(own, 'start')).body.detail).toContain('1 more approval')

    // Starting it is an approval, except by the author.
    expect((await release.act(own, 'start', bob)).body).toMatchObject({ state: 'running', approval: null })
    const [started] = await findRunningAt('four-eyes')
    expect(started?.row.approvals.map(({ id }) => id)).toEqual([kim.id, bob.id])
  } finally {
    await release.ask('PATCH', place, { approvals: 1, ownerApproval: false })
  }
})

test('rollouts are listed by state, flag and environment, and their looks are kept for charts', async () => {
  const at = await release.flag('listed')
  const rollout = await release.start(at)
  await release.look(rollout)
  await release.look(rollout)
  const running = await release.ask('GET', '/rollouts?state=running-any&flag=listed&env=development')
  expect(running.body.items).toMatchObject([
    { flag: 'listed', state: 'running', seen: { units: { control: 500 } } },
  ])
  expect((await release.ask('GET', '/rollouts?flag=listed&state=ended')).body.items).toEqual([])
  const page = await release.ask('GET', '/rollouts?limit=2')
  expect(page.body.items).toHaveLength(2)
  const next = await release.ask('GET', `/rollouts?limit=2&cursor=${page.body.next}`)
  expect(next.body.items[0].id).not.toBe(page.body.items[1].id)
  // Two looks within five minutes are one moment of a chart.
  const id = rollout.split('/').at(-1) ?? ''
  expect(await findHistory(release.telltale.running.services.db, id)).toHaveLength(1)
})
