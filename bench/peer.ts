// One way to evaluate the flags of the benchmark.

import type { BenchContext, BenchFlag } from './flags.ts'

export interface Peer {
  name: string
  /** A run over all contexts; the number of results it made, each of value, variation and reason. */
  prepare: (flags: BenchFlag[], contexts: BenchContext[]) => Promise<Prepared> | Prepared
}

export interface Prepared {
  /** One flag for every context, or all flags for every context. */
  run: (all: boolean) => Promise<number> | number
  /** The value for one context, to see that all peers do the same work. */
  valueOf: (flag: string, context: number) => Promise<unknown> | unknown
  close?: () => void
}
