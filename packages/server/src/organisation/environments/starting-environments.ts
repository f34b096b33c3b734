import type { EnvironmentDraft } from './create-environment.ts'

/** What a new project begins with. The hues of trouble are left to what is in trouble. */
export const startingEnvironments: readonly EnvironmentDraft[] = [
  { key: 'production', name: 'Production', colour: 'blue', position: 0, protected: true },
  { key: 'staging', name: 'Staging', colour: 'violet', position: 1 },
  { key: 'development', name: 'Development', colour: 'grey', position: 2 },
]
