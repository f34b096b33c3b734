import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Credential, type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'
import { runDue } from '../schedules/run-due.ts'

let telltale: Telltale
let owner: SomePerson
let ada: SomePerson
let bob: SomePerson
let editor: SomePerson

beforeAll(async () => {
  telltale = await startTelltale({ settings: { TELLTALE_MANAGEMENT_RATE: '100000' } })
  await telltale.project('shop')
  owner = await telltale.person({ role: 'owner' })
  ada = await telltale.person({ in: { shop: 'maintainer' } })
  bob = await telltale.person({ in: { shop: 'maintainer' } })
  editor = await telltale.person({ in: { shop: 'editor' } })
  const { status } = await by(owner)('PATCH', `${project}/environments/production`, {
    approvalRequired: true,
  })
  expect(status).toBe(200)
})

afterAll(() => telltale[Symbol.asyncDispose]())

const project = '/api/v1/projects/shop'
const requests = `${project}/change-requests`
const configOf = (flag: string) => `${project}/environments/production/flags/${flag}/config`

const by = (as: Credential) => (method: string, path: string, body?: object) =>
  telltale.request(method, path, { as, ...(body === undefined ? {} : { body }) })

const on = {
  enabled: true,
  offVariation: 'off',
  prerequisites: [],
  rules: [],
  fallthrough: { variation: 'on' },
}

async function createFlag(key: string) {
  const answer = await by(editor)('POST', `${project}/flags`, { key, name: key, valueType: 'boolean' })
  expect(answer.status).toBe(201)
}

/** Saves where approval is required; returns the id of the change request. */
async function propose(as: Credential, flag: string, config: object = on): Promise<string> {
  const answer = await by(as)('PUT', configOf(flag), { version: 1, ...config })
  expect(answer.status).toBe(202)
  return answer.body.changeRequest.id
}

/** An action is the id followed by the verb. */
const act = (as: Credential, action: string, body: object = {}) =>
  by(as)('POST', `${requests}/${action}`, body)
const approve = (as: Credential, id: string, version = 1) => act(as, `${id}/approve`, { version })

test('two approvals, one by an owner of the flag, which lapse when the proposal or its base changes', async () => {
  await createFlag('owned')
  const flag = `${project}/flags/owned`
  const owned = await by(owner)('PATCH', flag, { owners: [bob.id, editor.id] })
  expect(owned.body.owners).toEqual([bob.id, editor.id])
  const listed = await by(ada)('GET', `${project}/flags?owner=${bob.id}`)
  expect(listed.body.items.map(({ key }: { key: string }) => key)).toEqual(['owned'])
  const place = `${project}/environments/production`
  expect((await by(owner)('PATCH', place, { approvals: 2, ownerApproval: true })).status).toBe(200)
  try {
    const id = await propose(editor, 'owned')
    const inbox = await by(bob)('GET', `${project}/inbox`)
    expect(inbox.body.items).toContainEqual(expect.objectContaining({ id, isOwner: true }))
    expect((await approve(ada, id)).body).toMatchObject({
      state: 'open',
      missing: { approvals: 1, owner: true },
    })
    expect((await approve(ada, id)).body.type).toBe('/errors/wrong-state')
    expect((await approve(owner, id)).body).toMatchObject({
      state: 'open',
      missing: { approvals: 0, owner: true },
    })
    expect((await act(ada, `${id}/apply`)).status).toBe(409)
    expect((await approve(bob, id)).body).toMatchObject({ state: 'approved', missing: { owner: false } })

    const updated = await by(editor)('PATCH', `${requests}/${id}`, { reason: 'Again' })
    expect(updated.body).toMatchObject({
      state: 'open',
      approvals: [],
      missing: { approvals: 2, owner: true },
    })
    const { version } = updated.body
    await approve(bob, id, version)
    const again = await approve(ada, id, version)
    expect(again.body).toMatchObject({ state: 'approved', proposalVersion: version })
    const versions = again.body.decisions.map((one: { version: number }) => one.version)
    expect(versions).toEqual([1, 1, 1, 1, version, version, version])

    await by(owner)('PATCH', place, { approvals: 3 })
    expect((await act(ada, `${id}/apply`)).body.detail).toContain('1 more approval')
    expect((await approve(owner, id, version)).body.missing).toEqual({ approvals: 0, owner: false })
    const applied = await act(ada, `${id}/apply`)
    expect(applied.body).toMatchObject({ state: 'applied', appliedVersion: 2 })
  } finally {
    await by(owner)('PATCH', place, { approvals: 1, ownerApproval: false })
  }
})

test('a team owns a flag: any of its members approves, and deleting the flag takes more', async () => {
  const team = (await by(owner)('POST', '/api/v1/teams', { key: 'payments', name: 'Payments' })).body.id
  const kim = await telltale.person({ in: { shop: 'maintainer' } })
  await by(owner)('PUT', `/api/v1/teams/payments/members/${kim.id}`)
  await by(owner)('POST', '/api/v1/teams', { key: 'search', name: 'Search' })
  await by(owner)('PUT', `/api/v1/teams/search/members/${bob.id}`)
  await createFlag('by-team')
  const flag = `${project}/flags/by-team`
  const unknown = await by(editor)('PATCH', flag, { ownerTeams: ['01900000-0000-7000-8000-000000000000'] })
  expect(unknown.body.errors).toMatchObject([{ pointer: '/ownerTeams/0' }])
  expect((await by(editor)('PATCH', flag, { ownerTeams: [team] })).body.ownerTeams).toEqual([team])
  const owned = async (as: Credential, query: string) =>
    (await by(as)('GET', `${project}/flags?${query}`)).body.items.map((one: { key: string }) => one.key)
  expect(await owned(kim, 'mine=true')).toEqual(['by-team'])
  expect(await owned(ada, 'mine=true')).toEqual([])
  expect(await owned(ada, `owner=${team}`)).toEqual(['by-team'])

  const place = `${project}/environments/production`
  await by(owner)('PATCH', place, { ownerApproval: true })
  try {
    const id = await propose(editor, 'by-team')
    const waiting = async (as: Credential) =>
      (await by(as)('GET', `${project}/inbox`)).body.items.find((one: { id: string }) => one.id === id)
    expect([(await waiting(kim)).isOwner, (await waiting(bob)).isOwner]).toEqual([true, false])
    expect((await approve(bob, id)).body.missing).toEqual({ approvals: 0, owner: true })
    expect((await approve(kim, id)).body).toMatchObject({
      ...{ state: 'approved', ownerTeams: [team] },
      approvals: [{ asOwner: false }, { asOwner: true }],
    })
    // Who left the team no longer owns the flag, and who lost the role no longer approves.
    await by(owner)('DELETE', `/api/v1/teams/payments/members/${kim.id}`)
    await by(owner)('PUT', `/api/v1/teams/payments/members/${ada.id}`)
    expect((await act(bob, `${id}/apply`)).body.detail).toContain('approval of an owner')

    // The author and members who cannot sign in are asked for no approval.
    await by(owner)('PUT', `/api/v1/teams/payments/members/${kim.id}`)
    await by(owner)('PATCH', `/api/v1/users/${kim.id}`, { disabled: true })
    const own = await propose(ada, 'by-team')
    expect((await by(bob)('GET', `${requests}/${own}`)).body.missing.owner).toBe(false)

    for (const change of [{ ownerTeams: [] }, { owners: [bob.id] }])
      expect((await by(bob)('PATCH', flag, change)).body.permission).toBe('environments.manage')
    await by(bob)('POST', `${flag}/archive`)
    expect((await by(bob)('DELETE', `${flag}?confirm=by-team`)).body.permission).toBe('environments.manage')
    expect((await by(owner)('DELETE', '/api/v1/teams/payments')).status).toBe(204)
    expect((await by(owner)('GET', flag)).body.ownerTeams).toEqual([])
    const audit = await by(owner)('GET', `${project}/audit?entity=flag`)
    expect(audit.body.items[0]).toMatchObject({
      ...{ action: 'flag.update', reason: 'The team payments was deleted.' },
      changes: [{ pointer: '/ownerTeams', before: [team] }],
    })
  } finally {
    await by(owner)('PATCH', place, { ownerApproval: false })
  }
})

test('a team that is deleted while a flag is saved does not come back as its owner', async () => {
  await createFlag('racing')
  const flag = `${project}/flags/racing`
  for (let round = 0; round < 5; round += 1) {
    const key = `passing-${round}`
    const { id } = (await by(owner)('POST', '/api/v1/teams', { key, name: key })).body
    await by(editor)('PATCH', flag, { ownerTeams: [id] })
    const saves = [`${round} a`, `${round} b`].map((name) => by(editor)('PATCH', flag, { name }))
    await Promise.all([...saves, by(owner)('DELETE', `/api/v1/teams/${key}`)])
    expect((await by(owner)('GET', flag)).body.ownerTeams).toEqual([])
  }
})

test('an approval lapses when its member may no longer approve, also if the change is applied by hand', async () => {
  await createFlag('lapsing')
  const lin = await telltale.person({ in: { shop: 'maintainer' } })
  const id = await propose(editor, 'lapsing')
  expect((await approve(lin, id)).body.state).toBe('approved')
  await by(owner)('PATCH', `${project}/members/${lin.id}`, { role: 'viewer' })
  // Otherwise no screen would offer the approval that is missing.
  expect((await by(bob)('GET', `${requests}/${id}`)).body).toMatchObject({
    ...{ state: 'approved', approvals: [], missing: { approvals: 1 } },
  })
  const listed = await by(bob)('GET', `${requests}?flag=lapsing`)
  expect(listed.body.items).toMatchObject([{ approvals: [], missing: { approvals: 1 } }])
  expect((await act(ada, `${id}/apply`)).body).toMatchObject({
    type: '/errors/wrong-state',
    detail: expect.stringContaining('1 more approval'),
  })
  expect((await approve(bob, id)).body).toMatchObject({ state: 'approved', approvals: [{ id: bob.id }] })
  expect((await act(ada, `${id}/apply`)).body.state).toBe('applied')
})

test('a scheduled change is applied with the approvals that are left, if they are enough', async () => {
  await createFlag('on-time')
  await by(owner)('PATCH', `${project}/flags/on-time`, { owners: [bob.id] })
  await by(owner)('PATCH', `${project}/environments/production`, { ownerApproval: true })
  const lin = await telltale.person({ in: { shop: 'maintainer' } })
  const soon = new Date(telltale.running.services.clock().getTime() + 60_000).toISOString()
  const place = `${project}/environments/production/flags/on-time/scheduled-changes`
  const { body } = await by(editor)('POST', place, { at: soon, change: { enabled: true } })
  const { id } = body.changeRequest
  expect((await approve(lin, id)).body.state).toBe('open')
  expect((await approve(bob, id)).body.state).toBe('approved')
  await by(owner)('PATCH', `${project}/members/${lin.id}`, { role: 'viewer' })
  telltale.passTime(60_000)
  await runDue(telltale.running.services)
  const { body: done } = await by(owner)('GET', `${requests}/${id}`)
  expect(done).toMatchObject({ state: 'applied', approvals: [{ id: bob.id, asOwner: true }] })
  await by(owner)('PATCH', `${project}/environments/production`, { ownerApproval: false })
})

test('a holdout cannot be proposed, so it takes the permission that could end the rule', async () => {
  const place = `${project}/environments/production`
  const draft = { key: 'held', name: 'Held', share: 1_000, metrics: ['lcp'] }
  expect((await by(ada)('POST', `${place}/holdouts`, draft)).body).toMatchObject({
    ...{ type: '/errors/forbidden', permission: 'environments.manage' },
    detail: expect.stringContaining('requires approval'),
  })
  expect((await by(owner)('POST', `${place}/holdouts`, draft)).status).toBe(201)
  const change = (body: object) => by(ada)('PATCH', `${project}/holdouts/held`, body)
  expect((await change({ days: 7 })).body.permission).toBe('environments.manage')
  expect((await change({ name: 'Held back' })).status).toBe(200)
})
