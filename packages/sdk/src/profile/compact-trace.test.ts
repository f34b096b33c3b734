import { expect, test } from 'vitest'
import { compactTrace } from './compact-trace.ts'

test('every text and frame is stored once, callers first, and idle time is a single sample', () => {
  const trace = {
    resources: ['https://shop.example/app.js?v=1'],
    frames: [
      { name: 'pay', resourceId: 0, line: 3, column: 7 },
      { name: 'click', resourceId: 0, line: 9, column: 1 },
      { name: 'random' },
    ],
    stacks: [{ frameId: 0, parentId: 1 }, { frameId: 1 }, { frameId: 2, parentId: 0 }],
    samples: [
      { timestamp: 100 },
      { timestamp: 110, stackId: 2 },
      { timestamp: 120, stackId: 0 },
      { timestamp: 130 },
      { timestamp: 140 },
      { timestamp: 160, stackId: 0 },
    ],
  }
  expect(compactTrace(trace, { urlOf: (address) => address.split('?')[0] ?? '', offset: 100 })).toEqual({
    texts: ['click', 'https://shop.example/app.js', 'pay', 'random'],
    frames: [0, 1, 9, 1, 2, 1, 3, 7, 3, -1, 0, 0],
    stacks: [0, -1, 1, 0, 2, 1],
    samples: [10, 2, 10, 1, 10, -1, 30, 1],
  })
})
