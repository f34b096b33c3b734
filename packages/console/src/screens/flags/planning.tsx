import { createContext, type ReactNode, use, useState } from 'react'
import type { DescribedFlag } from '../../api/flags.ts'
import { usePlanRights } from '../../features/rollout/plan/use-plan-rights.ts'
import { PlanRollout } from '../../features/rollout/plan-rollout.tsx'
import { usePaletteEntries } from '../../shell/palette/registry.ts'
import { useScope } from '../../shell/scope-context.ts'

interface PlanningOf {
  /** Opens the dialog for all users or for those of a rule. */
  plan: (place?: string) => void
  /** Why planning is not possible; undefined if it is. */
  against: string | undefined
}

const PlanningContext = createContext<PlanningOf | undefined>(undefined)

export function usePlanning(): PlanningOf {
  const planning = use(PlanningContext)
  if (!planning) throw new Error('used outside a flag screen')
  return planning
}

/** Lets descendants open the dialog that plans a rollout of the flag in the environment of the screen. */
export function Planning({ flag, children }: { flag: DescribedFlag; children: ReactNode }) {
  const { project, environment } = useScope()
  const against = usePlanRights(environment, flag.archivedAt !== null)
  const [planned, setPlanned] = useState<{ place: string | undefined }>()
  const plan = (place?: string) => setPlanned({ place })
  usePaletteEntries(
    against === undefined
      ? [
          {
            id: 'plan-rollout',
            group: 'Do',
            icon: 'rollout',
            label: `Start a guarded rollout of ${flag.key} in ${environment.name}…`,
            run: () => plan(),
          },
        ]
      : [],
  )
  return (
    <PlanningContext value={{ plan, against }}>
      {children}
      {planned && (
        <PlanRollout
          at={{ project, env: environment.key, flag: flag.key }}
          environment={environment}
          place={planned.place}
          onClose={() => setPlanned(undefined)}
        />
      )}
    </PlanningContext>
  )
}
