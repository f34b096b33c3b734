// An event with nothing but its time, to be completed by a test.

import type { GuardEvent } from '../../../platform/engines/clickhouse/schema/testing/guard-events.ts'

export type SentArm = { split: string; epoch: number; arm: string; unit: string }

let sent = 0

export function plainEvent(environment: string, at: number): GuardEvent {
  sent += 1
  const id = `0190b3a4-0000-7000-9000-${String(sent).padStart(12, '0')}`
  return {
    ...{ environment, id, session: id, view: '00000000-0000-0000-0000-000000000000', rev: 0 },
    ...{ at: new Date(at).toISOString().replace('T', ' ').replace('Z', ''), kind: 'view', isBot: false },
    ...{ name: '', value: 0, duration: 0, frustration: [], endpoint: '', browser: 'Chrome' },
    ...{ hasFailed: false, isHandled: false, arms: [] },
  }
}
