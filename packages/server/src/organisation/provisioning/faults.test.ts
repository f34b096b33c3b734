import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { limits } from '@telltale/core/limits'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { everything, owner } from '../../../../../test/setup-files.ts'
import { startTelltale, type Telltale } from '../../../../../test/start.ts'
import { SetupFileError } from './setup-file-error.ts'

// Each test starts several servers, and hashing passwords is slow.
vi.setConfig({ testTimeout: 30_000 })

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'telltale-'))
})
afterAll(() => rm(folder, { recursive: true }))

let telltale: Telltale
beforeEach(async () => {
  telltale = await startTelltale()
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await telltale[Symbol.asyncDispose]()
})

/** Starts with this file and existing data, checks that nothing was changed, and returns the faults. */
async function refusal(content: unknown): Promise<SetupFileError> {
  const before = await everything(telltale)
  const file = join(folder, 'setup.json')
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
  const start = startTelltale({ settings: { TELLTALE_SETUP: file }, beside: telltale })
  const error: unknown = await start.then(
    async (started) => started[Symbol.asyncDispose](),
    (reason: unknown) => reason,
  )
  expect(await everything(telltale)).toEqual(before)
  if (!(error instanceof SetupFileError)) throw error ?? new Error('the file was accepted')
  return error
}

/** The faults as lines, in any order. */
async function faults(content: unknown): Promise<string[]> {
  return (await refusal(content)).faults.map(({ pointer, message }) => `${pointer} ${message}`).sort()
}

const production = (members: object) => ({
  owner,
  projects: [{ key: 'shop', environments: [{ key: 'production', ...members }] }],
})
const inProduction = '/projects/0/environments/0'
const withKeys = (...keys: object[]) => production({ keys })

describe('a rejected file', () => {
  test('is not JSON, with line and column', async () => {
    const error = await refusal('{\n  "owner": \n}')
    expect(error.faults).toEqual([
      { pointer: '', message: 'is not JSON: value expected at line 3, column 1' },
    ])
  })

  test('has a duplicate member', async () => {
    const text = '{ "owner": { "email": "a@example.com", "email": "b@example.com" } }'
    expect(await faults(text)).toEqual(['/owner/email is duplicated'])
  })

  test('does not fit the schema', async () => {
    expect(
      await faults({
        owner: { email: 'nobody', password: 5, manage: 'yes' },
        users: [{ ...owner, role: 'king' }],
        projects: [{ key: 'Shop!', nme: 'Shop', members: [{ email: owner.email }] }],
        flags: [],
      }),
    ).toEqual([
      '/flags is unknown',
      '/owner/email must be an e-mail address',
      '/owner/manage must be boolean',
      '/owner/name is missing',
      '/owner/password is invalid',
      '/projects/0/key must match pattern "^[a-z0-9][a-z0-9._-]{0,63}$"',
      '/projects/0/members/0/role is missing',
      '/projects/0/nme is unknown',
      '/users/0/role must be one of owner, member',
    ])
    expect(await faults([])).toEqual([' must be object'])
    expect(await faults({})).toEqual(['/owner is missing'])
  })

  test('declares something twice: the second one is reported', async () => {
    const key = { kind: 'client', value: 'the-same-value' }
    expect(
      await faults({
        owner,
        users: [
          { email: 'noor@example.com', name: 'Noor', password: owner.password },
          { email: owner.email.toUpperCase(), name: 'Mara', password: owner.password },
        ],
        projects: [
          {
            key: 'shop',
            environments: [
              {
                key: 'production',
                keys: [key, { kind: 'server', label: 'A' }, { kind: 'server', label: 'A' }],
              },
              { key: 'production', keys: [key] },
            ],
            members: [
              { email: 'noor@example.com', role: 'viewer' },
              { email: 'Noor@example.com', role: 'admin' },
            ],
          },
          { key: 'shop', environments: [{ key: 'production' }] },
        ],
      }),
    ).toEqual([
      '/projects/0/environments/0/keys/2 is already declared at /projects/0/environments/0/keys/1',
      '/projects/0/environments/1/key is already declared at /projects/0/environments/0/key',
      '/projects/0/environments/1/keys/0/value is already declared at /projects/0/environments/0/keys/0/value',
      '/projects/0/members/1/email is already declared at /projects/0/members/0/email',
      '/projects/1/key is already declared at /projects/0/key',
      '/users/1/email is already declared at /owner/email',
    ])
  })

  test('references missing or empty environment variables', async () => {
    vi.stubEnv('TEST_EMPTY', '')
    expect(
      await faults({
        owner: { ...owner, password: { env: 'TEST_MISSING' } },
        projects: withKeys({ kind: 'client', value: { env: 'TEST_EMPTY' } }).projects,
      }),
    ).toEqual([
      '/owner/password/env the environment variable TEST_MISSING is missing or empty',
      `${inProduction}/keys/0/value/env the environment variable TEST_EMPTY is missing or empty`,
    ])
  })

  test('contains invalid keys', async () => {
    vi.stubEnv('TEST_SHORT', 'short')
    expect(
      await faults(
        withKeys(
          { kind: 'server', value: 'without-prefix' },
          { kind: 'client', value: 'ser.of-a-server' },
          { kind: 'client', value: { env: 'TEST_SHORT' } },
          { kind: 'client', value: 'with a space' },
          { kind: 'client', value: 'a'.repeat(201) },
          { kind: 'client', value: 'line-break\n' },
        ),
      ),
    ).toEqual([
      `${inProduction}/keys/0/value a server key begins with "ser."`,
      `${inProduction}/keys/1/value a client key does not begin with "ser."`,
      `${inProduction}/keys/2/value must have 8 characters or more`,
      `${inProduction}/keys/3/value may contain only letters, digits, dots, hyphens and underscores`,
      `${inProduction}/keys/4/value must have 200 characters or fewer`,
      `${inProduction}/keys/5/value may contain only letters, digits, dots, hyphens and underscores`,
    ])
  })

  test('contains weak or too long passwords', async () => {
    vi.stubEnv('TEST_WEAK', 'password1234')
    const user = (email: string, password: unknown) => ({ email, name: 'Someone', password })
    expect(
      await faults({
        owner: user('a@example.com', 'short'),
        users: [user('b@example.com', { env: 'TEST_WEAK' }), user('c@example.com', 'x y'.repeat(100))],
      }),
    ).toEqual([
      '/owner/password must have at least 12 characters',
      '/users/0/password is too common; choose another password',
      '/users/1/password must have 256 characters or fewer',
    ])
  })

  test('has settings that the schema cannot check', async () => {
    expect(
      await faults(
        production({
          timeZone: 'Europe/Atlantis',
          allowedOrigins: ['https://shop.example', 'https://sh*p.example'],
          approvalRequired: true,
        }),
      ),
    ).toEqual([
      `${inProduction}/allowedOrigins/1 must be an origin, such as https://shop.example or https://*.shop.example`,
      `${inProduction}/approvalRequired only a protected environment can require approval`,
      `${inProduction}/timeZone must be a valid IANA time zone`,
    ])
  })

  test('makes a member of an unknown account', async () => {
    const known = await telltale.person()
    const members = [owner.email, known.email, 'nobody@example.com'].map((email) => ({
      email,
      role: 'viewer',
    }))
    expect(await faults({ owner, projects: [{ key: 'shop', members }] })).toEqual([
      '/projects/0/members/2/email has no account and is not declared in this file',
    ])
  })

  test('contains a key of another environment', async () => {
    await telltale.project('old')
    const as = await telltale.person({ role: 'owner' })
    const path = '/api/v1/projects/old/environments/production/keys'
    const [key] = (await telltale.request('GET', path, { as })).body.items

    const error = await refusal(withKeys({ kind: 'client', value: key.value }))
    expect(error.faults).toEqual([
      { pointer: `${inProduction}/keys/0/value`, message: 'is a key of another environment' },
    ])
    expect(error.message).not.toContain(key.value)
  })

  test('exceeds limits, alone or with existing objects', async () => {
    const environments = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ key: `e${index}` }))
    const most = limits.environmentsPerProject
    expect(
      await faults({ owner, projects: [{ key: 'shop', environments: environments(most + 1) }] }),
    ).toEqual([expect.stringMatching(/^\/projects\/0\/environments must not have more than 50/)])

    await telltale.project('shop')
    expect(
      await faults({ owner, projects: [{ key: 'shop', environments: environments(most - 1) }] }),
    ).toEqual([
      `/projects/0/environments/47 A project has at most ${most} environments.`,
      `/projects/0/environments/48 A project has at most ${most} environments.`,
    ])
  })

  test('has faults of every kind: all are listed together', async () => {
    expect(
      await faults({
        owner: { ...owner, nickname: 'M' },
        users: [{ email: 'noor@example.com', name: 'Noor' }],
        projects: [
          {
            key: 'shop',
            name: '',
            environments: [
              {
                key: 'production',
                colour: 'beige',
                timeZone: 'Nowhere',
                keys: [{ kind: 'client', value: 'short' }],
              },
            ],
            members: [
              { email: 'noor@example.com', role: 'viewer' },
              { email: 'nobody@example.com', role: 'viewer' },
            ],
          },
        ],
      }),
    ).toEqual([
      '/owner/nickname is unknown',
      `${inProduction}/colour must be one of grey, blue, teal, green, amber, orange, red, violet`,
      `${inProduction}/keys/0/value must have 8 characters or more`,
      `${inProduction}/timeZone must be a valid IANA time zone`,
      '/projects/0/members/1/email has no account and is not declared in this file',
      '/projects/0/name must match pattern "\\S"',
      '/projects/0/name must not have fewer than 1 characters',
      '/users/0/password is missing',
    ])
  })
})

describe('the message', () => {
  test('has a safe line for each fault, without secrets', async () => {
    const error = await refusal({
      owner: { ...owner, password: 'tiny-secret' },
      'line\nbreak\u001b[31m': 1,
      projects: withKeys({ kind: 'server', value: 'secret-value' }).projects,
    })

    expect(error.message.split('\n')).toEqual([
      `The setup file ${join(folder, 'setup.json')} is invalid. Nothing was changed.`,
      '  /line\\u000abreak\\u001b[31m: is unknown',
      '  /owner/password: must have at least 12 characters',
      `  ${inProduction}/keys/0/value: a server key begins with "ser."`,
    ])
  })

  test('names an unreadable file', async () => {
    const missing = join(folder, 'missing.json')
    const start = startTelltale({ settings: { TELLTALE_SETUP: missing }, beside: telltale })
    await expect(start).rejects.toThrow(
      /setup file .*missing\.json is invalid.*\n {2}the file: cannot be read: ENOENT/,
    )
  })
})
