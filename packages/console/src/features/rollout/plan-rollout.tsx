import { lazy, Suspense } from 'react'
import type { PlanDialogProps } from './plan/plan-dialog.tsx'

const PlanDialog = lazy(() =>
  import('./plan/plan-dialog.tsx').then(({ PlanDialog }) => ({ default: PlanDialog })),
)

/** The dialog that makes a guarded rollout, loaded when it is asked for. Mounted while open. */
export function PlanRollout(props: PlanDialogProps) {
  return (
    <Suspense>
      <PlanDialog {...props} />
    </Suspense>
  )
}
