// Reads the text of a filter from left to right. Errors are collected with their positions; nothing throws.

import type { Operator, Parsed } from './filter.ts'

export interface Fault {
  /** In UTF-16 units from the start of the text. */
  at: number
  message: string
}

const signs: readonly (readonly [sign: string, operator: Operator])[] = [
  ['>=', '>='],
  ['<=', '<='],
  ['>', '>'],
  ['<', '<'],
  ['~', 'contains'],
]

export class Reader {
  readonly #text: string
  readonly #faults: Fault[] = []
  position = 0

  constructor(text: string) {
    this.#text = text
  }

  fault(message: string, at = this.position): undefined {
    this.#faults.push({ at, message })
  }

  hasFaults(): boolean {
    return this.#faults.length > 0
  }

  outcome<Result>(result: Result): Parsed<Result> {
    return this.#faults.length === 0 ? { ok: true, result } : { ok: false, faults: this.#faults }
  }

  isAtEnd(): boolean {
    return this.position >= this.#text.length
  }

  /** Whether a new token may begin here. */
  isAtBreak(): boolean {
    return this.isAtEnd() || /\s/.test(this.#text.charAt(this.position))
  }

  skipSpace(): void {
    this.takeMatch(/\s+/y)
  }

  isAtArrow(): boolean {
    return /^->(\s|$)/.test(this.#text.slice(this.position, this.position + 3))
  }

  takeArrow(): boolean {
    this.skipSpace()
    return this.isAtArrow() && this.take('->')
  }

  take(sign: string): boolean {
    if (!this.#text.startsWith(sign, this.position)) return false
    this.position += sign.length
    return true
  }

  /** The pattern is sticky. */
  takeMatch(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.position
    const found = pattern.exec(this.#text)?.[0]
    if (found !== undefined) this.position += found.length
    return found
  }

  takeOperator(): Operator {
    if (this.takeMatch(/\*(?=\s|$)/y) !== undefined) return 'exists'
    return signs.find(([sign]) => this.take(sign))?.[1] ?? 'is'
  }

  /** Quoted, or bare as the pattern allows. */
  takeValue(bare: RegExp): string {
    if (this.#text.charAt(this.position) === '"') return this.#takeQuoted()
    const found = this.takeMatch(bare)
    if (found === undefined) this.fault('a value is missing')
    return found ?? ''
  }

  takeWord(): string {
    if (this.#text.charAt(this.position) === '"') return this.#takeQuoted()
    return this.takeMatch(/[^\s"]+/y) ?? ''
  }

  #takeQuoted(): string {
    const found = this.takeMatch(/"(?:[^"\\]|\\["\\])*"/y)
    if (found !== undefined) return found.slice(1, -1).replaceAll(/\\(["\\])/g, '$1')
    this.fault('the quotation mark is not closed')
    this.position = this.#text.length
    return ''
  }
}
