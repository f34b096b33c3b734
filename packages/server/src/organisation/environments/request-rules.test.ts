import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'

let telltale: Telltale
let owner: SomePerson

beforeAll(async () => {
  telltale = await startTelltale()
  owner = await telltale.person({ role: 'owner' })
})

afterAll(() => telltale[Symbol.asyncDispose]())

const at = (project: string) => `/api/v1/projects/${project}/environments/staging`
const read = async (project: string) => (await telltale.request('GET', at(project), { as: owner })).body
const save = (project: string, body: object, as = owner) =>
  telltale.request('PATCH', at(project), { as, body })

const rule = { host: 'api.shop.example', path: '/v1/*', headers: ['content-type'], fields: ['items.name'] }

describe('what replays record of console and requests', () => {
  test('a new environment records neither', async () => {
    await telltale.project('plain')
    expect(await read('plain')).toMatchObject({ consoleRecorded: false, requestRules: [] })
  })

  test('rules are stored in one spelling, and replaced as a whole', async () => {
    await telltale.project('kept')
    const loud = { ...rule, host: ' API.Shop.example', headers: ['Content-Type', 'content-type'] }
    const saved = await save('kept', { consoleRecorded: true, requestRules: [loud] })
    expect(saved.body).toMatchObject({ consoleRecorded: true, requestRules: [rule] })
    await save('kept', { requestRules: [] })
    expect(await read('kept')).toMatchObject({ consoleRecorded: true, requestRules: [] })
  })

  test('every fault is named with its place, and nothing is saved', async () => {
    await telltale.project('faulty')
    const refused = await save('faulty', {
      consoleRecorded: true,
      requestRules: [
        rule,
        {
          host: 'https://x',
          path: 'v1',
          headers: ['etag', 'Authorization'],
          fields: ['a..b', 'user.password'],
        },
        rule,
      ],
    })
    expect(refused.body).toMatchObject({
      type: '/errors/invalid-request',
      errors: [
        { pointer: '/requestRules/1/host' },
        { pointer: '/requestRules/1/path', message: 'must start with /' },
        { pointer: '/requestRules/1/headers/1', message: 'is never recorded' },
        { pointer: '/requestRules/1/fields/0', message: 'must be names separated by dots, or *' },
        { pointer: '/requestRules/1/fields/1', message: 'is never recorded' },
        { pointer: '/requestRules/2/path', message: 'has a rule already' },
      ],
    })
    expect(await read('faulty')).toMatchObject({ consoleRecorded: false, requestRules: [] })
  })

  test('the audit log has one line per rule', async () => {
    await telltale.project('audited')
    const { id } = await read('audited')
    await save('audited', { consoleRecorded: true, requestRules: [rule] })
    const { body } = await telltale.request('GET', `/api/v1/audit?entity=environment&entityId=${id}`, {
      as: owner,
    })
    expect(body.items[0].changes).toEqual([
      { pointer: '/consoleRecorded', before: false, after: true },
      {
        pointer: '/requestRules',
        before: [],
        after: ['api.shop.example/v1/* headers content-type fields items.name'],
      },
    ])
  })

  test('who may not change the privacy level may not change these', async () => {
    await telltale.project('guarded')
    for (const role of ['viewer', 'editor', 'maintainer'] as const) {
      const person = await telltale.person({ in: { guarded: role } })
      for (const body of [{ consoleRecorded: true }, { requestRules: [rule] }]) {
        expect((await save('guarded', body, person)).body.type).toBe('/errors/forbidden')
      }
    }
    const admin = await telltale.person({ in: { guarded: 'admin' } })
    expect((await save('guarded', { consoleRecorded: true, requestRules: [rule] }, admin)).status).toBe(200)
  })

  test('the next configuration of browsers has them, with the names that the environment masks', async () => {
    await telltale.project('delivered')
    const keys = await telltale.request('GET', `${at('delivered')}/keys`, { as: owner })
    const capture = async () =>
      (await telltale.request('GET', `/sdk/v1/config?key=${keys.body.items[0].value}`, {})).body.capture
    await expect.poll(capture).toEqual({ console: false, requests: [], masked: [] })
    await save('delivered', {
      consoleRecorded: true,
      requestRules: [rule],
      scrub: { parameters: ['voucher'], attributes: ['plan'] },
    })
    await expect.poll(capture).toEqual({ console: true, requests: [rule], masked: ['voucher', 'plan'] })
  })
})
