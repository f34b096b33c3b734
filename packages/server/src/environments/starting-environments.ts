import type { EnvironmentDraft } from './create-environment.ts'

/** What a new project begins with. */
export const startingEnvironments: readonly EnvironmentDraft[] = [
  { key: 'production', name: 'Production', colour: 'red', position: 0, protected: true },
  { key: 'staging', name: 'Staging', colour: 'amber', position: 1 },
  { key: 'development', name: 'Development', colour: 'blue', position: 2 },
]
