import { afterEach, expect, test, vi } from 'vitest'
import { type Declared, everything, owner, password, startWith } from '../../../../../test/setup-files.ts'
import type { Telltale } from '../../../../../test/start.ts'

// Each test starts several servers, and hashing passwords is slow.
vi.setConfig({ testTimeout: 30_000 })

afterEach(() => {
  vi.unstubAllEnvs()
})

const grace = { email: 'grace@pedalandpost.example', name: 'Grace', password }

const there = { environments: [{ env: 'staging', role: 'viewer' as const }] }

const declare = (manage: boolean, change: Partial<Declared> = {}): Declared => ({
  owner,
  users: [grace],
  singleSignOn: {
    providers: [
      {
        ...{ key: 'okta', buttonText: 'Okta', issuer: 'https://okta.example.com', clientId: 'abc' },
        ...{
          secret: { env: 'OKTA_SECRET' },
          domains: ['pedalandpost.example'],
          groupsClaim: 'groups',
          manage,
        },
        grants: [{ group: 'dev', project: 'shop', role: 'editor' }],
      },
    ],
    ...{ only: true, breakGlassOwner: owner.email, manage },
  },
  teams: [{ key: 'payments', name: 'Payments', members: [grace.email], manage }],
  projects: [{ key: 'shop', teams: [{ team: 'payments', role: 'editor', ...there, manage }] }],
  ...change,
})

async function look(telltale: Telltale) {
  const as = await telltale.person({ role: 'owner' })
  const get = async (path: string) => (await telltale.request('GET', `/api/v1${path}`, { as })).body
  const { items, singleSignOn } = await get('/sign-in-providers')
  return {
    as,
    provider: items[0],
    singleSignOn,
    team: await get('/teams/payments'),
    members: (await get('/projects/shop/members')).items,
  }
}

test('providers, single sign-on only, teams and their roles are created once', async () => {
  vi.stubEnv('OKTA_SECRET', 'secret of the client')
  await using started = await startWith(declare(false))
  const { telltale } = started
  const { as, provider, singleSignOn, team, members } = await look(telltale)
  expect(provider).toMatchObject({
    key: 'okta',
    enabled: true,
    managed: false,
    clientAuth: 'client_secret_basic',
  })
  expect(singleSignOn).toMatchObject({ singleSignOnOnly: true, managed: false })
  expect(team).toMatchObject({ name: 'Payments', members: 1, managed: false, roles: [{ role: 'editor' }] })
  expect(members).toMatchObject([
    { user: { email: grace.email }, role: 'editor', direct: null, teams: [there] },
  ])
  const refused = await telltale.request('POST', '/api/v1/sign-in', {
    body: { email: grace.email, password },
  })
  expect(refused.body.type).toBe('/errors/single-sign-on-required')

  const allow = { singleSignOnOnly: false, breakGlassOwner: null }
  for (const [method, path, body] of [
    ['PUT', '/api/v1/single-sign-on', allow],
    ['DELETE', '/api/v1/sign-in-providers/okta', undefined],
    ['DELETE', '/api/v1/teams/payments', undefined],
  ] as const) {
    const { status } = await telltale.request(method, path, { as, ...(body && { body }) })
    expect(status, path).toBeLessThan(300)
  }
  const before = await everything(telltale)
  await using restarted = await started.restart()
  expect(await everything(restarted)).toEqual(before)
})

test('with manage they are read-only, enforced, and released again', async () => {
  vi.stubEnv('OKTA_SECRET', 'secret of the client')
  await using started = await startWith(declare(true))
  const { telltale } = started
  const { as, provider, singleSignOn, team } = await look(telltale)
  expect([provider.managed, singleSignOn.managed, team.managed]).toEqual([true, true, true])
  const refused: [string, string, object?][] = [
    ['PATCH', '/api/v1/sign-in-providers/okta', { buttonText: 'Mine' }],
    ['DELETE', '/api/v1/sign-in-providers/okta'],
    ['PUT', '/api/v1/single-sign-on', { singleSignOnOnly: false, breakGlassOwner: null }],
    ['PATCH', '/api/v1/teams/payments', { name: 'Mine' }],
    ['DELETE', '/api/v1/teams/payments'],
    ['PUT', '/api/v1/projects/shop/teams/payments', { role: 'admin' }],
    ['DELETE', '/api/v1/projects/shop/teams/payments'],
  ]
  for (const [method, path, body] of refused) {
    const answer = await telltale.request(method, path, { as, ...(body && { body }) })
    expect(answer.body.type, `${method} ${path}`).toBe('/errors/managed')
  }

  vi.stubEnv('OKTA_SECRET', 'the next secret')
  const changedThere = [{ env: 'production', role: 'admin' as const }]
  const changed = declare(true, {
    teams: [{ key: 'payments', name: 'Refunds', members: [owner.email], manage: true }],
    projects: [
      {
        key: 'shop',
        members: [{ email: grace.email, role: 'viewer', environments: changedThere, manage: true }],
        teams: [{ team: 'payments', role: 'editor', environments: changedThere, manage: true }],
      },
    ],
  })
  await using restarted = await started.restart(changed)
  const now = await look(restarted)
  expect(now.team).toMatchObject({ name: 'Refunds', members: 1 })
  expect(now.members).toMatchObject([
    { user: { email: grace.email }, environments: changedThere },
    { user: { email: owner.email }, teams: [{ environments: changedThere }] },
  ])
  expect(now.provider).toMatchObject({ id: provider.id, version: provider.version + 1 })

  await using released = await started.restart(null)
  const free = await look(released)
  expect([free.provider.managed, free.singleSignOn.managed, free.team.managed]).toEqual([false, false, false])
})

test('every fault is listed, and nothing is changed', async () => {
  const faulty = declare(true, {
    singleSignOn: { only: true, breakGlassOwner: grace.email },
    teams: [{ key: 'payments', members: ['unknown@pedalandpost.example'] }],
    projects: [{ key: 'shop', teams: [{ team: 'gone', role: 'viewer' }] }],
  })
  const failing = startWith(faulty)
  await expect(failing).rejects.toThrow('/teams/0/members/0: has no account')
  await expect(failing).rejects.toThrow('/projects/0/teams/0/team: is not a team')
  await expect(failing).rejects.toThrow('/singleSignOn/only: needs an enabled provider')
  await expect(failing).rejects.toThrow('/singleSignOn/breakGlassOwner: must be an active owner')
  await expect(startWith(declare(true))).rejects.toThrow('/singleSignOn/providers/0/secret/env')
})
