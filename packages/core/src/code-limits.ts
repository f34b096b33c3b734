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
  codeUploadSize: {
    value: 16_777_216,
    unit: 'bytes',
    reason: 'One upload of references, each with some lines of context.',
  },
  codePathLength: { value: 500, unit: 'characters', reason: 'The path of a file in a repository.' },
  codeContextLength: {
    value: 1_000,
    unit: 'characters',
    reason: 'Lines around a reference: about five; longer ones are cut.',
  },
  codeBranches: {
    value: 200,
    unit: 'items',
    reason: 'Searched branches of a project; the ones searched longest ago are forgotten first.',
  },
} as const satisfies Record<string, Limit>
