import { lazy, Suspense } from 'react'
import type { PlanDialogProps } from './plan/plan-dialog.tsx'

const PlanDialog = lazy(() =>
  import('./plan/plan-dialog.tsx').then(({ PlanDialog }) => ({ default: PlanDialog })),
)

/** The dialog that creates a guarded rollout, loaded on demand. Mounted while open. */
export function PlanRollout(props: PlanDialogProps) {
  return (
    <Suspense>
      <PlanDialog {...props} />
    </Suspense>
  )
}
