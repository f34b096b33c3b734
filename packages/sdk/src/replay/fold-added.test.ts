import { expect, test } from 'vitest'
import { type Added, foldAdded, foldRemoved } from './fold-added.ts'

const element = (id: number, more = {}) => ({ type: 2, id, tagName: 'p', childNodes: [], ...more })
const text = (id: number, more = {}) => ({ type: 3, id, textContent: 'a', ...more })

test('what stands in something that is added as well stands in it, in its order', () => {
  const adds: Added[] = [
    { parentId: 1, nextId: 9, node: element(2) },
    { parentId: 2, nextId: null, node: text(5) },
    { parentId: 2, nextId: 5, node: element(4) },
    { parentId: 2, nextId: 4, node: text(3) },
    { parentId: 4, nextId: null, node: text(6) },
  ]
  const folded = foldAdded(adds)
  expect(folded).toMatchObject([{ parentId: 1, nextId: 9, node: { id: 2 } }])
  expect(folded[0]?.node?.childNodes).toMatchObject([
    { id: 3 },
    { id: 4, childNodes: [{ id: 6 }] },
    { id: 5 },
  ])
})

test('a shadow tree stands beside what the page put in', () => {
  const adds: Added[] = [
    { parentId: 1, nextId: null, node: element(2) },
    { parentId: 2, nextId: null, node: text(3) },
    { parentId: 2, nextId: null, node: text(4, { isShadow: true }) },
  ]
  const [host] = foldAdded(adds)
  expect(host?.node?.childNodes?.map(({ id }) => id)).toEqual([3, 4])
})

test('what has a neighbour that was there before, and the page of a frame, stay by themselves', () => {
  const adds: Added[] = [
    { parentId: 1, nextId: null, node: element(2) },
    { parentId: 2, nextId: 99, node: text(3) },
    { parentId: 2, nextId: null, node: { type: 0, id: 4, childNodes: [] } },
  ]
  expect(foldAdded(adds)).toHaveLength(3)
})

test('what is removed of one parent is a list of steps from one to the next', () => {
  const removes = [
    { parentId: 1, id: 20 },
    { parentId: 1, id: 21 },
    { parentId: 1, id: 19 },
    { parentId: 1, id: 5, isShadow: true },
    { parentId: 2, id: 7 },
  ]
  expect(foldRemoved(removes)).toEqual([
    { parentId: 1, ids: [20, 1, -2] },
    { parentId: 1, id: 5, isShadow: true },
    { parentId: 2, id: 7 },
  ])
})
