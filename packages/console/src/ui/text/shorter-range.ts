import { createContext } from 'react'
import type { Refusal } from '../refusal.ts'

interface Offer {
  /** `the last 7 days`. */
  readonly label: string
  readonly choose: () => void
}

/** How a screen changes to the part of its time that an answer is offered for; undefined where nothing is offered. */
export const ShorterRange = createContext<((shorter: Refusal['shorter']) => Offer | undefined) | undefined>(
  undefined,
)
