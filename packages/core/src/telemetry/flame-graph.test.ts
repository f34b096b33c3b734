import { expect, test } from 'vitest'
import { flameGraph } from './flame-graph.ts'

const stacks = [
  { frames: ['main', 'load', 'hot'], selfMs: 70, samples: 7 },
  { frames: ['main', 'load'], selfMs: 10, samples: 1 },
  { frames: ['main', 'hot'], selfMs: 20, samples: 2 },
]

test('a function appears once below each of its callers, with its total time', () => {
  const { frames, nodes, restMs } = flameGraph(stacks, 100)
  expect(frames).toEqual(['main', 'load', 'hot'])
  expect(nodes).toEqual([
    { frame: 0, parent: -1, selfMs: 0, totalMs: 100, samples: 0 },
    { frame: 1, parent: 0, selfMs: 10, totalMs: 80, samples: 1 },
    { frame: 2, parent: 1, selfMs: 70, totalMs: 70, samples: 7 },
    { frame: 2, parent: 0, selfMs: 20, totalMs: 20, samples: 2 },
  ])
  expect(restMs).toBe(0)
})

test('the smallest functions are omitted first, with their total time', () => {
  const { nodes, restMs } = flameGraph(stacks, 3)
  expect(nodes.map(({ totalMs, parent }) => [totalMs, parent])).toEqual([
    [100, -1],
    [80, 0],
    [70, 1],
  ])
  expect(restMs).toBe(20)
})
