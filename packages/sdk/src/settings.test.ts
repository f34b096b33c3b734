import { afterEach, expect, test, vi } from 'vitest'
import { loadSettings, stricter } from './settings.ts'

const place = { url: 'https://telltale.example', key: 'web' }
const answer = (status: number, body: object) => async () => new Response(JSON.stringify(body), { status })

afterEach(() => vi.unstubAllGlobals())

test('of the application and the environment the stricter one decides', () => {
  const unrecorded = { replay: 0, profile: 0 }
  expect(stricter({})).toEqual({ sampling: 100, privacyLevel: 'mask-inputs', ...unrecorded })
  const given = { sampling: { session: 20 }, privacyLevel: 'mask-inputs' }
  expect(stricter({ sampling: 50, privacyLevel: 'allow' }, given)).toEqual({
    sampling: 20,
    privacyLevel: 'mask-inputs',
    ...unrecorded,
  })
  expect(stricter({}, { privacyLevel: 'allow' })).toEqual({
    sampling: 100,
    privacyLevel: 'allow',
    ...unrecorded,
  })
  expect(stricter({ sampling: 5, privacyLevel: 'mask-all' }, given)).toEqual({
    sampling: 5,
    privacyLevel: 'mask-all',
    ...unrecorded,
  })
})

test('what the environment wants masked is passed on as it was sent', () => {
  const masking = { permitsUnmask: true, rules: { mask: ['.iban'], unmask: [], block: [] } }
  expect(stricter({}, { privacyLevel: 'mask-all', masking })).toMatchObject({ masking })
  expect(stricter({})).not.toHaveProperty('masking')
})

test('a rejected key is distinguished from an unavailable server', async () => {
  expect(await loadSettings({ ...place, fetch: answer(401, {}), own: {} })).toBeUndefined()
  expect(await loadSettings({ ...place, fetch: answer(503, {}), own: { sampling: 10 } })).toMatchObject({
    sampling: 10,
  })
  const away = () => Promise.reject(new TypeError('failed to fetch'))
  expect(await loadSettings({ ...place, fetch: away, own: { sampling: 10 } })).toMatchObject({ sampling: 10 })
})

test('settings are kept for the next pages, also while the server is unavailable', async () => {
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => stored.set(name, text),
    removeItem: (name: string) => stored.delete(name),
  })
  const requested = vi.fn(
    answer(200, { sampling: { session: 30, replay: 10, profile: 1 }, privacyLevel: 'mask-all' }),
  )
  await loadSettings({ ...place, fetch: requested, own: {} })
  expect(await loadSettings({ ...place, fetch: requested, own: {} })).toEqual({
    sampling: 30,
    replay: 10,
    profile: 1,
    privacyLevel: 'mask-all',
  })
  expect(requested).toHaveBeenCalledTimes(1)
  expect(requested).toHaveBeenCalledWith('https://telltale.example/sdk/v1/config?key=web', {
    credentials: 'omit',
  })
})
