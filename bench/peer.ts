// One implementation for evaluating the benchmark's flags.

import type { BenchContext, BenchFlag } from './flags.ts'

export interface Peer {
  name: string
  /** Evaluates all contexts; returns the number of results, each with value, variation and reason. */
  prepare: (flags: BenchFlag[], contexts: BenchContext[]) => Promise<Prepared> | Prepared
}

export interface Prepared {
  /** One flag for every context, or all flags for every context. */
  run: (all: boolean) => Promise<number> | number
  /** The value for one context, to verify that all peers do the same work. */
  valueOf: (flag: string, context: number) => Promise<unknown> | unknown
  close?: () => void
}
