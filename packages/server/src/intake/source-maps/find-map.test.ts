import { expect, test } from 'vitest'
import { findMap } from './find-map.ts'

const map = (file: string, version = '') => ({ id: `${file} ${version}`, file, version })
const page = 'https://shop.example/cart'
const found = (maps: ReturnType<typeof map>[], address: string, version = '1.0') => {
  const choice = findMap(maps, { address, version, page })
  return choice.kind === 'found' ? choice.map.id : choice.why
}

test('the version selects among maps of one script; a map without a version matches any', () => {
  const maps = [map('/app.js', '1.0'), map('/app.js', '1.1'), map('/app.js')]
  expect(found(maps, 'https://shop.example/app.js', '1.1')).toBe('/app.js 1.1')
  expect(found(maps, 'https://shop.example/app.js', '2.0')).toBe('/app.js ')
})

test('CDN folders, queries and a leading ~ are ignored', () => {
  expect(found([map('/assets/app.js')], 'https://cdn.example/shop/assets/app.js?v=2')).toBe('/assets/app.js ')
  expect(found([map('/static/assets/app.js')], 'https://shop.example/assets/app.js')).toBe(
    '/static/assets/app.js ',
  )
})

test('a partial name does not match', () => {
  expect(found([map('/my-app.js')], 'https://shop.example/app.js')).toBe('not-uploaded')
})

test('a hashed name is the same script in every version', () => {
  expect(
    found([map('/assets/app-B2c4D6f8.js', '1.0')], 'https://a.example/assets/app-B2c4D6f8.js', '9'),
  ).toBe('/assets/app-B2c4D6f8.js 1.0')
})

test('a missing map has a reason and the closest candidate', () => {
  expect(findMap([map('/app.js', '1.0')], { address: '/app.js', version: '1.1', page })).toEqual({
    kind: 'missing',
    why: 'other-version',
    nearest: map('/app.js', '1.0'),
  })
  expect(
    findMap([map('/admin/app.js')], { address: 'https://a.example/shop/app.js', version: '', page }),
  ).toMatchObject({ why: 'other-path', nearest: { file: '/admin/app.js' } })
})

test('frames that no map can resolve have a reason', () => {
  const maps = [map('/assets/app-B2c4D6f8.js', '1.0')]
  expect(found(maps, 'https://shop.example/assets/app-Zz91kk20.js')).toBe('other-build')
  expect(found(maps, 'https://shop.example/cart')).toBe('inline')
  expect(found(maps, 'https://ads.example/tag.js')).toBe('third-party')
  expect(found(maps, 'chrome-extension://abcdef/content.js')).toBe('third-party')
  expect(found(maps, 'https://shop.example/other.js')).toBe('not-uploaded')
  // Nothing was uploaded: that is the first thing to fix, wherever the scripts are served from.
  expect(found([], 'https://cdn.example/tag.js')).toBe('not-uploaded')
})
