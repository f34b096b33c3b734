import { expect, test } from 'vitest'
import type { Frame } from '../../../api/issues.ts'
import { locationText } from '../../../ui/text/script-place.ts'
import { foldFrames, isLibrary, stackAsText } from './fold-frames.ts'

const frame = (file: string, more: Partial<Frame> = {}): Frame => ({
  function: 'f',
  file: 'https://shop.example/app.js',
  line: 1,
  column: 9,
  why: null,
  nearest: null,
  original: { function: 'pay', file, line: 6, column: 3, code: null },
  ...more,
})

test('consecutive frames of packages are folded, frames of the application are not', () => {
  const groups = foldFrames([
    frame('../src/pay.ts'),
    frame('../node_modules/react-dom/index.js'),
    frame('../node_modules/scheduler/index.js'),
    frame('../src/app.ts'),
    frame('', { original: null, why: 'no-script', file: '' }),
  ])
  expect(groups.map((group) => (group.kind === 'own' ? 'own' : group.frames.length))).toEqual([
    'own',
    2,
    'own',
    1,
  ])
})

test('an unmapped frame belongs to the application unless its URL says otherwise', () => {
  const raw = (file: string) => frame('', { original: null, why: 'not-uploaded', file })
  expect(isLibrary(raw('https://shop.example/assets/app-B7c1f0aZ.js'))).toBe(false)
  expect(isLibrary(raw('https://shop.example/assets/vendor-B7c1f0aZ.js'))).toBe(true)
  expect(isLibrary(raw('chrome-extension://abc/inject.js'))).toBe(true)
})

test('a location is shown without the common origin', () => {
  const at = (file: string) => locationText({ file, line: 6, column: 3 })
  expect(at('webpack://shop/./src/pay.ts')).toBe('src/pay.ts:6:3')
  expect(at('../../src/pay.ts')).toBe('src/pay.ts:6:3')
  expect(at('https://shop.example/assets/app.js?v=1')).toBe('/assets/app.js:6:3')
  expect(locationText({ file: '', line: 0, column: 0 })).toBe('browser')
})

test('the copied stack has mapped names', () => {
  expect(stackAsText('TypeError: no', [frame('../src/pay.ts')])).toBe(
    'TypeError: no\n    at pay (src/pay.ts:6:3)',
  )
})
