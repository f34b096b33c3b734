import { beforeEach, expect, test, vi } from 'vitest'

const stored = new Map<string, string>()
const [tab, session] = ['a tab', 'a session']

beforeEach(() => {
  stored.clear()
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => stored.set(name, text),
  })
})

/** What it remembers beside the storage of the tab is the page's own. */
async function openPage() {
  vi.resetModules()
  const { takeTabNumber } = await import('./tab-number.ts')
  return (of = tab) => takeTabNumber('key', { tab: of, session })
}

test('the next page of a tab goes on counting, and so does one that comes back', async () => {
  const first = await openPage()
  expect([first(), first()]).toEqual([0, 1])
  const second = await openPage()
  expect([second(), second()]).toEqual([2, 3])
  expect(first()).toBe(4)
})

test('a frame that shares the storage of its tab takes no numbers from it', async () => {
  const page = await openPage()
  const frame = await openPage()
  expect([page(), page(), frame('a frame')]).toEqual([0, 1, 0])
  const next = await openPage()
  expect(next()).toBe(2)
})

test('without a storage a page counts by itself', async () => {
  vi.stubGlobal('sessionStorage', undefined)
  const page = await openPage()
  expect([page(), page()]).toEqual([0, 1])
})
