import { expect, test } from 'vitest'
import { errorGroup } from './error-group.ts'
import { parseStack } from './stack.ts'

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

const environment = '0198a2c4-0000-7000-8000-000000000001'
const groupOf = (message: string, stack: string) =>
  errorGroup({ environment, type: 'TypeError', message, stack })

test('the same error of another build is the same issue', () => {
  const rebuilt = chromium.replaceAll('BdF3a9Zk', 'Qm-29xLp').replace(':12:34', ':13:1')
  expect(groupOf('a', chromium)).toBe(groupOf('b', rebuilt))
  expect(groupOf('a', chromium)).not.toBe(groupOf('a', chromium.replace('Checkout.pay', 'Checkout.close')))
})

test('without a stack, numbers and ids in the message make no new issue', () => {
  expect(groupOf('order 17 is gone', '')).toBe(groupOf('order 4711 is gone', ''))
  expect(groupOf('order 17 is gone', '')).not.toBe(groupOf('cart 17 is gone', ''))
})
