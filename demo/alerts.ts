// The alert channels and alerts of the shop. Its chat channel is turned off, so that the demo sends nothing outside
// its machine.

import type { AlertRule } from '@telltale/core/contract/alerts'
import type { NoticeEvent } from '@telltale/core/notices/notice'
import { ines, jonas, mara } from './people.ts'

const day = 86_400_000

export interface DemoChannel {
  by: string
  name: string
  url: string
  events: NoticeEvent[]
}

export interface DemoAlert {
  by: string
  name: string
  rule: AlertRule
  /** Names of channels. */
  channels: string[]
  muted?: { by: string; ago: number; until: number }
}

const chat = '#web-releases'

export const channels: DemoChannel[] = [
  {
    by: mara,
    name: chat,
    url: 'https://chat.pedal-and-post.example/hooks/web-releases',
    events: ['guard.decided', 'flag.configured'],
  },
]

const whenNoData = 'quiet'

export const alerts: DemoAlert[] = [
  {
    by: jonas,
    name: 'Too many errors',
    channels: [chat],
    rule: {
      kind: 'measure',
      query: { kind: 'error', measure: 'count' },
      window: '1h',
      condition: { kind: 'threshold', is: 'above', value: 20 },
      minEvents: 0,
      forMinutes: 0,
      whenNoData,
    },
  },
  {
    by: ines,
    name: 'Slow pages',
    channels: [chat],
    muted: { by: ines, ago: 0.25 * day, until: 3 * day },
    rule: {
      kind: 'measure',
      query: { kind: 'vital', measure: 'p75', field: 'lcp' },
      window: '6h',
      condition: { kind: 'threshold', is: 'above', value: 2_700 },
      minEvents: 20,
      forMinutes: 0,
      whenNoData,
    },
  },
  {
    by: mara,
    name: 'Guard decisions',
    channels: [chat],
    rule: { kind: 'events', events: ['guard.decided'] },
  },
]
