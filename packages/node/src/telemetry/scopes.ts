// The context in which code runs: the user, and the variations evaluated for them so far. Kept by AsyncLocalStorage, so
// that what is awaited knows it as well.

import { AsyncLocalStorage } from 'node:async_hooks'
import type { Evaluation } from '@telltale/core/contract/trace'
import { armOf } from '@telltale/core/evaluation/arm'
import { limits } from '@telltale/core/limits'
import type { ContextSource, FlagContext } from '../client.ts'
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
}

export interface NotedRead {
  flag: string
  evaluation: Evaluation
  context: FlagContext
}

export interface Scopes {
  run<Result>(source: ContextSource, work: () => Result): Result
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
    run: (source, work) => storage.run(new OpenScope(source, storage.getStore(), onFault), work),
    current: () => storage.getStore(),
    note: (read) => storage.getStore()?.note(read),
  }
}

class OpenScope implements Scope {
  readonly #source: ContextSource
  readonly #outer: OpenScope | undefined
  readonly #onFault: (error: unknown) => void
  readonly #read = new Map<string, FlagRead>()
  #list: readonly FlagRead[] | undefined
  #adopted: string | undefined

  constructor(source: ContextSource, outer: OpenScope | undefined, onFault: (error: unknown) => void) {
    this.#source = source
    this.#outer = outer
    this.#onFault = onFault
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
