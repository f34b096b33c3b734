import { expect, test } from 'vitest'
import { init } from '../telltale.ts'

test('on a server everything can be called, nothing is collected, and flags have their defaults', async () => {
  const app = init({ url: 'https://telltale.example', key: 'web', consent: 'pending' })
  app.track('purchase', { value: 1 })
  app.addAction('drag')
  app.addTiming('ready')
  app.reportError(new Error('caught'))
  app.startView('/cart')
  app.setAttributes({ plan: 'pro' })
  app.setConsent('granted')
  expect(app.sessionId()).toBeUndefined()
  expect(app.getBoolean('new-checkout', true)).toBe(true)
  expect(await app.whenReady()).toBe('starting')
  app.close()
})
