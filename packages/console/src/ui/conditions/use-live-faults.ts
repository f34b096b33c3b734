import type { ConditionGroup } from '@telltale/core/contract/conditions'
import type { checkConditions } from '@telltale/core/evaluation/check-conditions'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import type { ConditionFault } from './condition-faults.ts'

type Check = typeof checkConditions

let loaded: Check | undefined

/** What the evaluator itself thinks of the operands, while they are typed. It comes when it is first needed. */
export function useLiveFaults(
  group: ConditionGroup,
  segments: readonly { key: string }[] | undefined,
): readonly ConditionFault[] {
  const [check, setCheck] = useState<Check | undefined>(() => loaded)

  useEffect(() => {
    if (loaded) return
    let isGone = false
    import('@telltale/core/evaluation/check-conditions').then(
      (module) => {
        loaded = module.checkConditions
        if (!isGone) setCheck(() => loaded)
      },
      // Without it nothing is told before saving, and then the server says the same.
      () => undefined,
    )
    return () => {
      isGone = true
    }
  }, [])

  // Behind the typing: every expression is compiled anew.
  const settled = useDeferredValue(group)
  return useMemo(() => {
    const known = segments && new Set(segments.map(({ key }) => key))
    return check ? check(settled, { segments: known }) : []
  }, [check, settled, segments])
}
