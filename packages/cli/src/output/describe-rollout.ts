import type { Rollout } from '../api/find-rollout.ts'
import { inPercent } from './shares.ts'
import { renderFacts, renderTable } from './table.ts'
import type { Terminal } from './terminal.ts'

/** `production: headline bold, running at 25% (stage 2 of 4)` */
export function inOneLine({ env, flag, treatment, state, weight, stage, stages }: Rollout): string {
  return `${env}: ${flag} ${treatment}, ${state} at ${inPercent(weight)} (stage ${stage + 1} of ${stages.length})`
}

export function describeRollout(rollout: Rollout, terminal: Terminal): string {
  const { id, why, startedAt, endedAt, seen } = rollout
  const facts = renderFacts([
    ['rollout', id],
    ['state', inOneLine(rollout)],
    ...(why === null ? [] : [['reason', why] as const]),
    ['started', startedAt ?? 'not yet'],
    ...(endedAt === null ? [] : [['ended', endedAt] as const]),
  ])
  if (seen === null) return facts
  const rows = seen.findings.map(({ metric, state, missing }) => [metric, state, missing ?? ''])
  return `${facts}\n\n${renderTable(['metric', 'state', ''], rows, terminal)}`
}
