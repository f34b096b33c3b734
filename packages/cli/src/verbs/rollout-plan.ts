import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import { environmentVerb } from '../command/remote-verb.ts'
import { inPercent } from '../output/shares.ts'
import { inWords } from '../output/span.ts'
import { renderTable } from '../output/table.ts'
import type { Terminal } from '../output/terminal.ts'

export type Proposal = ReplyOf<typeof calls.rollouts.proposeRollout>

export const rolloutPlan = environmentVerb({
  name: 'rollout plan',
  group: 'releases',
  does: 'proposes stages and limits for a guarded rollout, from the traffic of the last 14 days',
  takes: [{ name: 'FLAG' }, { name: 'VARIATION' }],
  async run({ server, project, env, argument, show }) {
    const params = { project, env, flag: argument(0) }
    const query = { treatment: argument(1) }
    const proposal = await server.request(calls.rollouts.proposeRollout, { params, query })
    show(proposal, (terminal) => describe(proposal, terminal))
  },
})

function describe(proposal: Proposal, terminal: Terminal): string {
  const { control, treatment, by, traffic, unmeasured } = proposal
  const stages = proposal.stages.map(({ weight, minDuration, units, needsApproval }) => [
    inPercent(weight),
    inWords(minDuration),
    String(Math.round(units.treatment)),
    needsApproval ? 'needs approval' : '',
  ])
  const metrics = proposal.metrics
    .filter(({ isUsual }) => isUsual)
    .map(({ metric, limit, role, smallest }) => [
      metric,
      `+${Math.round(limit * 1_000) / 10}%`,
      role,
      smallest === null ? 'no limit can be confirmed' : `from +${Math.round(smallest * 1_000) / 10}%`,
    ])
  return [
    `${treatment} instead of ${control}, split by ${by}: ${Math.round(traffic.perDay)} users a day.`,
    ...(unmeasured === null ? [] : [unmeasured]),
    '',
    renderTable(['stage', 'at least', 'users', ''], stages, terminal),
    '',
    renderTable(['metric', 'limit', 'role', 'can confirm'], metrics, terminal),
  ].join('\n')
}
