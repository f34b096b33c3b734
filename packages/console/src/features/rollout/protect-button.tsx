import { useState } from 'react'
import type { UnguardedTelltale } from '../../api/telltales.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Button } from '../../ui/button.tsx'
import { usePlanRights } from './plan/use-plan-rights.ts'
import { PlanRollout } from './plan-rollout.tsx'

/** Plans a guarded rollout of the split, in the environment of the screen. */
export function ProtectButton({ telltale }: { telltale: UnguardedTelltale }) {
  const { project, environment } = useScope()
  const { flag, place } = telltale
  const against = usePlanRights(environment, false)
  const [isPlanning, setPlanning] = useState(false)
  return (
    <>
      <Button
        size="small"
        icon="rollout"
        disabled={against !== undefined}
        {...(against === undefined ? {} : { title: against })}
        onClick={() => setPlanning(true)}
        aria-label={`Protect with a guard: ${flag}`}
      >
        Protect with a guard
      </Button>
      {isPlanning && (
        <PlanRollout
          at={{ project, env: environment.key, flag }}
          environment={environment}
          place={place}
          onClose={() => setPlanning(false)}
        />
      )}
    </>
  )
}
