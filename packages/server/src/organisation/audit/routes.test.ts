import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'
import { listAudit } from './list-audit.ts'

let telltale: Telltale
let owner: SomePerson

beforeAll(async () => {
  telltale = await startTelltale()
  owner = await telltale.person({ role: 'owner' })
})

afterAll(() => telltale[Symbol.asyncDispose]())

interface Entry {
  id: string
  at: string
  action: string
  projectId: string
}

async function auditOf(project: string, query = ''): Promise<{ items: Entry[]; next: string | null }> {
  const answer = await telltale.request('GET', `/api/v1/projects/${project}/audit${query}`, { as: owner })
  expect(answer.status).toBe(200)
  return answer.body
}

const actionsIn = ({ items }: { items: Entry[] }) => items.map(({ action }) => action)

test('all entries of a change have the same time, and pages neither repeat nor lose any', async () => {
  await telltale.project('paged')
  const whole = await auditOf('paged')
  expect(actionsIn(whole).sort()).toEqual([
    'environment.create',
    'environment.create',
    'environment.create',
    'key.create',
    'key.create',
    'key.create',
    'project.create',
  ])
  expect(new Set(whole.items.map((entry) => entry.at)).size).toBe(1)

  const read: Entry[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page = await auditOf('paged', `?limit=2${cursor && `&cursor=${cursor}`}`)
    read.push(...page.items)
    cursor = page.next
  }
  // Entries may have been sealed meanwhile.
  expect(read.map(({ id }) => id)).toEqual(whole.items.map(({ id }) => id))
})

test('a page is stable when entries are added', async () => {
  await telltale.project('moving')
  const first = await auditOf('moving', '?limit=3')
  await telltale.request('PATCH', '/api/v1/projects/moving', { as: owner, body: { name: 'Moved' } })
  const second = await auditOf('moving', `?limit=50&cursor=${first.next}`)

  expect(first.items.length + second.items.length).toBe(7)
  expect(actionsIn(await auditOf('moving', '?limit=1'))).toEqual(['project.update'])
})

test('entries are filtered by entity, actor and time', async () => {
  await telltale.project('found')
  const admin = await telltale.person({ in: { found: 'admin' } })
  telltale.passTime(60_000)
  const environment = await telltale.request('PATCH', '/api/v1/projects/found/environments/staging', {
    as: admin,
    body: { name: 'Rehearsal' },
  })
  telltale.passTime(60_000)
  await telltale.request('PATCH', '/api/v1/projects/found', { as: owner, body: { name: 'Found' } })
  const id = environment.body.id

  expect(actionsIn(await auditOf('found', '?entity=project'))).toEqual(['project.update', 'project.create'])
  expect(actionsIn(await auditOf('found', `?entity=environment&entityId=${id}`))).toEqual([
    'environment.update',
    'environment.create',
  ])
  expect(actionsIn(await auditOf('found', `?actor=${admin.id}`))).toEqual(['environment.update'])
  expect(await auditOf('found', '?entity=nothing')).toEqual({ items: [], next: null })

  const [middle] = (await auditOf('found', `?actor=${admin.id}`)).items
  const instant = middle?.at ?? ''
  expect(actionsIn(await auditOf('found', `?from=${instant}`))).toEqual([
    'project.update',
    'environment.update',
  ])
  expect(actionsIn(await auditOf('found', `?to=${instant}&entity=environment`))).toHaveLength(3)
  const later = new Date(Date.parse(instant) + 1).toISOString()
  expect(actionsIn(await auditOf('found', `?from=${instant}&to=${later}`))).toEqual(['environment.update'])
})

test('a search reads so many entries for a page, and the next page searches further back', async () => {
  await telltale.project('searched')
  await telltale.request('PATCH', '/api/v1/projects/searched', { as: owner, body: { name: 'Renamed' } })
  const { items } = await auditOf('searched')
  const { db } = telltale.running.services
  const projectId = items[0]?.projectId ?? ''
  const within = { projectId, searched: 3 }
  const found: string[][] = []
  let cursor: string | null | undefined
  while (cursor !== null) {
    const page = await listAudit(db, { q: 'project', ...(cursor && { cursor }) }, within)
    found.push(page.items.map(({ action }) => action))
    cursor = page.next
  }
  expect(found.flat()).toEqual(['project.update', 'project.create'])
  expect(found.length).toBeGreaterThan(2)
  expect((await listAudit(db, { q: 'project' }, { projectId })).next).toBeNull()
})

test("a token acts under its own name and its owner's", async () => {
  await telltale.project('scripted')
  const admin = await telltale.person({ in: { scripted: 'admin' } })
  const token = await telltale.token(admin, { role: 'admin', project: 'scripted' })
  await telltale.request('PATCH', '/api/v1/projects/scripted', { as: token, body: { name: 'By script' } })

  const { body } = await telltale.request('GET', `/api/v1/audit?actor=${token.id}`, { as: owner })
  expect(body.items).toMatchObject([
    {
      action: 'project.update',
      actor: { kind: 'token', id: token.id, name: expect.stringMatching(/^Test \(/) },
    },
  ])
})

test('every entry has its request id', async () => {
  await telltale.project('traced')
  const [entry] = (await auditOf('traced')).items

  expect(entry).toMatchObject({ requestId: expect.stringMatching(/./), reason: null })
})

test('a project shows its own entries only; the installation shows all, to owners', async () => {
  await telltale.project('mine')
  await telltale.project('yours')
  const maintainer = await telltale.person({ in: { mine: 'maintainer' } })

  const own = await telltale.request('GET', '/api/v1/projects/mine/audit', { as: maintainer })
  expect(own.body.items.every((entry: { project: string }) => entry.project === 'mine')).toBe(true)
  expect((await telltale.request('GET', '/api/v1/projects/yours/audit', { as: maintainer })).status).toBe(404)
  expect((await telltale.request('GET', '/api/v1/audit', { as: maintainer })).status).toBe(403)

  const all = await telltale.request('GET', '/api/v1/audit?limit=200', { as: owner })
  const projects = all.body.items.map((entry: { project: string | null }) => entry.project)
  expect(projects).toEqual(expect.arrayContaining(['mine', 'yours']))
})

test('deleted entities stay in the log of the installation', async () => {
  await telltale.project('gone')
  await telltale.request('DELETE', '/api/v1/projects/gone?confirm=gone', { as: owner })

  const { body } = await telltale.request('GET', '/api/v1/audit?entity=project&limit=1', { as: owner })
  expect(body.items).toMatchObject([{ action: 'project.delete', project: 'gone', entity: { name: 'gone' } }])
})

test('an invalid cursor, and an invalid instant, are errors of the request', async () => {
  await telltale.project('odd')
  const forged = Buffer.from(JSON.stringify({ after: "' OR 1=1" })).toString('base64url')

  for (const [query, pointer] of [
    ['cursor=nonsense', '?cursor'],
    [`cursor=${forged}`, '?cursor'],
    ['from=yesterday', '?from'],
    ['from=2016-12-31T23:59:60Z', '?from'],
    ['to=0000-01-01T00:00:00Z', '?to'],
    ['limit=201', '?limit'],
    ['colour=red', '?colour'],
  ]) {
    const refused = await telltale.request('GET', `/api/v1/projects/odd/audit?${query}`, { as: owner })
    expect(refused.status, query).toBe(400)
    expect(refused.body.errors[0].pointer).toBe(pointer)
  }
})

test('the link of a project to traces elsewhere is validated, audited and set by admins', async () => {
  await telltale.project('linked')
  const path = '/api/v1/projects/linked'
  const admin = await telltale.person({ in: { linked: 'admin' } })
  const maintainer = await telltale.person({ in: { linked: 'maintainer' } })
  const patch = (traceLink: unknown, as = admin) =>
    telltale.request('PATCH', path, { as, body: { traceLink } })

  const link = 'https://tempo.example/trace/{traceId}?orgId=1'
  expect((await patch(link, maintainer)).status).toBe(403)
  const refused = [
    'https://tempo.example/trace',
    'tempo.example/{traceId}',
    'javascript:alert("{traceId}")',
    'https://{traceId}.tempo.example/',
    'https://tempo.example@{traceId}/',
    'https://tempo.example/a trace/{traceId}',
    `https://tempo.example/{traceId}/${'x'.repeat(2_000)}`,
    '',
    7,
  ]
  for (const value of refused) {
    const answer = await patch(value)
    expect([answer.status, answer.body.errors?.[0].pointer], String(value)).toEqual([400, '/traceLink'])
  }

  expect((await patch(link)).body).toMatchObject({ traceLink: link, version: 2 })
  expect((await patch(link)).body.version).toBe(2)
  const renamed = await telltale.request('PATCH', path, { as: admin, body: { name: 'Traced' } })
  expect(renamed.body).toMatchObject({ name: 'Traced', traceLink: link })
  expect((await patch(null)).body).toMatchObject({ name: 'Traced', traceLink: null })
  expect((await auditOf('linked', '?entity=project&limit=3')).items).toMatchObject([
    { changes: [{ pointer: '/traceLink', before: link }] },
    { changes: [{ pointer: '/name' }] },
    { changes: [{ pointer: '/traceLink', after: link }] },
  ])
})
