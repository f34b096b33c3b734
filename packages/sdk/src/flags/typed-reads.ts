// How flags are read: by any key with the type of the default, or as the declarations of `telltale types` say.

import type { FlagDetails } from './values.ts'

declare global {
  /** Value types of flags by key, written by `telltale types`. While it is empty, every key and default is allowed. */
  interface TelltaleFlagTypes {}
}

/**
 * The type of a flag whose default is of the type `Value`: a union such as `'light' | 'dark'` is kept, and the default
 * `'light'` widens to any string.
 */
export type Widened<Value, Any> = IsUnion<Value> extends true ? Value : Any

type IsUnion<Value, Member = Value> = Value extends unknown
  ? [Member] extends [Value]
    ? false
    : true
  : never

/** `Typed` once flags are declared, else `Any`. */
export type IfDeclared<Typed, Any> = keyof TelltaleFlagTypes extends never ? Any : Typed

/** The declared keys of flags whose values are of the type `Value`. */
export type FlagKey<Value = unknown> = {
  [Key in keyof TelltaleFlagTypes]: TelltaleFlagTypes[Key] extends Value ? Key : never
}[keyof TelltaleFlagTypes]

export type Reads = IfDeclared<TypedReads, AnyReads>

interface AnyReads {
  getBoolean(key: string, fallback: boolean): boolean
  getString<Value extends string>(key: string, fallback: Value): Widened<Value, string>
  getNumber<Value extends number>(key: string, fallback: Value): Widened<Value, number>
  /** Accepts interfaces: the type is not checked against what the server serves. */
  getJson<Value>(key: string, fallback: Value): Value
  /** The value with variant, reason and metadata; the type is that of the default. */
  getDetails<Value>(key: string, fallback: Value): FlagDetails<Value>
}

interface TypedReads {
  getBoolean(key: FlagKey<boolean>, fallback: boolean): boolean
  getString: Read<string>
  getNumber: Read<number>
  getJson: Read<unknown>
  getDetails<Key extends FlagKey>(
    key: Key,
    fallback: TelltaleFlagTypes[Key],
  ): FlagDetails<TelltaleFlagTypes[Key]>
}

/** Reads declared flags whose values are of the type `Value`. */
export type Read<Value> = <Key extends FlagKey<Value>>(
  key: Key,
  fallback: TelltaleFlagTypes[Key],
) => TelltaleFlagTypes[Key]
