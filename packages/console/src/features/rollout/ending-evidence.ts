// What a running rollout stands on is locked: whoever changes it all the same says that its evidence ends there. The question
// is asked in one place, above whatever dialog sent the change.

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

/** The same call, which asks before it ends the evidence of a rollout, and is then sent again. Refused as before otherwise. */
export function endingEvidence<Asked extends Ending, Reply>(send: (asked: Asked) => Promise<Reply>) {
  return async (asked: Asked): Promise<Reply> => {
    try {
      return await send(asked)
    } catch (error) {
      const { rollouts, code, title } = toProblem(error)
      if (rollouts.length === 0) throw error
      if (await askWhether(rollouts)) {
        return send({ ...asked, endsEvidenceOf: rollouts.map(({ id }) => id) })
      }
      throw new Problem({ code, title, detail: 'Nothing was saved. The rollout continues.' })
    }
  }
}

/** A question that another one displaces is answered with no. */
function askWhether(rollouts: readonly LockingRollout[]): Promise<boolean> {
  locked?.answer(false)
  return new Promise((resolve) => {
    const answer = (isAccepted: boolean) => {
      if (locked?.answer === answer) setLocked(undefined)
      resolve(isAccepted)
    }
    setLocked({ rollouts, answer })
  })
}
