import { eq, ne } from 'drizzle-orm'
import { describe, expect, test, vi } from 'vitest'
import { type Declared, everything, owner, startWith } from '../../../../../test/setup-files.ts'
import type { Telltale } from '../../../../../test/start.ts'
import { users } from '../../platform/engines/postgres/account-schema.ts'
import { auditEntries } from '../../platform/engines/postgres/audit-schema.ts'
import { hashPassword } from '../users/password.ts'

// Each test starts several servers, and hashing passwords is slow.
vi.setConfig({ testTimeout: 30_000 })

const guest = { email: 'noor@pedalandpost.example', name: 'Noor', password: 'ten tall pine trees' }

/** The same installation, managed by its members or by the file. */
const traceLink = 'https://tempo.example/trace/{traceId}'

const declare = (manage: boolean): Declared => ({
  owner,
  users: [{ ...guest, role: 'member', manage }],
  projects: [
    {
      key: 'shop',
      name: 'Pedal & Post',
      traceLink,
      manage,
      environments: [
        {
          key: 'production',
          name: 'Production',
          timeZone: 'Europe/Berlin',
          sampling: { session: 12.345678 },
          privacyRules: [{ selector: '#invoice', action: 'mask' }],
          manage,
          keys: [
            { kind: 'client', label: 'Web', value: 'known-client-key', manage },
            { kind: 'server', label: 'Jobs', manage },
          ],
        },
      ],
      members: [{ email: guest.email, role: 'maintainer', manage }],
    },
  ],
})

const inShop = '/api/v1/projects/shop'
const inProduction = `${inShop}/environments/production`

async function look(telltale: Telltale) {
  const as = await telltale.person({ role: 'owner' })
  const get = async (path: string) => (await telltale.request('GET', path, { as })).body
  const users = await get('/api/v1/users?search=noor')
  const keys = (await get(`${inProduction}/keys`)).items
  const named = (label: string) => keys.filter((key: { label: string }) => key.label === label)
  return {
    as,
    user: users.items[0],
    project: await get(inShop),
    environment: await get(inProduction),
    web: named('Web')[0],
    jobs: named('Jobs')[0],
    keys,
    member: (await get(`${inShop}/members`)).items[0],
  }
}

async function signInStatus(telltale: Telltale, secret: string) {
  const body = { email: guest.email, password: secret }
  return (await telltale.request('POST', '/api/v1/sign-in', { body })).status
}

describe('managed objects', () => {
  test('are read-only over HTTP', async () => {
    await using started = await startWith(declare(true))
    const { telltale } = started
    const { as, user, web, project, environment, member } = await look(telltale)
    expect([user, project, environment, web, member].map(({ managed }) => managed)).toEqual(
      Array(5).fill(true),
    )

    const refused: [string, string, object?][] = [
      ['PATCH', inShop, { name: 'Mine' }],
      ['DELETE', `${inShop}?confirm=shop`],
      ['PATCH', inProduction, { name: 'Mine' }],
      ['DELETE', `${inProduction}?confirm=production`],
      ['DELETE', `${inProduction}/keys/${web.id}`],
      ['POST', `${inProduction}/keys/${web.id}/rotate`, {}],
      ['PATCH', `${inShop}/members/${user.id}`, { role: 'admin' }],
      ['DELETE', `${inShop}/members/${user.id}`],
      ['PATCH', `/api/v1/users/${user.id}`, { name: 'Mine' }],
      ['DELETE', `/api/v1/users/${user.id}`],
    ]
    const before = await everything(telltale)
    for (const [method, path, body] of refused) {
      const answer = await telltale.request(method, path, { as, body })
      expect([answer.status, answer.body.type], `${method} ${path}`).toEqual([409, '/errors/managed'])
    }
    expect(await everything(telltale)).toEqual(before)
  })

  test('are reset to the file, with an entry and a version for each difference', async () => {
    await using started = await startWith(declare(false))
    const { telltale } = started
    const { as, user, web, jobs } = await look(telltale)
    const changes: [string, string, object?][] = [
      ['PATCH', inShop, { name: 'Mine', traceLink: null }],
      [
        'PATCH',
        inProduction,
        { timeZone: 'Asia/Tokyo', colour: 'teal', privacyRules: [], unmaskAllowed: true },
      ],
      ['DELETE', `${inProduction}/keys/${web.id}`],
      ['DELETE', `${inProduction}/keys/${jobs.id}`],
      ['PATCH', `${inShop}/members/${user.id}`, { role: 'viewer' }],
      ['PATCH', `/api/v1/users/${user.id}`, { name: 'Mine', role: 'owner', disabled: true }],
    ]
    for (const [method, path, body] of changes) {
      expect((await telltale.request(method, path, { as, body })).status, path).toBe(200)
    }

    await using restarted = await started.restart(declare(true))
    const now = await look(restarted)
    expect(now.project).toMatchObject({ name: 'Pedal & Post', traceLink, version: 3, managed: true })
    // Settings that the file does not declare keep the values set by members.
    expect(now.environment).toMatchObject({ timeZone: 'Europe/Berlin', colour: 'teal', version: 3 })
    expect(now.environment).toMatchObject({
      privacyRules: [{ selector: '#invoice', action: 'mask' }],
      unmaskAllowed: true,
    })
    expect(now.web).toMatchObject({ id: web.id, revokedAt: null, managed: true })
    expect(now.jobs).toMatchObject({ id: jobs.id, revokedAt: null, managed: true })
    expect(now.keys).toHaveLength(2)
    expect(now.member).toMatchObject({ role: 'maintainer', managed: true })
    expect(now.user).toMatchObject({ name: 'Noor', role: 'member', disabledAt: null, managed: true })
    expect(restarted.running.generatedKeys).toEqual([])

    const entries = await restarted.running.services.db.select().from(auditEntries)
    const last = entries.filter(
      ({ action, actor }) => actor.kind === 'setup-file' && action.endsWith('.update'),
    )
    expect(last.map(({ action }) => action).sort()).toEqual([
      'environment.update',
      'key.update',
      'key.update',
      'member.update',
      'project.update',
      'user.update',
    ])
    expect(last.find(({ action }) => action === 'project.update')?.changes).toEqual([
      { pointer: '/name', before: 'Mine', after: 'Pedal & Post' },
      { pointer: '/managed', before: false, after: true },
      { pointer: '/traceLink', after: traceLink },
    ])

    const before = await everything(restarted)
    await using again = await started.restart()
    expect(await everything(again)).toEqual(before)
  })

  test('are recreated when removed, with everything in the file', async () => {
    await using started = await startWith(declare(false))
    const { telltale } = started
    const { as, user, web } = await look(telltale)
    const removals = [`${inShop}?confirm=shop`, `/api/v1/users/${user.id}`]
    for (const path of removals) {
      expect((await telltale.request('DELETE', path, { as })).status).toBe(204)
    }

    await using restarted = await started.restart(declare(true))
    const now = await look(restarted)
    expect(now.user).toMatchObject({ name: 'Noor', managed: true })
    expect(now.web).toMatchObject({ value: 'known-client-key', managed: true })
    expect(now.web.id).not.toBe(web.id)
    expect(now.member).toMatchObject({ role: 'maintainer', managed: true })
    expect(restarted.running.generatedKeys).toMatchObject([{ label: 'Jobs' }])
  })

  test('restore their parents, even unmanaged ones', async () => {
    const declared: Declared = {
      owner,
      projects: [
        {
          key: 'shop',
          environments: [{ key: 'production', keys: [{ kind: 'client', value: 'known-client-key' }] }],
        },
      ],
    }
    await using started = await startWith(declared)
    const as = await started.telltale.person({ role: 'owner' })
    await started.telltale.request('DELETE', `${inShop}?confirm=shop`, { as })

    const [shop] = declared.projects ?? []
    await using restarted = await started.restart({
      ...declared,
      projects: shop ? [{ ...shop, manage: true }] : [],
    })
    expect((await look(restarted)).keys).toMatchObject([{ value: 'known-client-key', managed: false }])
  })

  test("restore an account's memberships", async () => {
    const members = [{ email: guest.email, role: 'editor' as const }]
    const declared: Declared = { owner, users: [guest], projects: [{ key: 'shop', members }] }
    await using started = await startWith(declared)
    const { as, user } = await look(started.telltale)
    await started.telltale.request('DELETE', `/api/v1/users/${user.id}`, { as })

    await using restarted = await started.restart({ ...declared, users: [{ ...guest, manage: true }] })
    expect((await look(restarted)).member).toMatchObject({ user: { email: guest.email }, role: 'editor' })
  })

  test('get the password of the file back, only if it differs', async () => {
    await using started = await startWith(declare(true))
    const { telltale } = started
    const { user } = await look(telltale)
    const passwordHash = await hashPassword('eleven old bicycles')
    await telltale.running.services.db.update(users).set({ passwordHash }).where(eq(users.id, user.id))
    expect(await signInStatus(telltale, 'eleven old bicycles')).toBe(200)

    await using restarted = await started.restart()
    expect(await signInStatus(restarted, 'eleven old bicycles')).toBe(401)
    expect(await signInStatus(restarted, guest.password)).toBe(200)
  })

  test('are released when the file no longer manages them', async () => {
    await using started = await startWith(declare(true))
    await using restarted = await started.restart(declare(false))
    const now = await look(restarted)
    const { user, project, environment, web, jobs, member } = now
    expect([user, project, environment, web, jobs, member].map(({ managed }) => managed)).toEqual(
      Array(6).fill(false),
    )
    expect(project).toMatchObject({ name: 'Pedal & Post', version: 2 })
    const answer = await restarted.request('PATCH', inShop, { as: now.as, body: { name: 'Mine' } })
    expect(answer.status).toBe(200)
  })

  test('are released when there is no file', async () => {
    await using started = await startWith(declare(true))
    await using restarted = await started.restart(null)
    const { user, project, environment, web, member } = await look(restarted)
    expect([user, project, environment, web, member].map(({ managed }) => managed)).toEqual(
      Array(5).fill(false),
    )
    expect(restarted.running.setupCode).toBeUndefined()
  })

  test('only cover the object itself', async () => {
    await using started = await startWith({
      owner: { ...owner, manage: true },
      projects: [{ key: 'shop', manage: true, environments: [{ key: 'production' }] }],
    })
    const { telltale } = started
    const { as, project, environment } = await look(telltale)
    expect([project.managed, environment.managed]).toEqual([true, false])
    expect((await telltale.request('DELETE', `${inProduction}?confirm=production`, { as })).status).toBe(204)

    await using restarted = await started.restart()
    expect((await restarted.request('GET', inProduction, { as })).status).toBe(404)
  })

  test('can make a member an owner, but not remove the last owner', async () => {
    await using started = await startWith(declare(true))
    const { telltale } = started
    const changed = declare(true)
    const [noor] = changed.users ?? []
    const asOwner = noor ? { ...changed, users: [{ ...noor, role: 'owner' as const }] } : changed
    await using second = await started.restart(asOwner)
    const noorNow = await look(second)
    expect(noorNow.user).toMatchObject({ role: 'owner' })

    const { db } = telltale.running.services
    await db.update(users).set({ role: 'member' }).where(ne(users.id, noorNow.user.id))
    const before = await everything(telltale)
    await expect(started.restart(changed)).rejects.toMatchObject({
      faults: [{ pointer: '/users/0/role', message: 'leaves the installation without an active owner' }],
    })
    expect(await everything(telltale)).toEqual(before)
  })
})
