import { expect, test } from 'vitest'
import { foldProfile } from '../fold-profile.ts'
import { convertProfile } from './convert-profile.ts'

const clocks = (relative: number) => ({ relative, timeStamp: 1_000_000 + relative })
const [home, basket] = ['de7abbce-06cc-4847-ac73-fe5bff95a379', '7dfa3480-a06e-45a8-b0ee-a2dc40d0b649']

const trace = {
  resources: ['https://shop.example/app.js'],
  frames: [
    { name: 'pay', resourceId: 0, line: 3, column: 7 },
    { name: '', resourceId: 0, line: 9, column: 1 },
    { name: 'now' },
  ],
  // In Datadog's format a caller may follow its callees.
  stacks: [{ frameId: 0, parentId: 2 }, { frameId: 2, parentId: 0 }, { frameId: 1 }],
  samples: [
    { timestamp: 100.4, stackId: 0 },
    { timestamp: 110.4, stackId: 1 },
    { timestamp: 120.4 },
    { timestamp: 130.4 },
    { timestamp: 205.4, stackId: 2 },
    { timestamp: 215.4, stackId: 2 },
  ],
  sampleInterval: 10,
  startClocks: clocks(90),
  endClocks: clocks(1_000),
  clocksOrigin: clocks(0),
  longTasks: [{ id: 'x', duration: 70.4, entryType: 'long-task', startClocks: clocks(250) }],
  views: [
    { viewId: basket, viewName: '/basket', startClocks: clocks(200) },
    { viewId: home, viewName: '/', startClocks: clocks(0) },
  ],
}
const options = { interval: 10, cleanName: (name: string) => name, cleanFile: (file: string) => file }

test('a profile of two views becomes two, each with its samples, long tasks and stacks', () => {
  const [first, second, ...others] = convertProfile(trace) ?? []
  expect(others).toEqual([])
  expect(first).toMatchObject({ view: home, name: '/', startedAt: 1_000_090, duration: 110, interval: 10 })
  expect(first?.tables.samples).toEqual([10, 1, 10, 2, 10, -1])
  expect(second).toMatchObject({ view: basket, startedAt: 1_000_200, tables: { longFrames: [50, 70] } })
  expect(second?.tables.texts).toEqual(['', 'https://shop.example/app.js'])
  expect(first && foldProfile(first.tables, options)).toEqual([
    {
      frames: [
        { name: '', file: 'https://shop.example/app.js', line: 9, column: 1 },
        { name: 'pay', file: 'https://shop.example/app.js', line: 3, column: 7 },
      ],
      selfMs: 10,
      samples: 1,
    },
    {
      frames: [
        { name: '', file: 'https://shop.example/app.js', line: 9, column: 1 },
        { name: 'pay', file: 'https://shop.example/app.js', line: 3, column: 7 },
        { name: 'now', file: '', line: 0, column: 0 },
      ],
      selfMs: 10,
      samples: 1,
    },
  ])
})

test('a view without samples has no profile; without views the whole is one', () => {
  const idle = { ...trace, samples: trace.samples.slice(0, 4) }
  expect(convertProfile(idle)?.map(({ view }) => view)).toEqual([home])
  expect(convertProfile({ ...trace, views: undefined })).toMatchObject([{ view: undefined, duration: 910 }])
})

test('recursive, dangling and malformed profiles are rejected', () => {
  const of = (stacks: unknown, samples: unknown = trace.samples) => ({ ...trace, stacks, samples })
  for (const broken of [
    ...[null, 7, [], {}, { ...trace, startClocks: null }, { ...trace, endClocks: clocks(0) }],
    { ...trace, endClocks: clocks(9e9) },
    of([{ frameId: 0, parentId: 0 }]),
    of([
      { frameId: 0, parentId: 1 },
      { frameId: 0, parentId: 0 },
    ]),
    of([{ frameId: 0, parentId: 99 }]),
    of([{ frameId: 99 }]),
    of('stacks'),
  ]) {
    expect(convertProfile(broken)).toBeUndefined()
  }
  expect(convertProfile(of([], [null, {}, { timestamp: 'x' }]))).toEqual([])
})
