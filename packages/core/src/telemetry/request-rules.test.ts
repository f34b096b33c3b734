import { expect, test } from 'vitest'
import { allowedOf, fieldFault, headerFault, hostFault, pathFault } from './request-rules.ts'

const matches = (host: string, path: string, address: string) =>
  allowedOf([{ host, path, headers: [], fields: [] }], new URL(address)) !== undefined

test('a host matches itself, its subdomains after a star, and its port', () => {
  expect(matches('api.shop.example', '*', 'https://api.shop.example/x')).toBe(true)
  expect(matches('API.shop.example', '*', 'https://api.shop.example:8443/x')).toBe(true)
  expect(matches('api.shop.example:8443', '*', 'https://api.shop.example/x')).toBe(false)
  expect(matches('*.shop.example', '*', 'https://a.b.shop.example/x')).toBe(true)
  expect(matches('*.shop.example', '*', 'https://shop.example/x')).toBe(false)
  expect(matches('shop.example', '*', 'https://evilshop.example/x')).toBe(false)
  expect(matches('*.shop.example', '*', 'https://shop.example.evil/x')).toBe(false)
  expect(matches('*', '/x', 'https://any.example/x')).toBe(true)
})

test('a path matches as a whole, with any characters for a star', () => {
  const path = (pattern: string, text: string) => matches('*', pattern, `https://a.example${text}`)
  expect(path('/api', '/api')).toBe(true)
  expect(path('/api', '/api/x')).toBe(false)
  expect(path('/api/*', '/api/x/y')).toBe(true)
  expect(path('/api/*', '/other/api/x')).toBe(false)
  expect(path('/api/*/items', '/api/7/items')).toBe(true)
  expect(path('/api/*/items', '/api/items')).toBe(false)
  expect(path('/a*b*c', '/abbc')).toBe(true)
  expect(path('/a*bc*c', '/abc')).toBe(false)
  expect(path('/api/*', '/api/x?password=1')).toBe(true)
})

test('what several rules allow is allowed together', () => {
  const rules = [
    { host: '*', path: '/a*', headers: ['ETag'], fields: ['total'] },
    { host: '*', path: '/ab', headers: [], fields: ['items.name'] },
    { host: '*', path: '/c', headers: ['x'], fields: ['*'] },
  ]
  expect(allowedOf(rules, new URL('https://a.example/ab'))).toEqual({
    headers: ['etag'],
    fields: ['total', 'items.name'],
  })
  expect(allowedOf(rules, new URL('https://a.example/z'))).toBeUndefined()
})

test('faults say what is wrong, and secrets cannot be allowed', () => {
  expect(['*', 'a.example', '*.a.example', 'localhost:3000', '[::1]:80'].map(hostFault)).toEqual(
    Array(5).fill(undefined),
  )
  expect(
    ['', 'https://a.example', 'a.example/x', 'a b', '**', 'a*.b'].filter((host) => !hostFault(host)),
  ).toEqual([])
  expect(['*', '/', '/api/*'].map(pathFault)).toEqual(Array(3).fill(undefined))
  expect(pathFault('api')).toBe('must start with /')
  expect(pathFault('/a?b')).toBe('must not contain spaces, ? or #')
  expect(headerFault('content-type')).toBeUndefined()
  expect(headerFault('a b')).toBe('is not the name of a header')
  expect(headerFault('x-*')).toBe('must not contain *')
  for (const name of ['Authorization', 'cookie', 'Set-Cookie', 'Proxy-Authorization', 'X-API-Key']) {
    expect(headerFault(name)).toBe('is never recorded')
  }
  expect(['*', 'total', 'items.name'].map(fieldFault)).toEqual(Array(3).fill(undefined))
  expect(fieldFault('items.*')).toBe('must be names separated by dots, or *')
  expect(fieldFault('user.password')).toBe('is never recorded')
})
