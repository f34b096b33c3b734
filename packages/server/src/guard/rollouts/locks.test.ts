import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { minute, type Release, startRelease } from './testing/release.ts'

let release: Release
beforeAll(async () => {
  release = await startRelease()
})
afterAll(() => release[Symbol.asyncDispose]())

const idOf = (rollout: string) => rollout.split('/').at(-1) ?? ''
const locked = (rollout: string, ...parts: string[]) => ({
  status: 409,
  body: { type: '/errors/guard-running', rollouts: [{ id: idOf(rollout), parts }] },
})
const vips = { match: 'all', of: [{ attribute: 'plan', operator: 'equals', value: 'vip' }] }
const inVips = { match: 'all', of: [{ operator: 'in-segment', segment: 'vips' }] }

describe('while a rollout runs', () => {
  test('its split, earlier rules and prerequisites are locked; later ones and descriptions are not', async () => {
    await release.flag('needed')
    const at = await release.flag('locked', { rules: [{ when: vips, serve: { variation: 'off' } }] })
    const rollout = await release.start(at)
    const { body: config } = await release.ask('GET', `${at}/config`)

    const other = {
      split: [
        { variation: 'off', weight: 40_000 },
        { variation: 'on', weight: 60_000 },
      ],
    }
    expect(await release.save(at, { fallthrough: other })).toMatchObject(locked(rollout, 'split'))
    expect(await release.save(at, { rules: [] })).toMatchObject(locked(rollout, 'rules-above'))
    const prerequisites = [{ flag: 'needed', variation: 'on' }]
    expect(await release.save(at, { prerequisites })).toMatchObject(locked(rollout, 'prerequisites'))

    const rules = config.rules.map((rule: object) => ({ ...rule, description: 'Very important people' }))
    expect(await release.save(at, { rules })).toMatchObject({ status: 200 })
    expect(await release.read(rollout)).toMatchObject({ state: 'running', evidence: 1, weight: 10_000 })
  })

  test('an acknowledged change restarts the evidence', async () => {
    const at = await release.flag('acknowledged')
    const rollout = await release.start(at)
    await release.look(rollout)
    const rules = [{ when: vips, serve: { variation: 'off' } }]
    const saved = await release.save(at, { rules }, { endsEvidenceOf: [idOf(rollout)] })
    expect(saved.status).toBe(200)
    expect(await release.read(rollout)).toMatchObject({
      state: 'running',
      evidence: 2,
      weight: 10_000,
      epochs: { first: 2, last: 2 },
      seen: null,
    })
    expect(await release.log(rollout)).toEqual(['start started', 'begin-anew a-person'])
  })

  test('other weights of the split keep its stage if possible; removing the split is rejected', async () => {
    await release.ask('POST', '/flags', {
      key: 'three',
      name: 'Three',
      valueType: 'string',
      clientVisible: true,
      variations: ['a', 'b', 'c'].map((key) => ({ key, value: key })),
    })
    const at = '/environments/development/flags/three'
    const split = (a: number, b: number, c: number) => ({
      split: [
        { variation: 'a', weight: a },
        { variation: 'b', weight: b },
        { variation: 'c', weight: c },
      ],
    })
    const on = await release.save(at, {
      enabled: true,
      offVariation: 'a',
      fallthrough: split(80_000, 20_000, 0),
    })
    expect(on.status).toBe(200)
    const small = [{ weight: 30_000, minDuration: minute, minUnits: 1, needsApproval: false }]
    const rollout = await release.start(at, { treatment: 'c', stages: small })
    expect((await release.ask('GET', `${at}/config`)).body.fallthrough.split.arms).toMatchObject([
      { weight: 50_000 },
      { weight: 20_000 },
      { weight: 30_000 },
    ])
    const acknowledged = { endsEvidenceOf: [idOf(rollout)] }
    const wider = await release.save(at, { fallthrough: split(30_000, 60_000, 10_000) }, acknowledged)
    expect(wider.status).toBe(200)
    expect(await release.read(rollout)).toMatchObject({ evidence: 2, weight: 30_000 })
    for (const fallthrough of [{ variation: 'a' }, split(10_000, 80_000, 10_000)]) {
      const refused = await release.save(at, { fallthrough }, acknowledged)
      expect(refused).toMatchObject(locked(rollout, 'split'))
    }
    await release.act(rollout, 'roll-back')
    expect((await release.ask('GET', `${at}/config`)).body.fallthrough.split.arms).toMatchObject([
      { variation: 'a', weight: 40_000 },
      { variation: 'b', weight: 60_000 },
      { variation: 'c', weight: 0 },
    ])
  })

  test('the values of its variations, and the segments before it, are locked', async () => {
    await release.ask('POST', '/segments', { key: 'vips', name: 'VIPs', when: vips })
    const at = await release.flag('segmented', { rules: [{ when: inVips, serve: { variation: 'off' } }] })
    const rollout = await release.start(at)
    const other = { match: 'all', of: [{ attribute: 'plan', operator: 'equals', value: 'gold' }] }
    const segment = (more: object) => release.ask('PATCH', '/segments/vips', { when: other, ...more })
    expect(await segment({})).toMatchObject(locked(rollout, 'segments'))
    expect((await release.ask('PATCH', '/segments/vips', { name: 'Very important' })).status).toBe(200)
    expect((await segment({ endsEvidenceOf: [idOf(rollout)] })).status).toBe(200)
    expect(await release.read(rollout)).toMatchObject({ evidence: 2 })
    const hidden = await release.ask('PATCH', '/flags/segmented', { clientVisible: false })
    expect(hidden).toMatchObject(locked(rollout, 'values'))
  })

  test('a prerequisite flag is locked, except for turning it off', async () => {
    const base = await release.flag('base')
    const at = await release.flag('stands', { prerequisites: [{ flag: 'base', variation: 'off' }] })
    const rollout = await release.start(at)
    expect(await release.save(base, { fallthrough: { variation: 'on' } })).toMatchObject(
      locked(rollout, 'prerequisites'),
    )
    expect((await release.save(base, { enabled: false })).status).toBe(200)
    expect(await release.read(rollout)).toMatchObject({ state: 'running', evidence: 2 })
  })
})

describe('its flag', () => {
  test('when turned off removes the treatment from everyone, in the same version', async () => {
    const at = await release.flag('switched')
    const rollout = await release.start(at)
    const off = await release.save(at, { enabled: false })
    expect(off).toMatchObject({ status: 200, body: { enabled: false } })
    expect(off.body.fallthrough.split.arms[1]).toMatchObject({ variation: 'on', weight: 0 })
    expect(await release.read(rollout)).toMatchObject({ state: 'rolled-back', why: 'flag-off' })
    expect(await release.log(rollout)).toEqual(['start started', 'roll-back flag-off'])
  })

  test('when archived rolls back', async () => {
    const at = await release.flag('archived')
    const rollout = await release.start(at)
    expect((await release.ask('POST', '/flags/archived/archive')).status).toBe(200)
    expect(await release.read(rollout)).toMatchObject({ state: 'rolled-back', why: 'flag-archived' })
    await release.ask('POST', '/flags/archived/restore')
    expect((await release.ask('GET', `${at}/config`)).body.fallthrough.split.arms[1].weight).toBe(0)
  })
})

test('a change request from before the start is in conflict; one that changes the split requires an acknowledgement', async () => {
  const at = await release.flag('requested')
  const open = async (changes: object) => {
    const { body } = await release.ask('GET', `${at}/config`)
    const { version, salt: _salt, savedAt: _savedAt, ...config } = body
    const proposal = { config: { ...config, ...changes }, baseVersion: version }
    return (await release.ask('POST', `${at}/change-requests`, proposal)).body
  }
  const before = await open({ fallthrough: { variation: 'on' } })
  const rollout = await release.start(at)
  const stateOf = async (id: string) => (await release.ask('GET', `/change-requests/${id}`)).body.state
  expect(await stateOf(before.id)).toBe('conflicted')

  const rules = [{ when: vips, serve: { variation: 'off' } }]
  const touching = await open({ rules })
  const maintainer = await release.telltale.person({ in: { shop: 'maintainer' } })
  const decide = (verb: string, body: object) =>
    release.ask('POST', `/change-requests/${touching.id}/${verb}`, body, maintainer)
  expect((await decide('approve', { version: touching.version })).status).toBe(200)
  expect(await decide('apply', {})).toMatchObject(locked(rollout, 'rules-above'))
  expect((await decide('apply', { endsEvidenceOf: [idOf(rollout)] })).status).toBe(200)
  expect(await release.read(rollout)).toMatchObject({ evidence: 2 })
})

test('a scheduled change of the split fails and names the rollout; a scheduled off switch rolls back', async () => {
  const at = await release.flag('scheduled')
  const rollout = await release.start(at)
  const { clock } = release.telltale.running.services
  const later = () => new Date(clock().getTime() + minute).toISOString()
  const schedule = async (change: object) => {
    const made = await release.ask('POST', `${at}/scheduled-changes`, { at: later(), change })
    expect(made.status).toBe(201)
    return made.body.id
  }
  const stateOf = async (id: string) => (await release.ask('GET', `/scheduled-changes/${id}`)).body
  const wrong = await schedule({ rules: [{ when: vips, serve: { variation: 'off' } }] })
  const off = await schedule({ enabled: false })
  release.telltale.passTime(2 * minute)
  await expect.poll(async () => (await stateOf(off)).state, { timeout: 30_000 }).toBe('applied')
  const failed = await stateOf(wrong)
  expect(failed.state).toBe('failed')
  expect(failed.failure).toContain('The rollout of "on" of "scheduled"')
  expect(await release.read(rollout)).toMatchObject({ state: 'rolled-back', why: 'flag-off' })
})
