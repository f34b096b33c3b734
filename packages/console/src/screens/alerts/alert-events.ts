/** The event kinds that usually need an immediate reaction. */
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
