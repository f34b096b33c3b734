// Profiles of many views, summed and compared: the most expensive function is found, and the one that a
// variation makes slower.

import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { profile, sendAttachment } from '../../../../../test/intake/attachments.ts'
import { sampleEverything } from '../../../../../test/intake/sample-everything.ts'
import { environments, type IntakeStage, openIntakeStage } from '../../../../../test/intake/stage.ts'

let stage: IntakeStage
const patience = { timeout: 20_000, interval: 50 }
const perSide = 40

/** `slow` takes 20 ms more in the treatment; `hot` takes the same in both. */
function tables(isTreatment: boolean, salt: number) {
  const hot = 100 + (salt % 5) * 10
  return {
    texts: ['main', 'https://shop.example/app.js', 'hot', 'slow'],
    frames: [0, 1, 1, 1, 2, 1, 10, 3, 3, 1, 20, 5],
    stacks: [0, -1, 1, 0, 2, 0],
    samples: [
      ...Array.from({ length: hot / 10 }, () => [10, 1]),
      ...Array.from({ length: (isTreatment ? 4 : 2) + (salt % 2) }, () => [10, 2]),
      ...[10, -1],
    ].flat(),
  }
}

beforeAll(async () => {
  stage = await openIntakeStage()
  const key = await sampleEverything(stage)
  const sent = Array.from({ length: 2 * perSide }, (_, index) => {
    const variation = index % 2 === 0 ? 'old' : 'new'
    const read = { flag: 'checkout', variation }
    const context = {
      session: newId(),
      page: '/cart',
      version: '1.0',
      reads: [read],
      anonymousId: `browser-${index}`,
    }
    return profile({}, { tables: tables(index % 2 === 1, index >> 1), context })
  })
  for (const body of sent) {
    const answer = await sendAttachment(stage.telltale.url, { kind: 'profile', body, key })
    if (answer.body.accepted !== 1) throw new Error(JSON.stringify(answer.body))
  }
})
afterAll(() => stage?.[Symbol.asyncDispose]())

const ask = async (path: string) =>
  (await stage.telltale.request('GET', `${environments}/development/profiles${path}`, { as: stage.owner }))
    .body
const cart = `filter=${encodeURIComponent('version:1.0')}&page=/cart`

test('a flame graph has every function once below its caller, and the hottest with most of the time', async () => {
  await expect.poll(async () => (await ask(`/flame-graph?${cart}`)).profiles, patience).toBe(2 * perSide)
  const graph = await ask(`/flame-graph?${cart}`)
  const named = graph.nodes.map((node: { frame: number }) => ({
    ...node,
    name: graph.frames[node.frame].function,
  }))
  const of = (name: string) => named.find((node: { name: string }) => node.name === name)
  expect(named.map(({ name }: { name: string }) => name).sort()).toEqual(['hot', 'main', 'slow'])
  expect(named[of('hot').parent].name).toBe('main')
  expect(of('main').totalMs).toBeCloseTo(graph.totalMs, 0)
  expect(of('hot').selfMs).toBeCloseTo(2 * perSide * 120, 0)
  expect(graph).toMatchObject({ sessions: 2 * perSide, restMs: 0, mapped: false })
  expect(graph.frames[of('hot').frame]).toEqual({
    function: 'hot',
    file: 'https://shop.example/app.js',
    line: 10,
    column: 3,
    version: '1.0',
    original: null,
  })
})

test('the difference of two variations names the function that got slower, and only that', async () => {
  const { control, treatment, frames, ...rest } = await ask(
    `/difference?${cart}&flag=checkout&control=old&treatment=new`,
  )
  expect(rest).toMatchObject({ comparable: false, enough: true })
  expect(control).toMatchObject({ variation: 'old', profiles: perSide, units: perSide })
  expect(treatment).toMatchObject({ variation: 'new', profiles: perSide, units: perSide })
  const [first, ...others] = frames
  expect(first.frame.function).toBe('slow')
  expect(first.self.change).toBeCloseTo(20, 5)
  expect(first.self).toMatchObject({ certain: true })
  expect(first.self.lower).toBeGreaterThan(0)
  for (const { frame, self } of others)
    expect([frame.function, self.certain]).toEqual([frame.function, false])
})

test('pages with their hottest functions; profiles of a session, and a single one by sample', async () => {
  const { pages } = await ask(`/pages?filter=${encodeURIComponent('version:1.0')}`)
  expect(pages).toMatchObject([{ page: '/cart', profiles: 2 * perSide }])
  expect(pages[0].hottest[0]).toMatchObject({ frame: { function: 'hot' } })
  const listed = await ask(`?${cart}&limit=3`)
  expect(listed.items).toHaveLength(3)
  const second = await ask(`?${cart}&limit=200&cursor=${listed.next}`)
  expect(second.items).toHaveLength(2 * perSide - 3)
  const [one] = listed.items
  expect(one.duration).toBe(5_000)
  expect((await ask(`?session=${one.session}`)).items).toEqual([one])

  const found = await ask(`/${one.id}`)
  expect(found).toMatchObject({ id: one.id, page: '/cart', duration: 5_000 })
  expect(found.samples[0]).toEqual({ at: 10, duration: 10, stack: 1 })
  expect(found.frames.map((frame: { function: string }) => frame.function)).toEqual(['main', 'hot', 'slow'])
  const other = await stage.telltale.request('GET', `${environments}/production/profiles/${one.id}`, {
    as: stage.owner,
  })
  expect(other.status).toBe(404)
})

test('flame graph and timeline of a profile count gaps alike: 120 ms without a sample, a pause of 510 ms, idle time', async () => {
  const key = await stage.clientKey('development')
  const session = newId()
  const samples = [10, 1, 10, 2, 120, 1, 10, 1, 510, 2, 10, -1, 300, 1]
  const body = profile({}, { tables: { ...tables(false, 0), samples }, context: { session, page: '/gaps' } })
  expect((await sendAttachment(stage.telltale.url, { kind: 'profile', body, key })).body.accepted).toBe(1)
  const listed = async () => (await ask(`?session=${session}`)).items
  await expect.poll(async () => (await listed()).length, { timeout: 20_000 }).toBe(1)
  const [one] = await listed()
  const shown = await ask(`/${one.id}`)
  const busy = shown.samples.filter(({ stack }: { stack: number }) => stack >= 0)
  const sum = busy.reduce((total: number, { duration }: { duration: number }) => total + duration, 0)
  expect(one.busyMs).toBe(sum)
  expect(sum).toBeLessThan(510)
})

test('what was profiled more often than usual does not count more: the weights of orders', async () => {
  const key = await stage.clientKey('development')
  const groups = [
    ...[{ variation: 'old', hot: 20, inclusion: 0.1, count: 4 }],
    ...[{ variation: 'old', hot: 10, inclusion: 0.1, count: 4 }],
    // Slow sessions of one arm alone are ordered: four times as likely, and four times as many.
    ...[{ variation: 'new', hot: 20, inclusion: 0.4, count: 16 }],
    ...[{ variation: 'new', hot: 10, inclusion: 0.1, count: 4 }],
  ]
  for (const { variation, hot, inclusion, count } of groups)
    for (let number = 0; number < count; number++) {
      const context = {
        // The first of all sample positions.
        session: `${newId().slice(0, -8)}00000000`,
        ...{ page: '/weighted', version: '2.0', anonymousId: `weighted-${variation}-${hot}-${number}` },
        ...{ reads: [{ flag: 'basket', variation }], inclusion: { replay: 1, profile: inclusion } },
      }
      const samples = Array.from({ length: hot }, () => [10, 1]).flat()
      const body = profile({}, { tables: { ...tables(false, 0), samples }, context })
      expect((await sendAttachment(stage.telltale.url, { kind: 'profile', body, key })).body.accepted).toBe(1)
    }
  const asked = `/difference?page=/weighted&flag=basket&control=old&treatment=new`
  await expect.poll(async () => (await ask(asked)).treatment.profiles, patience).toBe(20)
  const { control, treatment, all, frames } = await ask(asked)
  expect(control).toMatchObject({ profiles: 8, sessions: 8, units: 8 })
  expect(treatment).toMatchObject({ sessions: 20, units: 20 })
  expect(control.msPerProfile).toBeCloseTo(150, 3)
  expect(treatment.msPerProfile).toBeCloseTo(150, 3)
  expect(all.change).toBeCloseTo(0, 3)
  expect(frames[0].self.change).toBeCloseTo(0, 3)
  // As if all had been profiled alike: 28 profiles of 150 ms.
  const graph = await ask(`/flame-graph?page=/weighted`)
  expect(graph.profiles).toBe(28)
  expect(graph.totalMs).toBeCloseTo(28 * 150, 0)
})

test('event filters restrict profiles by their sessions', async () => {
  expect(
    (await ask(`/flame-graph?${cart}&filter=${encodeURIComponent('flag:checkout=new')}`)).profiles,
  ).toBeUndefined()
  const of = async (filter: string) =>
    (await ask(`/flame-graph?page=/cart&filter=${encodeURIComponent(filter)}`)).profiles
  expect(await of('flag:checkout=new')).toBe(perSide)
  expect(await of('-flag:checkout=new version:1.0')).toBe(perSide)
  expect(await of('country:DE')).toBe(0)
  expect(await of('errors:>0')).toBe(0)
})
