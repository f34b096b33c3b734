import type { TabPlan } from './plan-tab.ts'

/** A tab that changes within this time is still the one that is looked at. */
const patience = 2_000

/**
 * The tab that was used at a moment: the one that is shown as long as something happens there, unless another one was opened
 * since. When it is quiet, the one in which something happened last.
 */
export function tabAt(plans: readonly TabPlan[], at: number, shown: string): string {
  const begun = plans.filter(({ from }) => from <= at)
  if (begun.length === 0) return plans[0]?.id ?? shown
  const current = begun.find(({ id }) => id === shown)
  if (current !== undefined && happensAt(current, at)) {
    const opened = begun.findLast(({ from }) => from > lastBefore(current, at).from)
    return opened !== undefined && happensAt(opened, at) ? opened.id : shown
  }
  const [latest] = begun
    .map((plan) => ({ id: plan.id, to: Math.min(at, lastBefore(plan, at).to) }))
    .sort((one, other) => other.to - one.to || Number(other.id === shown) - Number(one.id === shown))
  return latest?.id ?? shown
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
