import { Problem } from '../../../api/problem.ts'

/** For a review that restarts from the version another member saved in the meantime. */
export const savedFirst = new Problem({
  code: 'version-conflict',
  title: 'Someone else saved first',
  detail: 'You now see their version.',
})
