import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Credential, type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'

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
const configOf = (flag: string, env = 'production') => `${project}/environments/${env}/flags/${flag}/config`

const by = (as: Credential) => (method: string, path: string, body?: object) =>
  telltale.request(method, path, { as, ...(body === undefined ? {} : { body }) })

const on = {
  enabled: true,
  offVariation: 'off',
  prerequisites: [],
  rules: [],
  fallthrough: { variation: 'on' },
}
const off = { ...on, enabled: false }

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
const read = async (id: string) => (await by(editor)('GET', `${requests}/${id}`)).body
const current = async (flag: string) => (await by(editor)('GET', configOf(flag))).body

/** Proposed by Ada, approved and applied by Bob. */
async function agree(flag: string, config: object) {
  const id = await propose(ada, flag, config)
  await approve(bob, id)
  expect((await act(bob, `${id}/apply`)).status).toBe(200)
}

test('a save becomes a change request, which a second member approves and applies', async () => {
  await createFlag('checkout')
  const saved = await by(editor)('PUT', configOf('checkout'), { ...on, version: 1, reason: 'Go live' })
  expect(saved.status).toBe(202)
  expect(saved.headers.get('location')).toBe(saved.body.address)
  expect(saved.headers.get('etag')).toBeNull()
  expect(saved.body.changeRequest).toMatchObject({ state: 'open', baseVersion: 1, env: 'production' })
  expect((await current('checkout')).version).toBe(1)

  const { body: shown } = await by(ada)('GET', saved.body.address)
  expect(shown).toMatchObject({
    reason: 'Go live',
    author: { id: editor.id },
    base: off,
    proposed: on,
    current: { version: 1, config: off },
    diff: [{ pointer: '/enabled', before: false, after: true }],
  })
  expect((await approve(ada, shown.id)).body).toMatchObject({
    state: 'approved',
    approvals: [{ id: ada.id, version: 1 }],
    missing: { approvals: 0, owner: false },
  })
  const applied = await act(bob, `${shown.id}/apply`)
  expect(applied.body).toMatchObject({ state: 'applied', appliedVersion: 2 })
  expect(applied.body.decisions.map(({ action }: { action: string }) => action)).toEqual([
    'open',
    'approve',
    'apply',
  ])

  const { body: versions } = await by(editor)('GET', `${configOf('checkout')}/versions`)
  expect(versions.items[0]).toMatchObject({
    version: 2,
    reason: 'Go live',
    actor: { id: bob.id },
    changeRequest: { id: shown.id, author: shown.author.name, approvedBy: applied.body.approvals[0].name },
  })
  const { body: audit } = await by(ada)('GET', `${project}/audit?entityId=${shown.id}`)
  expect(audit.items.map(({ action }: { action: string }) => action)).toEqual([
    'change-request.apply',
    'change-request.approve',
    'change-request.open',
  ])
})

test('a repeated save with the same idempotency key returns the same change request', async () => {
  await createFlag('repeated')
  const body = { ...on, version: 1 }
  const headers = { 'idempotency-key': 'once' }
  const save = () => telltale.request('PUT', configOf('repeated'), { as: ada, body, headers })
  const [first, second] = [await save(), await save()]
  expect(second.status).toBe(202)
  expect(second.body).toEqual(first.body)
  expect(second.headers.get('location')).toBe(first.body.address)
  const { body: list } = await by(ada)('GET', `${requests}?flag=repeated`)
  expect(list.items).toHaveLength(1)
})

test('the API description lists the calls that may open a change request', async () => {
  const { body } = await telltale.request('GET', '/api/openapi.json')
  const { responses } = body.paths['/api/v1/projects/{project}/environments/{env}/flags/{flag}/config'].put
  expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '202']))
  expect(responses['202'].content['application/json'].schema.required).toEqual(['changeRequest', 'address'])
})

test('authors cannot approve their own request, with any role or token', async () => {
  await createFlag('own')
  const id = await propose(owner, 'own')
  const refused = await approve(owner, id)
  expect(refused.status).toBe(403)
  expect(refused.body.permission).toBe('changes.approve')
  const token = await telltale.token(owner, { role: 'owner' })
  expect((await approve(token, id)).status).toBe(403)
  expect((await act(owner, `${id}/decline`)).status).toBe(403)

  const byToken = await propose(token, 'own', { ...on, fallthrough: { variation: 'off' } })
  expect((await approve(owner, byToken)).status).toBe(403)
  expect((await approve(editor, id)).status).toBe(403)
  expect((await approve(ada, id)).status).toBe(200)
})

test('an unapproved request is not applied', async () => {
  await createFlag('unapproved')
  const id = await propose(ada, 'unapproved')
  const refused = await act(bob, `${id}/apply`)
  expect(refused.body).toMatchObject({ type: '/errors/wrong-state', status: 409 })
  expect((await act(editor, `${id}/apply`)).status).toBe(403)
  expect((await current('unapproved')).version).toBe(1)
})

test('of two concurrent approvals or applications, one succeeds', async () => {
  await createFlag('contested')
  const id = await propose(editor, 'contested')
  const approvals = await Promise.all([approve(ada, id), approve(bob, id)])
  expect(approvals.map(({ status }) => status).sort()).toEqual([200, 409])

  const applied = await Promise.all([ada, bob, owner].map((person) => act(person, `${id}/apply`)))
  expect(applied.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  expect((await current('contested')).version).toBe(2)
})

test('a request that changed meanwhile is not approved, and an update voids the approval', async () => {
  await createFlag('moving')
  const id = await propose(editor, 'moving')
  const update = (as: Credential) =>
    by(as)('PATCH', `${requests}/${id}`, { config: { ...on, fallthrough: { variation: 'off' } } })
  expect((await update(ada)).status).toBe(403)
  expect((await update(editor)).body).toMatchObject({ version: 2, state: 'open' })
  const stale = await approve(ada, id, 1)
  expect(stale.body).toMatchObject({ type: '/errors/version-conflict', current: { version: 2 } })

  expect((await approve(ada, id, 2)).body.state).toBe('approved')
  const updated = await by(editor)('PATCH', `${requests}/${id}`, { config: on })
  expect(updated.body).toMatchObject({ state: 'open', approvals: [] })
  expect((await act(ada, `${id}/apply`)).status).toBe(409)
})

test('withdrawn and declined requests are final', async () => {
  await createFlag('ended')
  const withdrawn = await propose(editor, 'ended')
  expect((await act(ada, `${withdrawn}/withdraw`)).status).toBe(403)
  expect((await act(editor, `${withdrawn}/withdraw`, { comment: 'Not now' })).body.state).toBe('withdrawn')
  expect((await approve(ada, withdrawn, 2)).body.type).toBe('/errors/wrong-state')

  const declined = await propose(editor, 'ended')
  expect((await act(ada, `${declined}/decline`, { comment: 'Too early' })).body).toMatchObject({
    state: 'declined',
    decisions: [{ action: 'open' }, { action: 'decline', comment: 'Too early' }],
  })
  for (const action of ['apply', 'rebase', 'withdraw']) {
    const as = action === 'apply' ? ada : editor
    expect((await act(as, `${declined}/${action}`)).body.type).toBe('/errors/wrong-state')
  }
})

test('a changed base is a conflict, and a rebase merges both changes', async () => {
  await createFlag('rebased')
  const rule = {
    when: { match: 'all', of: [{ attribute: 'plan', operator: 'equals', value: 'pro' }] },
    serve: { variation: 'on' },
  }
  const id = await propose(editor, 'rebased', { ...off, rules: [rule] })
  await approve(ada, id)
  await agree('rebased', on)

  const conflicted = await read(id)
  expect(conflicted).toMatchObject({ state: 'conflicted', overlaps: [], current: { version: 2 } })
  expect((await act(ada, `${id}/apply`)).body.type).toBe('/errors/wrong-state')
  expect((await act(ada, `${id}/rebase`)).status).toBe(403)

  const rebased = await act(editor, `${id}/rebase`)
  expect(rebased.body).toMatchObject({
    state: 'open',
    baseVersion: 2,
    approvals: [],
    proposed: { enabled: true, rules: [rule] },
  })
  await approve(ada, id, rebased.body.version)
  expect((await act(ada, `${id}/apply`)).body.appliedVersion).toBe(3)
  expect(await current('rebased')).toMatchObject({ enabled: true, rules: [rule], version: 3 })
})

test('with overlapping changes, a rebase takes a new configuration', async () => {
  await createFlag('overlapping')
  await agree('overlapping', on)
  const half = {
    split: [
      { variation: 'on', weight: 50_000 },
      { variation: 'off', weight: 50_000 },
    ],
    by: 'targetingKey',
  }
  const id = await propose(editor, 'overlapping', { ...on, fallthrough: half, version: 2 })
  await agree('overlapping', { ...on, fallthrough: { variation: 'off' }, version: 2 })

  expect((await read(id)).overlaps).toEqual(['/fallthrough'])
  const refused = await act(editor, `${id}/rebase`)
  expect(refused.status).toBe(400)
  expect(refused.body.errors).toEqual([
    { pointer: '/config', message: 'is missing: both changed fallthrough' },
  ])
  const rebased = await act(editor, `${id}/rebase`, { config: { ...on, fallthrough: half } })
  expect(rebased.body).toMatchObject({ state: 'open', baseVersion: 3, proposed: { fallthrough: half } })
})

test('members who may change a protected environment turn off without approval; editors need it', async () => {
  await createFlag('burning')
  await agree('burning', on)
  expect((await by(editor)('PUT', configOf('burning'), { ...off, version: 2 })).status).toBe(202)
  const more = { ...off, fallthrough: { variation: 'off' }, version: 2 }
  expect((await by(ada)('PUT', configOf('burning'), more)).status).toBe(202)

  const stopped = await by(ada)('PUT', configOf('burning'), { ...off, version: 2 })
  expect(stopped.status).toBe(200)
  expect(stopped.body).toMatchObject({ enabled: false, version: 3 })
  expect((await by(ada)('PUT', configOf('burning'), { ...on, version: 3 })).status).toBe(202)
})

test('restoring a version and copying a configuration need approval too', async () => {
  await createFlag('roundabout')
  await agree('roundabout', on)
  const restored = await by(ada)('POST', `${configOf('roundabout')}/versions/1/restore`, {})
  // Version 1 is off, and turning a flag off needs no approval.
  expect(restored.status).toBe(200)
  const again = await by(ada)('POST', `${configOf('roundabout')}/versions/2/restore`, {})
  expect(again.status).toBe(202)

  await by(editor)('PUT', configOf('roundabout', 'staging'), { ...on, version: 1 })
  const copied = await by(ada)('POST', `${configOf('roundabout')}/copy`, { from: 'staging' })
  expect(copied.status).toBe(202)
  expect((await current('roundabout')).version).toBe(3)
})

test('an editor proposes where only maintainers change, with existing reviewers', async () => {
  await createFlag('proposed')
  const path = `${project}/environments/staging/flags/proposed/change-requests`
  await by(owner)('PATCH', `${project}/environments/staging`, { protected: true })
  expect((await by(editor)('PUT', configOf('proposed', 'staging'), { ...on, version: 1 })).status).toBe(403)

  const proposal = { config: on, baseVersion: 1 }
  const unknown = await by(editor)('POST', path, { ...proposal, reviewers: [editor.id] })
  expect(unknown.body.errors[0]).toMatchObject({ pointer: '/reviewers/0', message: 'is the author' })
  const stale = await by(editor)('POST', path, { ...proposal, baseVersion: 2 })
  expect(stale.body.type).toBe('/errors/version-conflict')
  const nothing = await by(editor)('POST', path, { config: off, baseVersion: 1 })
  expect(nothing.body.errors[0].message).toBe('changes nothing')

  const opened = await by(editor)('POST', path, { ...proposal, reviewers: [ada.id] })
  expect(opened.status).toBe(201)
  await approve(ada, opened.body.id)
  expect((await act(ada, `${opened.body.id}/apply`)).body.state).toBe('applied')
  await by(owner)('PATCH', `${project}/environments/staging`, { protected: false })
})

test('a configuration can be proposed as returned by the API, including splits', async () => {
  await createFlag('read-back')
  const weights = [
    { variation: 'on', weight: 25_000 },
    { variation: 'off', weight: 75_000 },
  ]
  const path = configOf('read-back', 'development')
  await by(owner)('PUT', path, { ...on, fallthrough: { split: weights }, version: 1 })
  const read = await by(owner)('GET', path)
  const { salt: _, savedAt: __, version, ...config } = read.body
  const again = await by(owner)('PUT', path, { ...config, version, reason: 'as it was read' })
  expect(again.status).toBe(200)
  expect(again.body.fallthrough).toEqual(config.fallthrough)

  const requests = `${project}/environments/development/flags/read-back/change-requests`
  const off = { ...config, enabled: false }
  const opened = await by(editor)('POST', requests, { config: off, baseVersion: again.body.version })
  expect(opened.status).toBe(201)
  expect(opened.body.proposed.fallthrough).toEqual({ split: weights, by: 'targetingKey' })
})

test('an invalid configuration is rejected when proposed, not when applied', async () => {
  await createFlag('unsound')
  const refused = await by(ada)('PUT', configOf('unsound'), {
    ...on,
    fallthrough: { variation: 'gone' },
    version: 1,
  })
  expect(refused.status).toBe(400)
  const stale = await by(ada)('PUT', configOf('unsound'), { ...on, version: 7 })
  expect(stale.body.type).toBe('/errors/version-conflict')
})

test('they are listed newest first, by state, environment, flag and author', async () => {
  await createFlag('listed')
  const first = await propose(editor, 'listed')
  const second = await propose(ada, 'listed')
  await act(editor, `${first}/withdraw`)

  const list = async (query: string) => {
    const { body } = await by(editor)('GET', `${requests}?flag=listed&${query}`)
    return body.items.map(({ id }: { id: string }) => id)
  }
  expect(await list('')).toEqual([second, first])
  expect(await list('state=withdrawn')).toEqual([first])
  expect(await list(`author=${ada.id}`)).toEqual([second])
  expect(await list('env=staging')).toEqual([])
  const { body: page } = await by(editor)('GET', `${requests}?flag=listed&limit=1`)
  const { body: rest } = await by(editor)('GET', `${requests}?flag=listed&limit=1&cursor=${page.next}`)
  expect(rest.items.map(({ id }: { id: string }) => id)).toEqual([first])
})
