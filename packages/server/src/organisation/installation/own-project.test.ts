import { expect, test } from 'vitest'
import { startTelltale } from '../../../../../test/start.ts'

const on = { settings: { TELLTALE_OWN_PROJECT: 'on' } }
const owner = { name: 'Ada', email: 'ada@example.com', password: 'seven calm geese walk home' }

test('with its owner the installation gets its own project, whose flags the console evaluates', async () => {
  await using telltale = await startTelltale(on)
  const body = { code: telltale.running.setupCode, owner, project: { key: 'telltale', name: 'Ours' } }
  expect((await telltale.request('POST', '/api/v1/setup', { body })).status).toBe(201)

  const ada = await telltale.person({ role: 'owner' })
  const { projects, ownKey } = (await telltale.request('GET', '/api/v1/account', { as: ada })).body
  expect(projects).toMatchObject([
    { key: 'telltale', name: 'Ours', role: 'admin', own: false },
    { key: 'telltale-console', name: 'Telltale console', role: 'admin', own: true },
  ])

  const announcement = async () => {
    const answer = await telltale.request('POST', '/ofrep/v1/evaluate/flags/announcement', {
      headers: { authorization: `Bearer ${ownKey}` },
      body: { context: { targetingKey: ada.id } },
    })
    return answer.body.value
  }
  await expect.poll(announcement).toBe('')
  const config = '/api/v1/projects/telltale-console/environments/console/flags/announcement/config'
  const { savedAt: _at, salt: _salt, ...saved } = (await telltale.request('GET', config, { as: ada })).body
  await telltale.request('PUT', config, { as: ada, body: { ...saved, enabled: true } })
  await expect.poll(announcement).toMatch(/maintenance/)
})

test('members use its key without seeing it', async () => {
  await using telltale = await startTelltale(on)
  await telltale.request('POST', '/api/v1/setup', { body: { code: telltale.running.setupCode, owner } })
  const member = await telltale.person({})
  const { projects, ownKey } = (await telltale.request('GET', '/api/v1/account', { as: member })).body
  expect(projects).toEqual([])
  expect(ownKey).toMatch(/^tt_/)
  expect((await telltale.request('GET', '/api/v1/projects/telltale', { as: member })).status).toBe(404)
})

test('deleted by an owner it stays deleted, and its flags are not requested', async () => {
  await using telltale = await startTelltale(on)
  await telltale.request('POST', '/api/v1/setup', { body: { code: telltale.running.setupCode, owner } })
  const ada = await telltale.person({ role: 'owner' })
  const gone = await telltale.request('DELETE', '/api/v1/projects/telltale?confirm=telltale', { as: ada })
  expect(gone.status).toBe(204)

  await using again = await startTelltale({ ...on, beside: telltale })
  const { body } = await again.request('GET', '/api/v1/account', { as: ada })
  expect(body).toMatchObject({ projects: [], ownKey: null, ownMonitoring: false })
})

test('an installation can turn it off', async () => {
  await using telltale = await startTelltale({ settings: { TELLTALE_OWN_PROJECT: 'off' } })
  await telltale.request('POST', '/api/v1/setup', { body: { code: telltale.running.setupCode, owner } })
  const ada = await telltale.person({ role: 'owner' })
  const { body } = await telltale.request('GET', '/api/v1/account', { as: ada })
  expect(body).toMatchObject({ projects: [], ownKey: null, ownMonitoring: false })
})
