import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import { forecastOf } from '@telltale/core/guard/forecast-proposal'
import { stagesInPool } from '@telltale/core/guard/template-stages'
import { environmentVerb } from '../command/remote-verb.ts'
import { inPercent } from '../output/shares.ts'
import { inWords } from '../output/span.ts'
import { renderTable } from '../output/table.ts'
import type { Terminal } from '../output/terminal.ts'

export type Proposal = ReplyOf<typeof calls.rollouts.proposeRollout>

type Template = ReplyOf<(typeof calls)['rollout-templates']['getRolloutTemplate']>

export const templateOption = {
  value: 'KEY',
  does: 'takes stages, metrics and limits from a rollout template of the project',
} as const

export const rolloutPlan = environmentVerb({
  name: 'rollout plan',
  group: 'releases',
  does: 'proposes stages and limits for a guarded rollout, from the traffic of the last 14 days',
  more: 'With `--template`, it shows what the traffic can decide with the plan of the template instead.',
  takes: [{ name: 'FLAG' }, { name: 'VARIATION' }],
  options: { template: templateOption },
  async run({ server, project, env, argument, text, show }) {
    const params = { project, env, flag: argument(0) }
    const query = { treatment: argument(1) }
    const proposal = await server.request(calls.rollouts.proposeRollout, { params, query })
    const key = text('template')
    const planned = key === undefined ? proposal : inTemplate(proposal, await readTemplate())
    show(planned, (terminal) => describe(planned, terminal))

    function readTemplate() {
      const { getRolloutTemplate } = calls['rollout-templates']
      return server.request(getRolloutTemplate, { params: { project, template: key ?? '' } })
    }
  },
})

/** The proposal with the plan of a template, and what the same traffic can decide with it. */
function inTemplate(proposal: Proposal, template: Template): Proposal {
  const { timeBox, metrics } = template
  const stages = stagesInPool(template.stages, proposal.pool)
  const forecast = forecastOf(proposal, { stages, metrics, timeBox })
  const none = { treatment: 0, control: 0 }
  return {
    ...proposal,
    timeBox,
    stages: stages.map((stage, index) => ({ ...stage, units: forecast?.units[index] ?? none })),
    metrics: metrics.flatMap((planned) => {
      const known = proposal.metrics.find(({ metric }) => metric === planned.metric)
      if (known === undefined) return []
      const { smallest, smallestIn = [] } = forecast?.metrics.get(planned.metric) ?? {}
      const seen = smallestIn.map((harm) => harm ?? null)
      return [{ ...known, ...planned, isUsual: true, smallest: smallest ?? null, smallestIn: seen }]
    }),
  }
}

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
