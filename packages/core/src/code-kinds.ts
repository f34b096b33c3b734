/** What flags as code describe, in the order in which it is applied. */
export const codeKinds = ['flags', 'segments', 'metrics', 'alerts', 'dashboards'] as const
export type CodeKind = (typeof codeKinds)[number]
