// The parts that a running rollout depends on are locked: changing them requires a confirmation that its
// evidence ends. One dialog confirms it for every screen that sends such a change.

import { type LockingRollout, Problem, toProblem } from '../../api/problem.ts'

export interface Locked {
  readonly rollouts: readonly LockingRollout[]
  readonly answer: (isAccepted: boolean) => void
}

let locked: Locked | undefined
const listeners = new Set<() => void>()

export const getLocked = () => locked

export function listenToLocked(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function setLocked(next: Locked | undefined): void {
  locked = next
  for (const listener of listeners) listener()
}

interface Ending {
  endsEvidenceOf?: readonly string[]
}

/**
 * The same call, confirmed before it ends the evidence of a rollout and then sent again. Rejects as before
 * otherwise.
 */
export function endingEvidence<Input extends Ending, Reply>(send: (requested: Input) => Promise<Reply>) {
  return async (requested: Input): Promise<Reply> => {
    try {
      return await send(requested)
    } catch (error) {
      const { rollouts, code, title } = toProblem(error)
      if (rollouts.length === 0) throw error
      if (await confirmEnding(rollouts)) {
        return send({ ...requested, endsEvidenceOf: rollouts.map(({ id }) => id) })
      }
      throw new Problem({ code, title, detail: 'Nothing was saved. The rollout continues.' })
    }
  }
}

/** A confirmation replaced by another one counts as cancelled. */
function confirmEnding(rollouts: readonly LockingRollout[]): Promise<boolean> {
  locked?.answer(false)
  return new Promise((resolve) => {
    const answer = (isAccepted: boolean) => {
      if (locked?.answer === answer) setLocked(undefined)
      resolve(isAccepted)
    }
    setLocked({ rollouts, answer })
  })
}
