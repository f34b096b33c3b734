import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { startFlags } from './flags.ts'
import { ErrorBoundary, FlagsProvider, rootErrorHandlers, useFlag, useFlagStatus } from './react.ts'

function Banner() {
  return createElement('h1', null, `${useFlag('banner', 'default')} ${useFlagStatus()}`)
}

afterEach(() => {
  vi.unstubAllGlobals()
})

test('on a server the values of the page are used, without requests or storage', () => {
  const fetch = vi.fn()
  vi.stubGlobal('fetch', fetch)
  const bootstrap = { banner: 'Hello' }
  const flags = startFlags({ url: 'https://telltale.example', key: 'key', bootstrap })
  const page = renderToString(createElement(FlagsProvider, { flags, bootstrap }, createElement(Banner)))
  expect(page).toBe('<h1>Hello starting</h1>')
  expect(flags.getString('banner', 'default')).toBe('Hello')
  expect(fetch).not.toHaveBeenCalled()
})

test('without values of the page a server renders the defaults', async () => {
  const flags = startFlags({ url: 'https://telltale.example', key: 'key' })
  const page = renderToString(createElement(FlagsProvider, { flags }, createElement(Banner)))
  expect(page).toBe('<h1>default starting</h1>')
  expect(await flags.whenReady()).toBe('starting')
  expect(await flags.setContext({ targetingKey: 'ada' })).toBe('starting')
})

test('a component outside the provider throws a clear error', () => {
  expect(() => renderToString(createElement(Banner))).toThrow('<FlagsProvider>')
})

test('errors caught by React 19 are reported with components, except those that our boundary reports', () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const telltale = { reportError: vi.fn() }
  const { onCaughtError, onUncaughtError } = rootErrorHandlers(telltale)
  const [caught, uncaught, ours] = [new Error('caught'), new Error('uncaught'), new Error('ours')]
  onCaughtError(caught, { componentStack: '\n    at Cart' })
  onUncaughtError(uncaught, {})
  onCaughtError(ours, { componentStack: '', errorBoundary: new ErrorBoundary({ telltale }) })
  expect(telltale.reportError.mock.calls).toEqual([
    [caught, { componentStack: '\n    at Cart', handled: true }],
    [uncaught, { componentStack: '', handled: false }],
  ])
  expect(printed).toHaveBeenCalledTimes(3)
})
