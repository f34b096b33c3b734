import { expect, test } from 'vitest'
import { parseComponentStack, parseStack } from './stack.ts'

const chromium = `TypeError: x is undefined
    at Checkout.pay (https://shop.example/assets/app-BdF3a9Zk.js:12:34)
    at async https://shop.example/assets/app-BdF3a9Zk.js:1:2
    at new Promise (<anonymous>)
    at Array.map (native)`
const gecko = `pay@https://shop.example/assets/app-BdF3a9Zk.js:12:34
@https://shop.example/assets/app-BdF3a9Zk.js:1:2
forEach@[native code]
global code@https://shop.example/`

test('frames of Chromium', () => {
  const file = 'https://shop.example/assets/app-BdF3a9Zk.js'
  expect(parseStack(chromium)).toEqual([
    { function: 'Checkout.pay', file, line: 12, column: 34 },
    { function: '', file, line: 1, column: 2 },
    { function: 'new Promise', file: '', line: 0, column: 0 },
    { function: 'Array.map', file: '', line: 0, column: 0 },
  ])
})

test('frames of Firefox and Safari', () => {
  const file = 'https://shop.example/assets/app-BdF3a9Zk.js'
  expect(parseStack(gecko)).toEqual([
    { function: 'pay', file, line: 12, column: 34 },
    { function: '', file, line: 1, column: 2 },
    { function: 'forEach', file: '', line: 0, column: 0 },
    { function: 'global code', file: 'https://shop.example/', line: 0, column: 0 },
  ])
  expect(parseStack('no user mara@shop.example')).toEqual([])
})

test('React component stacks of each browser, with the elements between components', () => {
  const file = 'https://shop.example/assets/app-BdF3a9Zk.js'
  const expected = [
    { function: 'Cart', file, line: 12, column: 34 },
    { function: 'div', file: '', line: 0, column: 0 },
    { function: 'my-panel', file: '', line: 0, column: 0 },
    { function: 'Suspense', file: '', line: 0, column: 0 },
  ]
  const chromium = `\n    at Cart (${file}:12:34)\n    at div (<anonymous>)\n    at my-panel\n    at Suspense (<anonymous>)`
  const gecko = `\nCart@${file}:12:34\ndiv@unknown:0:0\nmy-panel\nSuspense@unknown:0:0`
  expect(parseComponentStack(chromium)).toEqual(expected)
  expect(parseComponentStack(gecko)).toEqual(expected)
})
