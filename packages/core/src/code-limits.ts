// Limits of code references and of the removal of flags. Part of `limits`.
import type { Limit } from './limit.ts'

export const codeLimits = {
  codeFiles: { value: 50_000, unit: 'items', reason: 'Files of a repository that are searched for flags.' },
  codeFileSize: {
    value: 1_048_576,
    unit: 'bytes',
    reason: 'A larger file is generated or data; flags are not read there.',
  },
  codeReferences: {
    value: 10_000,
    unit: 'items',
    reason: 'References in one upload of a repository; the command says how many it left out.',
  },
  codeReferencesPerPart: {
    value: 500,
    unit: 'items',
    reason: 'References in one request: with their lines they fit into the usual size of a body.',
  },
  codeContextLength: {
    value: 1_000,
    unit: 'characters',
    reason: 'Lines around a reference: about five; longer ones are cut.',
  },
  codeRepositories: {
    value: 50,
    unit: 'items',
    reason: 'Repositories of a project, each with its branches.',
  },
} as const satisfies Record<string, Limit>
