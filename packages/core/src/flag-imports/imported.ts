// The result of every conversion: plain definitions for one environment, and the report.

import type { ConditionGroup } from '../contract/conditions.ts'
import type { FlagConfigDraft } from '../contract/flag-config.ts'
import type { ImportNote } from '../contract/flag-imports.ts'
import type { Fault } from '../errors.ts'

export type ValueType = 'boolean' | 'string' | 'number' | 'json'

export interface ImportedVariation {
  key: string
  name: string
  value: unknown
}

export interface ImportedFlag {
  /** Its key in the document. */
  source: string
  key: string
  name: string
  description: string
  valueType: ValueType
  variations: ImportedVariation[]
  tags: string[]
  /** Undefined: the document does not say. */
  clientVisible: boolean | undefined
  config: FlagConfigDraft
}

export interface ImportedSegment {
  /** Its key or id in the document. */
  source: string
  key: string
  name: string
  when: ConditionGroup
}

export interface ImportedDefinitions {
  /** The environment in the document, if it names any. */
  from: string | undefined
  flags: ImportedFlag[]
  segments: ImportedSegment[]
  notes: ImportNote[]
}

export type Conversion = ImportedDefinitions | { faults: Fault[] }
