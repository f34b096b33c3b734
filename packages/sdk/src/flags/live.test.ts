import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startLive } from './live.ts'
import type { SharedAnswer } from './room.ts'

/** The tabs of one browser: locks, channels and streams, as far as they are used. */
class FakeSource extends EventTarget {
  static all: FakeSource[] = []
  onopen = () => {}
  onmessage = (_event: { data: string }) => {}
  onerror = () => {}
  isClosed = false
  constructor() {
    super()
    FakeSource.all.push(this)
  }
  close() {
    this.isClosed = true
  }
  static open = () => FakeSource.all.filter(({ isClosed }) => !isClosed)
}

class FakeChannel {
  static all = new Set<FakeChannel>()
  onmessage: (event: { data: unknown }) => void = () => {}
  constructor() {
    FakeChannel.all.add(this)
  }
  postMessage(data: unknown) {
    for (const other of FakeChannel.all) if (other !== this) other.onmessage({ data: structuredClone(data) })
  }
  close() {
    FakeChannel.all.delete(this)
  }
}

function fakeLocks() {
  const queue: (() => Promise<void>)[] = []
  const next = async (): Promise<void> => {
    await queue[0]?.()
    queue.shift()
    if (queue.length > 0) await next()
  }
  return {
    request: (_name: string, _options: object, callback: () => Promise<void>) => {
      queue.push(callback)
      if (queue.length === 1) void next()
      return Promise.resolve()
    },
  }
}

let page: EventTarget & { hidden: boolean }

beforeEach(() => {
  vi.useFakeTimers()
  FakeSource.all = []
  FakeChannel.all.clear()
  page = Object.assign(new EventTarget(), { hidden: false })
  const globals = new EventTarget()
  vi.stubGlobal('document', page)
  vi.stubGlobal('self', { EventSource: FakeSource, BroadcastChannel: FakeChannel })
  vi.stubGlobal('EventSource', FakeSource)
  vi.stubGlobal('BroadcastChannel', FakeChannel)
  vi.stubGlobal('navigator', { locks: fakeLocks() })
  vi.stubGlobal('addEventListener', globals.addEventListener.bind(globals))
  vi.stubGlobal('removeEventListener', globals.removeEventListener.bind(globals))
  for (const event of ['visibilitychange', 'freeze']) {
    page.addEventListener(event, () => globals.dispatchEvent(new Event(event)))
  }
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const tagOf = (version: string) => `"${version}.e.f"`
const message = (version: string) => ({ data: JSON.stringify({ version, flags: ['banner'] }) })

function openTab(request = 'mine') {
  const tab = { planned: [] as number[], rests: 0, accepted: [] as SharedAnswer[] }
  const live = startLive({
    url: 'https://telltale.example',
    key: 'key',
    isFailing: () => false,
    plan: (delay) => tab.planned.push(delay),
    rest: () => {
      tab.rests += 1
    },
    accept(answer) {
      if (answer[0] !== request) return false
      tab.accepted.push(answer)
      return true
    },
  })
  live.share([request, tagOf('v1'), { flags: [] }])
  tab.accepted = []
  tab.rests = 0
  return { ...live, tab }
}

function hide(hidden: boolean) {
  page.hidden = hidden
  page.dispatchEvent(new Event('visibilitychange'))
}

test('one of many tabs has the stream, all get changes, and the leader requests first', () => {
  const [first, ...others] = [openTab(), openTab(), openTab()]
  expect(FakeSource.open()).toHaveLength(1)
  FakeSource.open()[0]?.onopen()
  expect([first, ...others].every((each) => each?.isOpen())).toBe(true)

  FakeSource.open()[0]?.onmessage(message('v2'))
  expect(first?.tab.planned).toHaveLength(1)
  expect(first?.tab.planned[0]).toBeLessThan(500)
  for (const { tab } of others) expect(tab.planned[0]).toBeGreaterThanOrEqual(500)
})

test('a version that is already loaded causes no request', () => {
  const { tab } = openTab()
  FakeSource.open()[0]?.onmessage(message('v1'))
  expect(tab.planned).toEqual([])
})

test("a tab's response serves other tabs with the same request, and no others", () => {
  const [first, same, other] = [openTab(), openTab(), openTab('theirs')]
  FakeSource.open()[0]?.onmessage(message('v2'))
  const answer = { flags: [{ key: 'banner', value: 'Sale' }] }
  first?.share(['mine', tagOf('v2'), answer])
  expect(same?.tab).toMatchObject({ accepted: [['mine', tagOf('v2'), answer]], rests: 1 })
  expect(other?.tab).toMatchObject({ accepted: [], rests: 0 })
})

test('a response from before the announced change is rejected', () => {
  const [first, second] = [openTab(), openTab()]
  const isOvertaken = second?.begin()
  FakeSource.open()[0]?.onmessage(message('v2'))
  first?.share(['mine', tagOf('v1'), { flags: [] }])
  expect(second?.tab.accepted).toEqual([])
  expect(isOvertaken?.(['mine', tagOf('v0'), { flags: [] }])).toBe(true)
  expect(isOvertaken?.(['mine', tagOf('v2'), { flags: [] }])).toBe(false)
})

test('when the leading tab closes, another one opens the stream', async () => {
  const [first, second] = [openTab(), openTab()]
  first?.stop()
  await vi.advanceTimersByTimeAsync(0)
  expect(FakeSource.all).toHaveLength(2)
  expect(FakeSource.open()).toHaveLength(1)
  second?.stop()
  expect(FakeSource.open()).toHaveLength(0)
})

test('a lost stream is retried with backoff, and the tabs poll meanwhile', async () => {
  const { tab, isOpen } = openTab()
  FakeSource.open()[0]?.onopen()
  for (let attempt = 0; attempt < 12; attempt++) {
    FakeSource.open()[0]?.onerror()
    expect(isOpen()).toBe(false)
    expect(FakeSource.open()).toHaveLength(0)
    await vi.advanceTimersByTimeAsync(60_000)
  }
  expect(tab.planned).toHaveLength(12)
  expect(tab.rests).toBe(0)
  // Twelve losses in twelve minutes: never more than one attempt for each.
  expect(FakeSource.all).toHaveLength(13)
})

test('a page that stays hidden closes the stream, and requests again when shown', async () => {
  const { tab, isIdle } = openTab()
  hide(true)
  expect(isIdle()).toBe(true)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(FakeSource.open()).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(31_000)
  expect(FakeSource.open()).toHaveLength(0)
  hide(false)
  await vi.advanceTimersByTimeAsync(0)
  expect(FakeSource.open()).toHaveLength(1)
  expect(tab.planned).toContain(0)
  expect(isIdle()).toBe(false)
})

test('a page about to be frozen closes the stream immediately', async () => {
  openTab()
  page.dispatchEvent(new Event('freeze'))
  expect(FakeSource.open()).toHaveLength(0)
  hide(false)
  await vi.advanceTimersByTimeAsync(0)
  expect(FakeSource.open()).toHaveLength(1)
})

test('without the Locks API there is no stream', () => {
  vi.stubGlobal('navigator', {})
  const { isOpen } = openTab()
  expect(FakeSource.all).toEqual([])
  expect(isOpen()).toBe(false)
})
