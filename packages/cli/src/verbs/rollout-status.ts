import { findRollout } from '../api/find-rollout.ts'
import { environmentVerb } from '../command/remote-verb.ts'
import { describeRollout } from '../output/describe-rollout.ts'

export const rolloutStatus = environmentVerb({
  name: 'rollout status',
  group: 'releases',
  does: 'shows the newest rollout of a flag, or one by its id, with the latest look of the guard',
  takes: [{ name: 'FLAG|ROLLOUT' }],
  async run({ server, project, env, argument, show }) {
    const rollout = await findRollout(server, { project, env, named: argument(0) })
    show(rollout, (terminal) => describeRollout(rollout, terminal))
  },
})
