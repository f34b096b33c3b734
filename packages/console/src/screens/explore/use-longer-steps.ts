import { useQuery } from '@tanstack/react-query'
import { type Exploration, type Explored, exploreQuery } from '../../api/explore.ts'
import type { Question } from '../../api/question.ts'
import { stepForPercentiles } from '../../ui/text/step-for-percentiles.ts'

/** Groups that are small beside the first ones do not decide how long a step is. */
const groupsHeard = 3

/**
 * The answer whose steps are long enough for percentiles, where nobody said how long they are: that of a second question,
 * while there would be hardly a point to draw. Undefined while it is asked, and where no step would be enough.
 */
export function useLongerSteps(explored: Explored, exploration: Exploration, question: Question) {
  const { measure = 'count', step: asked } = exploration
  const isPercentile = /^p\d/.test(measure)
  const step = isPercentile && asked === undefined ? stepOf(explored) : explored.step
  const isLonger = step !== undefined && step !== explored.step
  const longer = useQuery({
    ...exploreQuery(question, { ...exploration, step: step ?? explored.step }),
    enabled: isLonger,
  })
  // What is kept of another question is not drawn as this one's.
  const answer = longer.isPlaceholderData ? undefined : longer.data
  return { step, drawn: isLonger ? answer : explored }
}

function stepOf({ groups, ...explored }: Explored) {
  const heard = groups.slice(0, groupsHeard)
  const points = heard.flatMap((group) => group.points.map(({ at, events }) => ({ at, events })))
  // In one step, each group is told of by itself: the largest decides.
  const counts = new Map<string, number>()
  for (const { at, events } of points) counts.set(at, Math.max(counts.get(at) ?? 0, events))
  return stepForPercentiles({ ...explored, points: [...counts].map(([at, count]) => ({ at, count })) })
}
