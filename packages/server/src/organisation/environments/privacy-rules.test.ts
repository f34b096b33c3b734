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

const rules = [
  { selector: '.iban', action: 'mask' },
  { selector: 'main > h1', action: 'unmask' },
  { selector: '#chat', action: 'block' },
]

describe('what replays mask', () => {
  test('a new environment allows no unmasking and has no rules', async () => {
    await telltale.project('plain')
    expect(await read('plain')).toMatchObject({ unmaskAllowed: false, privacyRules: [] })
  })

  test('rules are stored in their order, trimmed, and replaced as a whole', async () => {
    await telltale.project('kept')
    const saved = await save('kept', {
      privacyRules: [{ selector: '  .a, .b ', action: 'mask' }, ...rules],
    })
    expect(saved.body.privacyRules).toEqual([{ selector: '.a, .b', action: 'mask' }, ...rules])
    expect(await read('kept')).toEqual(saved.body)

    await save('kept', { unmaskAllowed: true })
    expect((await read('kept')).privacyRules).toHaveLength(4)
    await save('kept', { privacyRules: [rules[2]] })
    expect(await read('kept')).toMatchObject({ unmaskAllowed: true, privacyRules: [rules[2]] })
  })

  test('every faulty rule is named with its place, and nothing is saved', async () => {
    await telltale.project('faulty')
    const selectors = ['.a', '.a { color: red }', ' .a', '   ', '.b\u0007', 'p::before']
    const refused = await save('faulty', {
      unmaskAllowed: true,
      privacyRules: selectors.map((selector) => ({ selector, action: 'block' })),
    })

    expect(refused.body).toMatchObject({
      type: '/errors/invalid-request',
      errors: [
        { pointer: '/privacyRules/1/selector', message: 'must not contain {' },
        { pointer: '/privacyRules/2/selector', message: 'has a rule already' },
        { pointer: '/privacyRules/3/selector', message: 'must not be empty' },
        { pointer: '/privacyRules/4/selector', message: 'contains an invalid character' },
        { pointer: '/privacyRules/5/selector', message: 'must match elements, not pseudo-elements' },
      ],
    })
    expect(await read('faulty')).toMatchObject({ unmaskAllowed: false, privacyRules: [] })
  })

  test('there are at most 50 rules, of at most 200 characters', async () => {
    await telltale.project('bounded')
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ selector: `.part-${index}`, action: 'mask' }))
    const long = (length: number) => [{ selector: `.${'a'.repeat(length - 1)}`, action: 'mask' }]

    expect((await save('bounded', { privacyRules: many(51) })).status).toBe(400)
    expect((await save('bounded', { privacyRules: long(201) })).status).toBe(400)
    expect((await save('bounded', { privacyRules: long(200) })).status).toBe(200)
    expect((await save('bounded', { privacyRules: many(50) })).status).toBe(200)
  })

  test('the audit log has one line per rule, and who allowed unmasking', async () => {
    await telltale.project('audited')
    const { id } = await read('audited')
    await save('audited', { unmaskAllowed: true, privacyRules: rules })
    await save('audited', { privacyRules: rules })
    const { body } = await telltale.request('GET', `/api/v1/audit?entity=environment&entityId=${id}`, {
      as: owner,
    })

    expect(body.items).toHaveLength(2)
    expect(body.items[0]).toMatchObject({
      action: 'environment.update',
      actor: { kind: 'user', id: owner.id },
      changes: [
        { pointer: '/unmaskAllowed', before: false, after: true },
        { pointer: '/privacyRules', before: [], after: ['mask .iban', 'unmask main > h1', 'block #chat'] },
      ],
    })
  })

  test('who may not change the privacy level may not change these', async () => {
    await telltale.project('guarded')
    for (const role of ['viewer', 'editor', 'maintainer'] as const) {
      const person = await telltale.person({ in: { guarded: role } })
      for (const body of [
        { privacyLevel: 'allow' },
        { unmaskAllowed: true },
        { privacyRules: rules },
      ] as const) {
        expect((await save('guarded', body, person)).body.type).toBe('/errors/forbidden')
      }
    }
    const admin = await telltale.person({ in: { guarded: 'admin' } })
    expect((await save('guarded', { unmaskAllowed: true, privacyRules: rules }, admin)).status).toBe(200)
  })
})

describe('what browsers get of it', () => {
  const configOf = async (project: string) => {
    const keys = await telltale.request('GET', `${at(project)}/keys`, { as: owner })
    return telltale.request('GET', `/sdk/v1/config?key=${keys.body.items[0].value}`, {})
  }

  test('the next configuration has the rules by action', async () => {
    await telltale.project('delivered')
    const none = { permitsUnmask: false, rules: { mask: [], unmask: [], block: [] } }
    await expect.poll(async () => (await configOf('delivered')).body.masking).toEqual(none)
    const tag = (await configOf('delivered')).headers.get('etag')

    await save('delivered', { unmaskAllowed: true, privacyRules: rules })
    await expect
      .poll(async () => (await configOf('delivered')).body.masking)
      .toEqual({
        permitsUnmask: true,
        rules: { mask: ['.iban'], unmask: ['main > h1'], block: ['#chat'] },
      })
    expect((await configOf('delivered')).headers.get('etag')).not.toBe(tag)
  })

  test('unmask rules are withheld while unmasking is not allowed', async () => {
    await telltale.project('withheld')
    await save('withheld', { privacyRules: rules })
    await expect
      .poll(async () => (await configOf('withheld')).body.masking)
      .toEqual({ permitsUnmask: false, rules: { mask: ['.iban'], unmask: [], block: ['#chat'] } })
  })
})
