import { randomUUID } from 'node:crypto'
import { calls } from '@telltale/core/contract/calls'
import { environmentVerb } from '../command/remote-verb.ts'
import { describeRollout } from '../output/describe-rollout.ts'
import { type Proposal, templateOption } from './rollout-plan.ts'

export const rolloutStart = environmentVerb({
  name: 'rollout start',
  group: 'releases',
  does: 'drafts a guarded rollout with the proposed plan or that of a template, and starts it',
  more: 'If changes need approval in the environment, only the draft is made with `--draft`, and another member starts it.',
  takes: [{ name: 'FLAG' }, { name: 'VARIATION' }],
  options: {
    template: templateOption,
    reason: { value: 'TEXT', does: 'why, for the history' },
    draft: { does: 'makes the draft and does not start it' },
  },
  async run({ server, project, env, argument, text, isSet, show }) {
    const params = { project, env, flag: argument(0) }
    const treatment = argument(1)
    const template = text('template')
    const plan =
      template === undefined
        ? planOf(await server.request(calls.rollouts.proposeRollout, { params, query: { treatment } }))
        : { template }
    const reason = text('reason')
    const draft = await server.request(calls.rollouts.createRollout, {
      params,
      body: {
        treatment,
        ...plan,
        ...(reason !== undefined && { reason }),
      },
      idempotencyKey: randomUUID(),
    })
    if (isSet('draft')) {
      show(draft, (terminal) => describeRollout(draft, terminal))
      return
    }
    const started = await server.request(calls.rollouts.startRollout, {
      params: { project, rollout: draft.id },
      body: { turn: draft.turn },
      idempotencyKey: randomUUID(),
    })
    show(started, (terminal) => describeRollout(started, terminal))
  },
})

/** The proposal without what it says about the traffic. */
function planOf({ control, by, place, stages, metrics, timeBox }: Proposal) {
  return {
    control,
    by,
    place,
    timeBox,
    stages: stages.map(({ weight, minDuration, minUnits, needsApproval }) => {
      return { weight, minDuration, minUnits, needsApproval }
    }),
    metrics: metrics
      .filter(({ isUsual }) => isUsual)
      .map(({ metric, limit, role, onRegression }) => ({ metric, limit, role, onRegression })),
  }
}
