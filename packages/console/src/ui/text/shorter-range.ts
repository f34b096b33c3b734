import { createContext } from 'react'
import type { Refusal } from '../refusal.ts'

interface Offer {
  /** `the last 7 days`. */
  readonly label: string
  readonly choose: () => void
}

/** How a screen switches to the shorter period that the server offers; undefined without an offer. */
export const ShorterRange = createContext<((shorter: Refusal['shorter']) => Offer | undefined) | undefined>(
  undefined,
)
