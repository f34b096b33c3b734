import { useState } from 'react'
import { useScope } from '../../shell/scope-context.ts'
import { Button } from '../../ui/button.tsx'
import { usePlanRights } from '../rollout/plan/use-plan-rights.ts'
import { PlanRollout } from '../rollout/plan-rollout.tsx'
import { nameOf, type Suspect } from './suspect-words.ts'
import type { Suspected } from './suspects-panel.tsx'

/** Opens the plan of the split that would settle it, for those who may start one here. */
export function PlanCheck({ suspect, suspected }: { suspect: Suspect; suspected: Suspected }) {
  const { project, environment } = useScope()
  const against = usePlanRights(environment, false)
  const [isOpen, setOpen] = useState(false)
  const [first] = suspect.reads.filter(({ byChance }) => !byChance)
  if (against !== undefined || first === undefined || suspect.settle === null) return null
  const reason = `More users with ${nameOf(suspect)} have ${suspected.words}. Giving half of them another variation shows whether it is the cause.`
  return (
    <span>
      <Button size="small" icon="rollout" onClick={() => setOpen(true)}>
        Split {first.flag} 50/50…
      </Button>
      {isOpen && (
        <PlanRollout
          at={{ project, env: environment.key, flag: first.flag }}
          environment={environment}
          treatment={first.variation}
          settling={{ ...suspect.settle, metric: suspected.metric, reason }}
          onClose={() => setOpen(false)}
        />
      )}
    </span>
  )
}
