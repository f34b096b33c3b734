import { expect, test } from 'vitest'
import { createUuid } from '../browser/uuid.ts'
import { sessionLink } from './session-link.ts'

test('a link leads to the event of the session, by the time since its start', () => {
  const session = createUuid(1_790_000_000_000)
  const grant = { console: 'https://telltale.example', project: 'shop', env: 'staging', expiresAt: 0 }
  const event = { id: createUuid(), at: 1_790_000_081_400 }
  const address = `https://telltale.example/p/shop/sessions/${session}?env=staging`
  expect(sessionLink(grant, session)).toBe(address)
  expect(sessionLink(grant, session, event)).toBe(`${address}#t=81.4&event=${event.id}`)
  expect(sessionLink(undefined, session)).toBeUndefined()
})
