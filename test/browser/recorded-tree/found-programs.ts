// Programs whose recordings once differed from their page, as `run-programs.ts` reported them.

import type { Action } from './run-programs.ts'

const flush: Action = { kind: 'flush' }
const step = (name: string, ...numbers: [number, number, number]): Action => ({ kind: 'step', name, numbers })

export const foundPrograms: Record<string, readonly Action[]> = {
  'a frame that moves into its own document': [
    step('html', 1, 99985, 59761),
    step('frame', 96317, 40368, 64525),
    step('frame', 99996, 8, 56818),
    step('document of a frame', 58361, 6, 80788),
    step('shadow', 44483, 96736, 67046),
    flush,
    step('swap', 96098, 32886, 11),
  ],
  'an attribute with a namespace': [
    step('drawing', 0, 1, 0),
    flush,
    step('attribute of a drawing', 0, 1, 0),
    flush,
    step('attribute of a drawing', 0, 0, 0),
  ],
}
