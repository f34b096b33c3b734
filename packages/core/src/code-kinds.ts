/** What flags as code describe, in the order in which it is applied. */
export const codeKinds = ['flags', 'segments', 'metrics', 'rolloutTemplates', 'alerts', 'dashboards'] as const
export type CodeKind = (typeof codeKinds)[number]

/** Of the schema beside the files, by which their folder is recognised. */
export const codeFilesTitle = 'Telltale flags as code'
