import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Declared, everything, owner, password, startWith } from '../../../../../test/setup-files.ts'
import { startTelltale, type Telltale } from '../../../../../test/start.ts'
import { users } from '../../platform/engines/postgres/account-schema.ts'
import { auditEntries } from '../../platform/engines/postgres/audit-schema.ts'
import { sdkKeys } from '../../platform/engines/postgres/schema.ts'

// Each test starts several servers, and hashing passwords is slow.
vi.setConfig({ testTimeout: 30_000 })

afterEach(() => {
  vi.unstubAllEnvs()
})

const guest = { email: 'Noor@pedalandpost.example', name: 'Noor', password: 'ten tall pine trees' }

const whole: Declared = {
  $schema: './setup-file.schema.json',
  owner,
  users: [guest],
  projects: [
    {
      key: 'shop',
      name: 'Pedal & Post',
      environments: [
        {
          key: 'production',
          name: 'Production',
          colour: 'red',
          timeZone: 'europe/berlin',
          protected: true,
          approvalRequired: true,
          allowedOrigins: ['https://SHOP.example/'],
          sampling: { session: 12.345678 },
          retentionDays: { events: 7 },
          keys: [
            { kind: 'client', label: 'Web', value: 'known-client-key' },
            { kind: 'server', label: 'Till', value: 'ser.known-server-key' },
            { kind: 'server', label: 'Jobs' },
            // Without a value: a separate key, although kind and label are the same.
            { kind: 'client', label: 'Web' },
          ],
        },
        { key: 'staging' },
      ],
      members: [
        { email: 'noor@PEDALANDPOST.example', role: 'maintainer' },
        { email: owner.email, role: 'admin' },
      ],
    },
    { key: 'intranet' },
  ],
}

const inShop = '/api/v1/projects/shop'
const inProduction = `${inShop}/environments/production`

async function signIn(telltale: Telltale, email: string, secret: string) {
  const answer = await telltale.request('POST', '/api/v1/sign-in', { body: { email, password: secret } })
  const [cookie] = answer.headers.getSetCookie()
  return { status: answer.status, headers: { cookie: cookie?.split(';', 1)[0] ?? '' } }
}

async function items(telltale: Telltale, path: string) {
  const as = await telltale.person({ role: 'owner' })
  return (await telltale.request('GET', path, { as })).body.items
}

describe('the first start with a setup file', () => {
  test('creates the whole installation, with the given keys', async () => {
    await using started = await startWith(whole)
    const { telltale } = started

    expect(telltale.running.setupCode).toBeUndefined()
    expect((await telltale.request('GET', '/api/v1/setup')).body).toMatchObject({ done: true })
    const as = await signIn(telltale, owner.email, password)
    const { body } = await telltale.request('GET', '/api/v1/account', { as })
    expect(body.user).toMatchObject({ name: 'Mara', role: 'owner', managed: false })
    expect(body.projects).toMatchObject([
      { key: 'intranet', name: 'intranet', role: 'admin', own: false },
      { key: 'shop', name: 'Pedal & Post', role: 'admin', own: false },
    ])
    expect((await signIn(telltale, guest.email, guest.password)).status).toBe(200)

    expect((await telltale.request('GET', inProduction, { as })).body).toMatchObject({
      name: 'Production',
      colour: 'red',
      timeZone: 'Europe/Berlin',
      approvalRequired: true,
      allowedOrigins: ['https://shop.example'],
      sampling: { session: 12.3457, replay: 10 },
      retentionDays: { events: 7, replays: 30 },
      version: 1,
      managed: false,
    })
    const keys = (await telltale.request('GET', `${inProduction}/keys`, { as })).body.items
    expect(keys.map(({ kind, label }: { kind: string; label: string }) => `${kind} ${label}`).sort()).toEqual(
      ['client Web', 'client Web', 'server Jobs', 'server Till'],
    )
    expect(keys).toContainEqual(expect.objectContaining({ label: 'Web', value: 'known-client-key' }))
    const members = (await telltale.request('GET', `${inShop}/members`, { as })).body.items
    expect(members).toMatchObject([
      { user: { email: owner.email }, role: 'admin' },
      { user: { email: guest.email }, role: 'maintainer' },
    ])
  })

  test('gives a project its default environments, and an environment its client key', async () => {
    await using started = await startWith(whole)
    const { telltale } = started

    const environments = await items(telltale, '/api/v1/projects/intranet/environments')
    expect(environments.map(({ key }: { key: string }) => key)).toEqual([
      'production',
      'staging',
      'development',
    ])
    expect(await items(telltale, `${inShop}/environments/staging/keys`)).toMatchObject([
      { kind: 'client', label: 'Default' },
    ])
  })

  test('shows created keys, once', async () => {
    await using started = await startWith(whole)
    const { telltale } = started
    const place = { project: 'shop', environment: 'production' }

    expect(telltale.running.generatedKeys).toEqual([
      { ...place, kind: 'server', label: 'Jobs', value: expect.stringMatching(/^ser\../) },
      { ...place, kind: 'client', label: 'Web', value: expect.stringMatching(/^tt_/) },
    ])
    await using restarted = await started.restart()
    expect(restarted.running.generatedKeys).toEqual([])
  })

  test('is audited as the setup file, without secrets', async () => {
    await using started = await startWith(whole)
    const rows = await started.telltale.running.services.db.select().from(auditEntries)

    expect(new Set(rows.map(({ actor }) => JSON.stringify(actor)))).toEqual(
      new Set([JSON.stringify({ id: null, kind: 'setup-file', name: 'setup file' })]),
    )
    expect(rows.map(({ action }) => action)).toEqual(
      expect.arrayContaining([
        'user.create',
        'project.create',
        'environment.create',
        'key.create',
        'member.create',
      ]),
    )
    expect(JSON.stringify(rows)).not.toContain(password)
    expect(JSON.stringify(rows)).not.toContain('ser.known-server-key')
  })

  test('reads secrets from environment variables', async () => {
    vi.stubEnv('TEST_OWNER_PASSWORD', 'nine quiet harbours')
    vi.stubEnv('TEST_CLIENT_KEY', 'key-from-outside')
    await using started = await startWith({
      owner: { ...owner, password: { env: 'TEST_OWNER_PASSWORD' } },
      projects: [
        {
          key: 'shop',
          environments: [
            { key: 'production', keys: [{ kind: 'client', value: { env: 'TEST_CLIENT_KEY' } }] },
          ],
        },
      ],
    })

    expect((await signIn(started.telltale, owner.email, 'nine quiet harbours')).status).toBe(200)
    expect(await items(started.telltale, `${inProduction}/keys`)).toMatchObject([
      { value: 'key-from-outside' },
    ])
  })

  test('keeps existing objects unchanged', async () => {
    await using telltale = await startTelltale()
    await telltale.project('shop')
    const person = await telltale.person({ email: guest.email, in: { shop: 'viewer' } })
    const before = await everything(telltale)
    const folder = await mkdtemp(join(tmpdir(), 'telltale-setup-'))
    const file = join(folder, 'setup.json')
    await writeFile(file, JSON.stringify(whole))

    await using restarted = await startTelltale({ settings: { TELLTALE_SETUP: file }, beside: telltale })
    const as = await telltale.person({ role: 'owner' })
    expect((await restarted.request('GET', inProduction, { as })).body).toMatchObject({
      version: 1,
      timeZone: 'UTC',
    })
    const members = (await restarted.request('GET', `${inShop}/members`, { as })).body.items
    expect(members).toContainEqual(
      expect.objectContaining({ user: expect.objectContaining({ id: person.id }), role: 'viewer' }),
    )
    expect(before).toMatchObject({ projects: [{ name: 'shop' }] })
    expect((await restarted.request('GET', inShop, { as })).body).toMatchObject({ name: 'shop', version: 1 })
    await rm(folder, { recursive: true })
  })

  test('on two servers at once creates everything once', async () => {
    await using telltale = await startTelltale()
    await using started = await startWith({ owner })
    await writeFile(started.file, JSON.stringify(whole))
    const settings = { TELLTALE_SETUP: started.file }

    const [one, two] = await Promise.all([
      startTelltale({ settings, beside: telltale }),
      startTelltale({ settings, beside: telltale }),
    ])
    await using _one = one
    await using _two = two
    expect(await telltale.running.services.db.$count(users)).toBe(2)
    // Four in production, and one in each of the other environments.
    expect(await telltale.running.services.db.$count(sdkKeys)).toBe(8)
    expect([...one.running.generatedKeys, ...two.running.generatedKeys]).toHaveLength(2)
  })
})

describe('a restart', () => {
  test('with the same file changes nothing', async () => {
    await using started = await startWith(whole)
    const before = await everything(started.telltale)

    await using restarted = await started.restart()
    expect(await everything(restarted)).toEqual(before)
  })

  test('reverts no change: names, settings, roles and passwords stay', async () => {
    await using started = await startWith(whole)
    const { telltale } = started
    const as = await signIn(telltale, owner.email, password)
    const members = (await telltale.request('GET', `${inShop}/members`, { as })).body.items
    const changes: [string, string, object][] = [
      ['PATCH', inShop, { name: 'Renamed' }],
      ['PATCH', inProduction, { timeZone: 'Asia/Tokyo' }],
      ['PATCH', `${inShop}/members/${members[1].user.id}`, { role: 'viewer' }],
      ['PATCH', `/api/v1/users/${members[1].user.id}`, { name: 'Noor R.' }],
      ['PUT', '/api/v1/account/password', { current: password, next: 'eleven old bicycles' }],
    ]
    for (const [method, path, body] of changes) {
      expect((await telltale.request(method, path, { as, body })).status, path).toBeLessThan(300)
    }

    const before = await everything(telltale)
    await using restarted = await started.restart()
    expect(await everything(restarted)).toEqual(before)
  })

  test('reverts no removal: keys, members, environments, accounts and projects stay deleted', async () => {
    await using started = await startWith(whole)
    const { telltale } = started
    const as = await signIn(telltale, owner.email, password)
    const keys = (await telltale.request('GET', `${inProduction}/keys`, { as })).body.items
    const members = (await telltale.request('GET', `${inShop}/members`, { as })).body.items
    const removals = [
      ...keys.map(({ id }: { id: string }) => `${inProduction}/keys/${id}`),
      `${inShop}/members/${members[0].user.id}`,
      `${inShop}/environments/staging?confirm=staging`,
      `/api/v1/users/${members[1].user.id}`,
      '/api/v1/projects/intranet?confirm=intranet',
    ]
    for (const path of removals) {
      expect((await telltale.request('DELETE', path, { as })).status, path).toBeLessThan(300)
    }

    const before = await everything(telltale)
    await using restarted = await started.restart()
    expect(await everything(restarted)).toEqual(before)
  })

  test('does not recreate a deleted environment or project', async () => {
    await using started = await startWith(whole)
    const { telltale } = started
    const as = await signIn(telltale, owner.email, password)
    await telltale.request('DELETE', `${inProduction}?confirm=production`, { as })
    await using once = await started.restart()
    expect((await once.request('GET', inProduction, { as })).status).toBe(404)

    await telltale.request('DELETE', `${inShop}?confirm=shop`, { as })
    const before = await everything(telltale)
    await using twice = await started.restart()
    expect(await everything(twice)).toEqual(before)
  })

  test('starts although an undeclared account was deleted', async () => {
    await using telltale = await startTelltale()
    const person = await telltale.person({ email: 'invited@example.com' })
    const as = await telltale.person({ role: 'owner' })
    await using started = await startWith({ owner })
    const settings = { TELLTALE_SETUP: started.file }
    const members = [{ email: person.email, role: 'editor' as const }]
    await writeFile(started.file, JSON.stringify({ owner, projects: [{ key: 'shop', members }] }))
    await using first = await startTelltale({ settings, beside: telltale })
    await first.request('DELETE', `/api/v1/users/${person.id}`, { as })

    await using second = await startTelltale({ settings, beside: telltale })
    expect((await second.request('GET', `${inShop}/members`, { as })).body.items).toEqual([])
  })

  test('creates only what was added to the file', async () => {
    await using started = await startWith({ owner, projects: [{ key: 'shop' }] })
    await using restarted = await started.restart({
      owner,
      users: [guest],
      projects: [
        {
          key: 'shop',
          environments: [{ key: 'production', keys: [{ kind: 'server', value: 'ser.added-later' }] }],
          members: [{ email: guest.email, role: 'editor' }],
        },
      ],
    })

    const keys = await items(restarted, `${inProduction}/keys`)
    expect(keys.map(({ kind }: { kind: string }) => kind).sort()).toEqual(['client', 'server'])
    expect(await items(restarted, `${inShop}/members`)).toMatchObject([{ role: 'editor' }])
    expect(await items(restarted, `${inShop}/environments`)).toHaveLength(3)
  })

  test('remembers a replaced owner, who stays removed', async () => {
    await using started = await startWith({ owner })
    const { telltale } = started
    const as = await telltale.person({ role: 'owner' })
    const [mara] = (await telltale.request('GET', '/api/v1/users?search=mara', { as })).body.items
    expect((await telltale.request('DELETE', `/api/v1/users/${mara.id}`, { as })).status).toBe(204)

    await using restarted = await started.restart()
    expect((await restarted.request('GET', '/api/v1/users?search=mara', { as })).body.items).toEqual([])
  })
})
