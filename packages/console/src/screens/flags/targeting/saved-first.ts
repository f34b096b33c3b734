import { Problem } from '../../../api/problem.ts'

/** For a review that starts anew from what somebody else saved meanwhile. */
export const savedFirst = new Problem({
  code: 'version-conflict',
  title: 'Someone else saved first',
  detail: 'You now see their version.',
})
