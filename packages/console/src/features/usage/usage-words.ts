import type { Meter } from '@telltale/core/usage/meters'
import { bytesText, countText } from '../../ui/text/measure-text.ts'

export const meterWords: Readonly<Record<Meter, string>> = {
  events: 'Events',
  sessions: 'Sessions',
  replaySegments: 'Replay segments',
  replayBytes: 'Replay size',
  profiles: 'Profiles',
  spans: 'Spans',
  logs: 'Log records',
  bytes: 'Data received',
  evaluations: 'Flag evaluations',
}

const ofBytes: ReadonlySet<Meter> = new Set(['replayBytes', 'bytes'])

export function amountText(meter: Meter, count: number): string {
  return ofBytes.has(meter) ? bytesText(count) : countText(count)
}
