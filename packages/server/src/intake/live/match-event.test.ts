import { parseFilter } from '@telltale/core/query/filter'
import { eventColumns } from '@telltale/core/telemetry/event-row'
import { expect, test } from 'vitest'
import { toLiveEvent } from './live-row.ts'
import { createMatch, findForeignChips } from './match-event.ts'

const session = '01900000-0000-7000-8000-00000000000a'

const values: Partial<Record<(typeof eventColumns)[number], unknown>> = {
  kind: 'resource',
  session_id: session,
  user_key: 'mara',
  anonymous_id: 'a-1',
  page: '/cart/:id',
  browser: 'Safari',
  bot: 0,
  res_method: 'POST',
  res_status: 503,
  res_failed: 1,
  duration: 812,
  res_endpoint: '/orders/:id',
  target: 'https://api.shop.example/orders/1',
  ts: 1,
  received_at: 1,
  flags: ['checkout=new', 'check=old'],
  frustration: [],
  arms: [],
  attrs: { plan: 'Pro' },
}
const row = eventColumns.map((column) => values[column] ?? '')

function fits(text: string): boolean {
  const parsed = parseFilter(text)
  if (!parsed.ok) throw new Error(`${text}: ${JSON.stringify(parsed.faults)}`)
  const match = createMatch(parsed.result)
  const isMatch = match.matches(toLiveEvent(row))
  // What the pre-check on the row's text rejects must not match.
  if (isMatch) expect(match.mayMatch(JSON.stringify(row)), text).toBe(true)
  return isMatch
}

test.each([
  '',
  'kind:resource',
  'kind:error,resource',
  '-kind:error',
  'flag:checkout',
  'flag:checkout=new',
  'flag:checkout=old,new',
  '-flag:checkout=old',
  'flag:check=~OL',
  `session:${session.toUpperCase()}`,
  'user:mara',
  'user:a-1',
  'page:/cart/:id',
  'page:~CART',
  'status:>=500',
  'status:503 failed:true',
  'duration:>800 duration:<=812',
  'bot:false',
  'attr:plan',
  'attr:plan=Pro',
  'orders',
  'MARA "api.shop"',
])('fits: %s', (text) => {
  expect(fits(text)).toBe(true)
})

test.each([
  'kind:error',
  'flag:check=new',
  'flag:chec',
  '-flag:checkout',
  'session:01900000-0000-7000-8000-00000000000b',
  'user:noa',
  'status:<500',
  'failed:false',
  'error:~x',
  'attr:plan=pro',
  'attr:size',
  'frustration:*',
  'mara payment',
])('does not fit: %s', (text) => {
  expect(fits(text)).toBe(false)
})

test('attributes of a whole session do not match a single event', () => {
  const parsed = parseFilter('kind:error rage-clicks:>0')
  expect(parsed.ok && findForeignChips(parsed.result)).toEqual(['rage-clicks:>0'])
})
