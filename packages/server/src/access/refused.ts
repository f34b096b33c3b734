import type { Call } from '@telltale/core/contract/call'
import type { Caller } from './caller.ts'

export interface Refused {
  call: Call
  caller: Caller
  requestId: string
  projectKey: string | undefined
  /** Whether the caller is a member of the project. */
  isInside: boolean
  /** The e-mail address of a sign-in. */
  email: string | undefined
  error: unknown
}

export type NoteRefusal = (refused: Refused) => void
