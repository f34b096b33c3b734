import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'

let telltale: Telltale
let owner: SomePerson
beforeAll(async () => {
  telltale = await startTelltale()
  owner = await telltale.person({ role: 'owner', email: 'owner@example.com' })
})
afterAll(() => telltale[Symbol.asyncDispose]())

const patch = (id: string, body: object, as = owner) =>
  telltale.request('PATCH', `/api/v1/users/${id}`, { as, body })
const remove = (id: string, as = owner) => telltale.request('DELETE', `/api/v1/users/${id}`, { as })

test('the last owner can be neither demoted, disabled nor deleted', async () => {
  for (const answer of [
    await patch(owner.id, { role: 'member' }),
    await patch(owner.id, { disabled: true }),
    await remove(owner.id),
  ]) {
    expect(answer.body).toMatchObject({ status: 409, type: '/errors/last-owner' })
  }
})

test('of two owners who demote each other concurrently, one stays', async () => {
  await using other = await startTelltale()
  const [first, second] = [await other.person({ role: 'owner' }), await other.person({ role: 'owner' })]
  const demote = (id: string, as: SomePerson) =>
    other.request('PATCH', `/api/v1/users/${id}`, { as, body: { role: 'member' } })

  const answers = await Promise.all([demote(second.id, first), demote(first.id, second)])
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('disabling ends sessions and tokens immediately, enabling restores the account', async () => {
  await telltale.project('web')
  const person = await telltale.person({ in: { web: 'editor' } })
  const token = await telltale.token(person, { role: 'editor', project: 'web' })
  const look = (as: { headers: Record<string, string> }) =>
    telltale.request('GET', '/api/v1/projects/web', { as })
  expect((await look(person)).status).toBe(200)
  expect((await look(token)).status).toBe(200)

  await patch(person.id, { disabled: true })
  expect((await look(person)).status).toBe(401)
  expect((await look(token)).status).toBe(401)

  await patch(person.id, { disabled: false })
  expect((await look(token)).status).toBe(200)
})

test('a deleted account is gone, and the audit log keeps the name', async () => {
  const person = await telltale.person({ email: 'gone@example.com' })
  expect((await remove(person.id)).status).toBe(204)
  expect((await telltale.request('GET', `/api/v1/users/${person.id}`, { as: owner })).status).toBe(404)

  const { body } = await telltale.request('GET', `/api/v1/audit?entity=user&entityId=${person.id}`, {
    as: owner,
  })
  expect(body.items[0]).toMatchObject({ action: 'user.delete', entity: { name: 'gone@example.com' } })
})

test('the list can be searched, and paged without gaps or duplicates', async () => {
  for (let index = 0; index < 25; index++) await telltale.person({ email: `Page${index}@example.com` })

  const seen: string[] = []
  let cursor = ''
  do {
    const { body } = await telltale.request('GET', `/api/v1/users?search=PAGE&limit=4${cursor}`, {
      as: owner,
    })
    seen.push(...body.items.map((user: { email: string }) => user.email))
    cursor = body.next === null ? '' : `&cursor=${body.next}`
  } while (cursor !== '')
  expect(seen).toHaveLength(25)
  expect(new Set(seen).size).toBe(25)
  expect((await telltale.request('GET', '/api/v1/users?search=%25', { as: owner })).body.items).toEqual([])
})
