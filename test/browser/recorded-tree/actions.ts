// The parts of programs that were found.

import type { Action } from './run-programs.ts'

export const flush: Action = { kind: 'flush' }
export const step = (name: string, ...numbers: [number, number, number]): Action => ({
  kind: 'step',
  name,
  numbers,
})
