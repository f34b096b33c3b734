// The context in which code runs: the user, and the variations evaluated for them so far. Kept by AsyncLocalStorage, so
// that what is awaited knows it as well.

import { AsyncLocalStorage } from 'node:async_hooks'
import type { Evaluation } from '@telltale/core/contract/trace'
import { armOf } from '@telltale/core/evaluation/arm'
import { limits } from '@telltale/core/limits'
import type { ContextSource, FlagContext, ScopeOptions } from '../client.ts'
import { subjectOf } from '../subject.ts'

/** As in the contract of the intake. */
export interface FlagRead {
  flag: string
  variation: string
  split?: string
  epoch?: number
  by?: string
  unit?: string
}

export interface Scope {
  context(): FlagContext | undefined
  /** The targeting key of the context, or of the first evaluation. */
  subject(): string | undefined
  reads(): readonly FlagRead[]
  traceId(): string | undefined
}

export interface NotedRead {
  flag: string
  evaluation: Evaluation
  context: FlagContext
}

export interface Scopes {
  run<Result>(source: ContextSource, work: () => Result, options?: ScopeOptions): Result
  current(): Scope | undefined
  /** Evaluations for other users are not noted. */
  note(read: NotedRead): void
}

export function readOf({ flag, evaluation, context }: NotedRead): FlagRead | undefined {
  const { variation, split } = evaluation
  if (variation === undefined) return undefined
  const arm = armOf(evaluation, context)
  if (arm === undefined || split === undefined) return { flag, variation }
  return { flag, variation, split: arm.split, epoch: arm.epoch, by: split.by, unit: arm.unit }
}

export function createScopes(onFault: (error: unknown) => void): Scopes {
  const storage = new AsyncLocalStorage<OpenScope>()
  return {
    run: (source, work, { traceId } = {}) => {
      const outer = storage.getStore()
      return storage.run(new OpenScope(source, { outer, traceId, onFault }), work)
    },
    current: () => storage.getStore(),
    note: (read) => storage.getStore()?.note(read),
  }
}

interface ScopeParts {
  outer: OpenScope | undefined
  traceId: string | undefined
  onFault(error: unknown): void
}

class OpenScope implements Scope {
  readonly #source: ContextSource
  readonly #outer: OpenScope | undefined
  readonly #traceId: string | undefined
  readonly #onFault: (error: unknown) => void
  readonly #read = new Map<string, FlagRead>()
  #list: readonly FlagRead[] | undefined
  #adopted: string | undefined

  constructor(source: ContextSource, { outer, traceId, onFault }: ScopeParts) {
    this.#source = source
    this.#outer = outer
    this.#traceId = traceId
    this.#onFault = onFault
  }

  traceId(): string | undefined {
    return this.#traceId ?? this.#outer?.traceId()
  }

  context(): FlagContext | undefined {
    if (typeof this.#source !== 'function') return this.#source
    try {
      return this.#source() ?? undefined
    } catch (error) {
      this.#onFault(error)
      return undefined
    }
  }

  subject(): string | undefined {
    return subjectOf(this.context()) || this.#adopted
  }

  /** The same list until something is added, so that its text is made once. */
  reads(): readonly FlagRead[] {
    this.#list ??= [...this.#read.values()]
    return this.#list
  }

  note(noted: NotedRead): void {
    const subject = subjectOf(noted.context) || undefined
    const own = this.subject()
    if (subject !== undefined && own !== undefined && subject !== own) return
    if (own === undefined) this.#adopted = subject
    // A request without a user of its own gets that of the work inside.
    this.#outer?.note(noted)

    const known = this.#read.get(noted.flag)
    const { variation, split } = noted.evaluation
    if (known !== undefined && known.variation === variation && known.epoch === split?.epoch) return
    const read = readOf(noted)
    if (read === undefined || this.#read.size >= limits.flagsPerProject) return
    this.#read.set(noted.flag, read)
    this.#list = undefined
  }
}
