// Limits of code references, flags as code and the removal of flags. Part of `limits`.
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
  codeDocumentSize: {
    value: 67_108_864,
    unit: 'bytes',
    reason: 'A project as code: ten thousand flags with rules in several environments.',
  },
  codeChangeRequests: {
    value: 200,
    unit: 'items',
    reason: 'Change requests that one application opens: each one is reviewed by a person.',
  },
  codeChangesNotified: {
    value: 20,
    unit: 'items',
    reason:
      'Changes of one application that channels are notified of one by one; a larger one is in the audit log alone.',
  },
  codeDriftListed: { value: 100, unit: 'items', reason: 'A list to read in the console.' },
  codePreviews: {
    value: 20,
    unit: 'items',
    reason: 'Changes whose blast radius the command counts: each one evaluates all users of the last days.',
  },
  codeApplyTimeout: {
    value: 600_000,
    unit: 'ms',
    reason:
      'The first application of thousands of flags writes their configurations, versions and audit entries.',
  },
  codeBranches: {
    value: 200,
    unit: 'items',
    reason: 'Searched branches of a project; the ones searched longest ago are forgotten first.',
  },
} as const satisfies Record<string, Limit>
