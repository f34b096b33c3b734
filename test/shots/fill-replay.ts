// One recorded session, so that there is something to play: a checkout that is filled in, fails, and is left for a while.

import { expect, type Page } from '@playwright/test'
import type { BuiltServer } from '../browser/built-server.ts'
import { ask } from '../browser/console-member.ts'
import {
  change,
  element,
  mutation,
  pageOf,
  type Recorded,
  sendSegment,
  text,
  wholePage,
  word,
} from '../browser/recordings.ts'
import { chrome, environmentPath } from '../browser/seed-events.ts'
import { context, event, send, toLines } from '../intake/visitor.ts'

export const recordedSession = '01900000-0000-7000-8000-0000000000f1'
const tab = '01900000-0000-7000-8000-0000000000f2'
const second = 1_000

const css = `body { margin: 0; font: 15px sans-serif; color: #2b2b28; background: #f6f4ee }
header { padding: 14px 28px; color: #fff; background: #20382f; font-weight: 600 }
main { display: grid; gap: 14px; width: 460px; margin: 24px 28px; padding: 20px; background: #fff; border: 1px solid #e3dfd5 }
input { display: block; width: 100%; margin-top: 4px; padding: 8px; border: 1px solid #cfcabd } button { width: 160px; padding: 10px }`

const field = (label: string, id: number) =>
  element('label', {}, [
    text(label),
    { type: 2, id, tagName: 'input', attributes: { value: '' }, childNodes: [] },
  ])

const [name, find, message] = [901, 902, 903]

function checkout(at: number): Recorded[] {
  const page = pageOf(
    [
      element('header', {}, [text('Pedal & Post')]),
      element('main', {}, [
        element('h1', {}, [text('Checkout')]),
        field('Full name', name),
        { type: 2, id: find, tagName: 'button', attributes: {}, childNodes: [text('Find address')] },
        { type: 2, id: message, tagName: 'p', attributes: {}, childNodes: [] },
      ]),
    ],
    [element('style', { _cssText: css })],
  )
  const typed = Array.from({ length: 12 }, (_, index) =>
    change(at + 4 * second + index * 150, {
      source: 5,
      id: name,
      text: 'x'.repeat(index + 1),
      isChecked: false,
    }),
  )
  const moved = change(at + 9 * second, {
    source: 1,
    positions: Array.from({ length: 10 }, (_, index) => ({
      x: 420 - index * 30,
      y: 120 + index * 12,
      id: find,
      timeOffset: index * 50 - 500,
    })),
  })
  const clicks = [0, 1, 2].map((index) =>
    change(at + 10 * second + index * 250, { source: 2, type: 2, id: find, x: 130, y: 232 }),
  )
  return [
    ...wholePage(at, page, { width: 1280, height: 632 }),
    word(at + 10, { kind: 'recording', level: 'mask-inputs', reason: 'sampled' }),
    ...[...typed, moved, ...clicks],
    mutation(at + 11 * second, {
      adds: [{ parentId: message, nextId: null, node: text('Loading up your address…') }],
    }),
  ]
}

function eventsOf(at: number) {
  return [
    event('view', { at, name: 'load' }),
    event('vital', { at: at + second, name: 'LCP', value: 2_100, target: 'main > h1' }),
    event('vital', { at: at + 9 * second, name: 'INP', value: 412, target: 'button.find' }),
    event('action', { at: at + 10 * second, name: 'Find address', frustration: ['rage'] }),
    event('error', {
      at: at + 10.4 * second,
      source: 'uncaught',
      type: 'TypeError',
      handled: false,
      message: 'addr.lines is undefined',
      stack: 'TypeError\n    at find (address-form.ts:88:4)',
    }),
    event('resource', {
      at: at + 11 * second,
      type: 'fetch',
      method: 'GET',
      url: 'https://shop.example/api/address',
      status: 504,
      duration: 8_000,
      failed: true,
    }),
    event('action', { at: at + 52 * second, name: 'Enter address by hand' }),
  ]
}

export async function fillReplay(page: Page, server: BuiltServer): Promise<void> {
  const keys = await ask<{ items: { kind: string; value: string }[] }>(page, server, {
    path: `${environmentPath}/keys`,
  })
  const key = keys.items.find(({ kind }) => kind === 'client')?.value ?? ''
  const at = Date.now() - 120 * second
  const about = {
    session: recordedSession,
    tab,
    page: '/checkout',
    url: 'https://pedalandpost.example/checkout',
    version: '2026.47.2',
    userKey: 'u_73318',
    hasReplay: true,
  }
  const sent = await send(server.url, toLines([context(about), ...eventsOf(at)]), {
    key,
    headers: { 'user-agent': chrome },
  })
  expect(sent.body).toMatchObject({ dropped: [] })
  const parts = { session: recordedSession, tab }
  const first = { ...parts, index: 0, startedAt: at, endedAt: at + 20 * second, full: true }
  await sendSegment(server.url, { ...first, events: checkout(at) }, key)
  const later = at + 50 * second
  const last = { ...parts, index: 1, startedAt: later, endedAt: later + 10 * second, full: false }
  const left = change(later, { source: 3, id: 1, x: 0, y: 40 })
  await sendSegment(server.url, { ...last, events: [left] }, key)
  const isThere = async () =>
    (await page.request.get(`${server.url}${environmentPath}/sessions/${recordedSession}/replay`)).ok()
  await expect.poll(isThere, { timeout: 40_000 }).toBe(true)
}
