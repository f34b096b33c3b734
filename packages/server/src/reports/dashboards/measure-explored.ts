import type { ExploreTile, TileData } from '@telltale/core/contract/dashboard-tiles'
import { stepForPercentiles } from '@telltale/core/query/step-for-percentiles'
import { explore } from '../../monitoring/explore/explore.ts'
import type { Question } from '../../monitoring/explore/question.ts'

type Explored = Extract<TileData, { kind: 'explore' }>
type Reply = Explored['now']

/** Groups that are small compared with the first ones do not affect the step. */
const groupsHeard = 3

export async function measureExplored(question: Question, tile: ExploreTile): Promise<Explored> {
  const { chart, event, measure, field, part, by, top, step } = tile
  const query = {
    measure,
    ...(event !== undefined && { kind: event }),
    ...(field !== undefined && { field }),
    ...(part !== undefined && { part }),
    ...(step !== undefined && { step }),
  }
  if (chart === 'number') {
    const { from, to } = question
    const earlier = question.with({ from: from - (to - from), to: from })
    const [now, before] = await Promise.all([explore(question, query), explore(earlier, query)])
    return { kind: 'explore', now, before: before.total }
  }
  const grouped = { ...query, ...(by !== undefined && { by }), ...(top !== undefined && { top }) }
  const now = await explore(question, grouped)
  const longer = chart === 'table' || step !== undefined ? undefined : longerStep(now, measure)
  return {
    kind: 'explore',
    now: longer === undefined ? now : await explore(question, { ...grouped, step: longer }),
    before: null,
  }
}

/** Steps in which a percentile has enough values, when those chosen by the period have too few. */
function longerStep({ groups, ...explored }: Reply, measure: ExploreTile['measure']) {
  if (!/^p\d/.test(measure)) return undefined
  const counts = new Map<string, number>()
  for (const { at, events } of groups.slice(0, groupsHeard).flatMap(({ points }) => points))
    counts.set(at, Math.max(counts.get(at) ?? 0, events))
  const points = [...counts].map(([at, count]) => ({ at, count }))
  const step = stepForPercentiles({ ...explored, points })
  return step === explored.step ? undefined : step
}
