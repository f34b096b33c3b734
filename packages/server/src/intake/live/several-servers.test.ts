// Several servers over one database: a tail shows what any of them accepts.

import { expect, test } from 'vitest'
import { openTail } from '../../../../../test/intake/open-tail.ts'
import { openIntakeStage } from '../../../../../test/intake/stage.ts'
import { context, event, send, toLines, views } from '../../../../../test/intake/visitor.ts'
import { startTelltale } from '../../../../../test/start.ts'

/** With its own database configured, a server may have others beside it. */
const settings = { DATABASE_URL: 'postgres://shared.example/telltale' }

test('events accepted by another server are shown too, with the number of omitted ones', async () => {
  await using stage = await openIntakeStage(settings)
  const { telltale, clientKey, owner } = stage
  await using other = await startTelltale({ beside: telltale, settings })
  const key = await clientKey('development')
  await using tail = await openTail(telltale.url, owner, { filter: 'kind:error,view' })
  const error = () =>
    toLines([
      context(),
      event('error', { source: 'uncaught', message: 'elsewhere', handled: false, stack: 'x'.repeat(9_000) }),
      event('custom', { name: 'not wanted' }),
    ])
  // The other server learns of the tail after a moment; what it accepted before is not forwarded.
  const hasHeard = async () => {
    await send(other.url, error(), { key })
    return tail.events().length > 0
  }
  await expect.poll(hasHeard, { timeout: 20_000, interval: 100 }).toBe(true)
  expect(tail.events().every(({ errorMessage, cut }) => errorMessage === 'elsewhere' && cut)).toBe(true)

  const own = context()
  const count = 500
  await send(other.url, toLines([own, ...views(count)]), { key })
  const seen = () => tail.events().filter(({ session }) => session === own.session).length
  await tail.until(() => seen() > 0 && seen() + tail.dropped() >= count)
})
