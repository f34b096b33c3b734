// Several servers over one database and one store: a batch that reached two of them is stored once.

import { v7 as newId } from 'uuid'
import { expect, test } from 'vitest'
import { rumLines, rumView, sendRum } from '../../../../../test/intake/datadog.ts'
import { openIntakeStage } from '../../../../../test/intake/stage.ts'
import { context, send, toLines, views } from '../../../../../test/intake/visitor.ts'
import { startTelltale } from '../../../../../test/start.ts'

/** With its own database configured, a server may have others beside it. */
const settings = { DATABASE_URL: 'postgres://shared.example/telltale' }

test('a batch whose first response was lost is sent to another server and stored once', async () => {
  await using stage = await openIntakeStage(settings)
  const { telltale, clientKey, untilStored, read } = stage
  await using other = await startTelltale({ beside: telltale, settings })
  const key = await clientKey('development')
  const batch = newId()
  const own = context()
  const body = toLines([own, ...views(5)])
  const answers = await Promise.all([
    send(telltale.url, body, { key, batch }),
    send(other.url, body, { key, batch }),
  ])
  expect(answers.map(({ status }) => status)).toEqual([202, 202])
  // The server that lost the claim has learned so by the time its next batch is in the tables.
  const [mine, theirs] = [context(), context()]
  await send(telltale.url, toLines([mine, ...views(1)]), { key })
  await send(other.url, toLines([theirs, ...views(2)]), { key })
  await untilStored(mine.session, 1)
  await untilStored(theirs.session, 2)
  await untilStored(own.session, 5)
  const [session] = await read<{ n: string }>(
    'SELECT sum(events) AS n FROM sessions WHERE session_id = {session:UUID}',
    { session: own.session },
  )
  expect(session?.n).toBe('5')
})

test('a Datadog view reported to two servers starts once, and has each vital once', async () => {
  await using stage = await openIntakeStage(settings)
  const { telltale, clientKey, untilStored } = stage
  await using other = await startTelltale({ beside: telltale, settings })
  const key = await clientKey('development')
  const session = newId()
  const about = { session: { id: session, type: 'user' }, tab: { id: newId() } }
  const state = { first_byte: 12e6, cumulative_layout_shift: 0, interaction_to_next_paint: 24e6 }
  const write = (url: string, version: number, isActive: boolean) =>
    sendRum(rumLines([rumView(version, { ...state, is_active: isActive }, about)]), { url, key })
  await Promise.all([write(telltale.url, 1, true), write(other.url, 2, true)])
  const answers = await Promise.all([write(telltale.url, 3, false), write(other.url, 4, false)])
  expect(answers.map(({ status }) => status)).toEqual([202, 202])
  // By then, each server has read which claims it lost.
  const last = [context(), context()]
  await send(telltale.url, toLines([last[0] ?? {}, ...views(1)]), { key })
  await send(other.url, toLines([last[1] ?? {}, ...views(1)]), { key })
  for (const each of last) await untilStored(each.session, 1)
  const rows = await untilStored(session, 4)
  expect(rows.map(({ kind, name }) => `${kind} ${name}`).sort()).toEqual([
    ...['view ', 'vital CLS', 'vital INP', 'vital TTFB'],
  ])
})
