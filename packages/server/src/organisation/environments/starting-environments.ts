import type { EnvironmentDraft } from './create-environment.ts'

/** The environments of a new project. Their colours avoid those of warnings and errors. */
export const startingEnvironments: readonly EnvironmentDraft[] = [
  { key: 'production', name: 'Production', colour: 'blue', position: 0, protected: true },
  { key: 'staging', name: 'Staging', colour: 'violet', position: 1 },
  { key: 'development', name: 'Development', colour: 'grey', position: 2 },
]
