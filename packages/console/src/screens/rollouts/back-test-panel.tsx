import type { RolloutDetail } from '../../api/rollouts.ts'
import { BackTestView } from '../../features/rollout/back-test/back-test-view.tsx'
import { useBackTest } from '../../features/rollout/back-test/use-back-test.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Panel } from '../../ui/panel.tsx'

/** The guard of this rollout, tried on the past. */
export function BackTestPanel({ rollout }: { rollout: RolloutDetail }) {
  const { project } = useScope()
  const testing = useBackTest({ project, rollout: rollout.id })
  return (
    <Panel title="Back-test">
      <BackTestView testing={testing} plan={rollout} />
    </Panel>
  )
}
