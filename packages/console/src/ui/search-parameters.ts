// The parameters of a screen's URL, declared once: each has a parser, and the type of the search is derived from them.

import { textOf } from './text/text-of.ts'

/** Undefined when the parameter is missing or invalid. */
type Parser = (value: unknown) => unknown

export type SearchOf<Parsers extends Record<string, Parser>> = {
  [Name in keyof Parsers]?: ReturnType<Parsers[Name]> | undefined
}

/** Returns every declared parameter: parameters that `validateSearch` leaves out pass through unvalidated. */
export function searchParser<Parsers extends Record<string, Parser>>(parsers: Parsers) {
  return (search: Record<string, unknown>): SearchOf<Parsers> => {
    const parsed: SearchOf<Parsers> = {}
    for (const name in parsers) Object.assign(parsed, { [name]: parsers[name]?.(search[name]) })
    return parsed
  }
}

export function oneOf<const Value extends string | number>(...values: readonly Value[]) {
  return (value: unknown) => values.find((one) => one === value)
}

/** A switch: present only while it is on. */
export const trueOf = (value: unknown) => (value === true ? true : undefined)

/** Keys and ids. */
export function shortTextOf(value: unknown): string | undefined {
  const text = textOf(value)
  return text !== undefined && text.length <= 128 ? text : undefined
}

/** A version or another number that counts from 1. */
export function ordinalOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined
}
