import { expect, test } from 'vitest'
import type { Frame } from '../../../api/issues.ts'
import { unmappedScripts, whyNot } from './why-not-mapped.ts'

const frame = (why: Frame['why'], more: Partial<Frame> = {}): Frame => ({
  function: 'q',
  file: 'https://shop.example/assets/app.js',
  line: 1,
  column: 9,
  original: null,
  why,
  nearest: null,
  ...more,
})

test('each script without a map is named once, unless a map would not help', () => {
  const scripts = unmappedScripts(
    [frame('not-uploaded'), frame('not-uploaded'), frame('no-script', { file: '' })],
    '1.4.0',
  )
  expect(scripts).toEqual([
    {
      file: '/assets/app.js',
      frames: 2,
      why: 'No source map has been uploaded for this script.',
      nearest: null,
    },
  ])
})

test('a map of another version is named with both versions', () => {
  const nearest = { file: '/assets/app.js', version: '1.3.0' }
  expect(whyNot(frame('other-version', { nearest }), '1.4.0')).toBe(
    'This error is from version 1.4.0, but the uploaded map is for version 1.3.0.',
  )
})

test("frames of packages need no maps if the application's frames are readable", () => {
  const vendor = frame('not-uploaded', { file: 'https://shop.example/assets/vendor-a1b2c3d4.js' })
  const place = { function: 'pay', file: 'src/pay.ts', line: 6, column: 3, code: null }
  expect(unmappedScripts([frame(null, { original: place }), vendor], '1.4.0')).toEqual([])
  expect(unmappedScripts([vendor], '1.4.0').map(({ file }) => file)).toEqual(['/assets/vendor-a1b2c3d4.js'])
})
