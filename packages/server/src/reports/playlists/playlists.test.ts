// Playlists of sessions, on the real engines.

import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { segment, sendAttachment } from '../../../../../test/intake/attachments.ts'
import { sampleEverything } from '../../../../../test/intake/sample-everything.ts'
import { environments, type IntakeStage, openIntakeStage } from '../../../../../test/intake/stage.ts'
import { context, event, toLines } from '../../../../../test/intake/visitor.ts'
import type { SomePerson } from '../../../../../test/start.ts'
import { deleteReplayWords } from '../../intake/privacy/replay-words.ts'

let stage: IntakeStage
let key: string
let editor: SomePerson
let viewer: SomePerson
const list = `${environments}/development/playlists`
const stored = newId()
const [first, second, third] = [newId(), newId(), newId()]

beforeAll(async () => {
  stage = await openIntakeStage({ TELLTALE_MANAGEMENT_RATE: '100000' })
  key = await sampleEverything(stage)
  editor = await stage.telltale.person({ in: { shop: 'editor' } })
  viewer = await stage.telltale.person({ in: { shop: 'viewer' } })
  const lines = [context({ session: stored, hasReplay: true }), event('view', { name: 'load' })]
  expect((await stage.post(toLines(lines))).status).toBe(202)
  await sendAttachment(stage.telltale.url, { kind: 'replay', body: segment({ session: stored }), key })
  // Also in a hook, where expect.poll does not work.
  await vi.waitFor(
    async () => {
      const path = `${environments}/development/sessions/${stored}`
      for (const part of [path, `${path}/replay`]) expect((await by(viewer)('GET', part)).status).toBe(200)
    },
    { timeout: 20_000, interval: 50 },
  )
})
afterAll(() => stage?.[Symbol.asyncDispose]())

const by = (as: SomePerson) => (method: string, path: string, body?: object) =>
  stage.telltale.request(method, path, { as, ...(body === undefined ? {} : { body }) })
async function make(name: string, sessions: readonly string[] = []): Promise<string> {
  const draft = { name, sessions: sessions.map((session) => ({ session })) }
  const { status, body } = await by(editor)('POST', list, draft)
  expect(status).toBe(201)
  return `${list}/${body.id}`
}
const orderOf = async (path: string): Promise<string[]> =>
  (await by(viewer)('GET', path)).body.items.map(({ session }: { session: string }) => session)

test('sessions are added, moved, noted and removed in order', async () => {
  const path = await make('Checkout', [first, second])
  const added = await by(editor)('POST', `${path}/sessions`, { sessions: [second, third] })
  expect(added.body).toMatchObject({ name: 'Checkout', sessions: 3 })
  expect(await orderOf(path)).toEqual([first, second, third])

  await by(editor)('PATCH', `${path}/sessions/${third}`, { position: 0, note: 'Watch this first' })
  expect(await orderOf(path)).toEqual([third, first, second])
  await by(editor)('PATCH', `${path}/sessions/${third}`, { position: 99 })
  expect(await orderOf(path)).toEqual([first, second, third])
  expect((await by(viewer)('GET', path)).body.items[2].note).toBe('Watch this first')

  expect((await by(editor)('DELETE', `${path}/sessions/${second}`)).status).toBe(204)
  expect((await by(editor)('DELETE', `${path}/sessions/${second}`)).status).toBe(404)
  await by(editor)('POST', `${path}/sessions`, { sessions: [second], position: 1 })
  expect(await orderOf(path)).toEqual([first, second, third])
})

test('a session has its summary until its data are deleted', async () => {
  const path = await make('With a deleted one', [stored, first])
  const { items } = (await by(viewer)('GET', path)).body
  expect(items[0].summary).toMatchObject({ id: stored, views: 1, hasReplay: true })
  expect(items[1].summary).toBeNull()
  expect((await by(editor)('DELETE', `${path}/sessions/${first}`)).status).toBe(204)
})

test('adding can keep the replay past its retention', async () => {
  const path = await make('Kept')
  const replay = `${environments}/development/sessions/${stored}/replay`
  await by(editor)('POST', `${path}/sessions`, { sessions: [stored] })
  expect((await by(viewer)('GET', replay)).body.kept).toBeNull()
  await by(editor)('POST', `${path}/sessions`, { sessions: [stored], keep: true })
  expect((await by(viewer)('GET', replay)).body.kept.reason).toBe('In the playlist Kept.')
})

test('concurrent changes lose nothing', async () => {
  const path = await make('Busy')
  const sessions = Array.from({ length: 8 }, () => newId())
  await Promise.all(
    sessions.map((session) => by(editor)('POST', `${path}/sessions`, { sessions: [session] })),
  )
  expect((await orderOf(path)).toSorted()).toEqual(sessions.toSorted())
})

test('names are unique, and limits hold', async () => {
  const path = await make('Once')
  expect((await by(editor)('POST', list, { name: 'Once' })).status).toBe(409)
  expect((await by(editor)('PATCH', path, { name: 'Busy' })).status).toBe(409)
  expect((await by(editor)('PATCH', path, { name: 'Twice', description: 'of it' })).body).toMatchObject({
    name: 'Twice',
    description: 'of it',
  })
  const full = Array.from({ length: 200 }, () => newId())
  expect((await by(editor)('POST', `${path}/sessions`, { sessions: full })).body.sessions).toBe(200)
  expect((await by(editor)('POST', `${path}/sessions`, { sessions: [newId()] })).status).toBe(409)
})

test('viewers watch, editors change, and changes are audited', async () => {
  const path = await make('Ours', [first])
  expect((await by(viewer)('POST', list, { name: 'Mine' })).status).toBe(403)
  expect((await by(viewer)('DELETE', path)).status).toBe(403)
  expect((await by(viewer)('DELETE', `${path}/sessions/${first}`)).status).toBe(403)
  const named = await by(viewer)('GET', `${list}?session=${first}`)
  expect(named.body.items.map(({ name }: { name: string }) => name)).toContain('Ours')
  expect((await by(editor)('DELETE', path)).status).toBe(204)
  expect((await by(viewer)('GET', path)).status).toBe(404)
  const audit = await by(stage.owner)('GET', '/api/v1/projects/shop/audit?entity=playlist')
  expect(audit.body.items[0]).toMatchObject({ action: 'playlist.delete', entity: { name: 'Ours' } })
})

test('the erasure of a user clears the notes about their sessions', async () => {
  const noted = newId()
  const path = await make('Noted')
  const { db } = stage.telltale.running.services
  await by(editor)('POST', `${path}/sessions`, { sessions: [noted], note: 'Ada cannot pay' })
  expect(await deleteReplayWords(db, stage.environment, [noted])).toMatchObject({ playlist_sessions: 1 })
  expect((await by(viewer)('GET', path)).body.items).toMatchObject([{ session: noted, note: '' }])
})
