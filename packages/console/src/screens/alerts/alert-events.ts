/** Of what can be told, that for which somebody would be called. */
export const alertEventChoices = [
  'issue.new',
  'issue.regressed',
  'guard.decided',
  'rollout.regressed',
  'rollout.rolled-back',
  'rollout.held',
  'rollout.completed',
  'flag.configured',
] as const
