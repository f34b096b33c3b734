import { usualAlpha } from '@telltale/core/guard/usual-plan'
import type { ConfigPlace } from '../../../api/flag-configs.ts'
import { BackTestView } from '../back-test/back-test-view.tsx'
import { useBackTest } from '../back-test/use-back-test.ts'
import { type Plan, type PlanForm, sentOf } from './plan-form.ts'

type PlanBackTestProps = {
  at: ConfigPlace
  form: PlanForm
  plan: Plan
  /** Nothing in it has to be put right. */
  isSound: boolean
}

/** The plan as it stands in the dialog, tried on the past before anything is saved. */
export function PlanBackTest({ at, form, plan, isSound }: PlanBackTestProps) {
  const { reason: _reason, ...tried } = sentOf(form, plan)
  const testing = useBackTest({ place: at, plan: tried })
  return (
    <details className="group min-w-0">
      <summary className="w-fit cursor-pointer rounded-control py-4 font-medium">Back-test</summary>
      <div className="pt-6">
        {isSound || testing.state.phase !== 'idle' ? (
          <BackTestView testing={testing} plan={{ ...plan, alpha: usualAlpha }} />
        ) : (
          <p className="text-text-2">Fix the marked fields in the plan first.</p>
        )}
      </div>
    </details>
  )
}
