// Sources of generated tests, with every part that a script can have. Texts are recorded ones, so tests vary them.

import { createStepReader } from '../steps.ts'
import type { ReplayTestSource } from '../write-test.ts'
import { click, el, pageOf, type } from './recorded-page.ts'

export const origin = 'https://shop.example'

export const quietEvent: ReplayTestSource['events'][number] = {
  kind: 'view',
  at: 0,
  name: '',
  value: 0,
  errorType: '',
  errorMessage: '',
  isHandled: false,
  method: '',
  url: '',
  target: '',
  status: 0,
  isFailed: false,
  frustration: [],
  blocking: 0,
}

const message = { state: 'none', size: 0, mime: '', text: '' } as const

/** A visit in which everything fails that a test can assert. `text` is wherever recorded text can be. */
export function sourceWith(text: string): ReplayTestSource {
  const inUrl = text.replace(/[?#&=]/g, '-')
  const page = pageOf(
    10,
    el('input', { id: 'q', placeholder: `Find ${text}` }),
    el('button', { id: 'go' }, `Buy ${text}`),
    el('button', { id: 'dead' }, 'Nothing'),
    el('div', { id: 'x', 'data-testid': `test ${text}`, role: `role ${text}` }),
    el('iframe', { id: 'i', name: `frame ${text}` }),
  )
  const views = [
    { at: 0, url: `${origin}/demo/${inUrl}?q=${inUrl}`, by: 'load' },
    { at: 7_000, url: `${origin}/done ${inUrl}`, by: 'load' },
  ] as const
  const reader = createStepReader(views, 50)
  const operations = [
    page.operation,
    ...click(50, page.idOf('q')),
    ...type(60, page.idOf('q'), `typed ${text}`),
    ...click(3_000, page.idOf('x')),
    ...click(5_000, page.idOf('go')),
    ...click(6_000, page.idOf('dead')),
  ]
  for (const operation of operations) reader.take(operation, operation.at)
  const error = { ...quietEvent, kind: 'error', errorType: `Type ${text}`, errorMessage: `message ${text}` }
  const request = { ...quietEvent, kind: 'resource', isFailed: true, method: 'POST', status: 500 }
  return {
    session: `0190 ${text}`,
    address: `https://telltale.example/${text}`,
    description: `Recorded in ${text}`,
    browser: `Safari ${text}`,
    isOwn: true,
    views,
    events: [
      { ...error, at: 8_000 },
      { ...error, at: 8_010, isHandled: true },
      { ...request, at: 8_020, url: `${origin}/api/${inUrl}` },
      { ...quietEvent, kind: 'action', at: 6_000, name: text, frustration: ['dead'] },
    ],
    recorded: reader.end(),
    details: [
      {
        method: 'GET',
        address: `https://api.example/${inUrl}?name-${inUrl}`,
        status: 200,
        startedAt: 0,
        sent: message,
        received: { state: 'text', size: text.length, mime: `text/${text}`, text },
      },
      {
        method: 'GET',
        address: `${origin}/cut/${inUrl}`,
        status: 200,
        startedAt: 0,
        sent: message,
        received: { state: 'cut', size: 9, mime: '', text },
      },
    ],
    flags: [
      {
        key: 'checkout',
        recorded: 'on',
        variations: [
          { key: 'on', value: { [text]: text, __proto: [text] } },
          { key: 'off', value: text },
        ],
      },
    ],
    suspect: 'checkout',
    lostFlags: [text],
    changedFlags: [text],
    otherTabs: 1,
    gaps: 1,
  }
}
