import { expect, test } from 'vitest'
import { browserText, deviceText } from './browser-text.ts'

test('names a browser with version and system', () => {
  const chrome =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'
  expect(browserText(chrome)).toBe('Chrome 131 on Linux')
  expect(browserText(`${chrome} Edg/131.0.0.0`)).toBe('Edge 131 on Linux')
  expect(
    browserText(
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
    ),
  ).toBe('Safari 18 on iPhone')
})

test('a device is the same after an update', () => {
  const firefox = (version: number) =>
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`
  expect(deviceText(firefox(133))).toBe('Firefox on Windows')
  expect(deviceText(firefox(134))).toBe('Firefox on Windows')
  expect(deviceText('curl/8.5.0')).toBe('curl')
  expect(deviceText('')).toBe('Unknown browser')
})

test('shows an unknown user agent as it is', () => {
  expect(browserText('curl/8.5.0')).toBe('curl/8.5.0')
  expect(browserText('')).toBe('Unknown browser')
})
