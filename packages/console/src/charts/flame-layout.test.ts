import { expect, test } from 'vitest'
import { growTree, layoutFlame, pathTo } from './flame-layout.ts'

const tree = growTree([
  { parent: -1, value: 100 },
  { parent: 0, value: 30 },
  { parent: 0, value: 60 },
  { parent: 2, value: 50 },
])

test('larger frames are first, each below its caller', () => {
  const boxes = layoutFlame(tree, 0, 200)
  expect(boxes.map(({ id, depth, x, width }) => [id, depth, x, width])).toEqual([
    [0, 0, 0, 200],
    [2, 1, 0, 120],
    [1, 1, 120, 60],
    [3, 2, 0, 100],
  ])
})

test('a zoomed node fills the width, with its callers above', () => {
  const boxes = layoutFlame(tree, 2, 120)
  expect(boxes.map(({ id, width, isAbove }) => [id, width, isAbove])).toEqual([
    [0, 120, true],
    [2, 120, false],
    [3, 100, false],
  ])
  expect(pathTo(tree.nodes, 3)).toEqual([0, 2, 3])
})

test('frames narrower than a pixel are merged and counted', () => {
  const small = Array.from({ length: 40 }, () => ({ parent: 0, value: 0.1 }))
  const boxes = layoutFlame(
    growTree([{ parent: -1, value: 100 }, { parent: 0, value: 90 }, ...small]),
    0,
    100,
  )
  expect(boxes.slice(1)).toMatchObject([
    { id: 1, width: 90, more: 0 },
    { id: 42, parent: 0, x: 90, width: expect.closeTo(4, 5), more: 40 },
  ])
})

test('an empty or unmeasured graph only has its root', () => {
  expect(layoutFlame(growTree([{ parent: -1, value: 0 }]), 0, 100)).toHaveLength(1)
  expect(layoutFlame(tree, 0, 0)).toHaveLength(1)
})
