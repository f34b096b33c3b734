import type { TabPlan } from './plan-tab.ts'

/** A tab that changes again within this time is still the active one. */
const patience = 2_000

/**
 * The tab in use at a moment: of the tabs with activity, the last one opened; when all are idle, the one with
 * the latest activity.
 */
export function tabAt(plans: readonly TabPlan[], at: number): string {
  const begun = plans.filter(({ from }) => from <= at)
  const busy = begun.filter((plan) => happensAt(plan, at)).sort((one, other) => other.from - one.from)
  const quiet = begun.toSorted((one, other) => lastBefore(other, at).to - lastBefore(one, at).to)
  return [...busy, ...quiet, ...plans][0]?.id ?? ''
}

function happensAt(plan: TabPlan, at: number): boolean {
  return lastBefore(plan, at).to >= at - patience
}

const never = { from: Number.NEGATIVE_INFINITY, to: Number.NEGATIVE_INFINITY }

function lastBefore({ stretches, gaps }: TabPlan, at: number) {
  const segment = stretches.findLast(({ from }) => from <= at)?.segments.findLast(({ from }) => from <= at)
  const gap = gaps.findLast(({ from }) => from <= at)
  if (segment === undefined) return gap ?? never
  return gap !== undefined && gap.from > segment.from ? gap : segment
}
