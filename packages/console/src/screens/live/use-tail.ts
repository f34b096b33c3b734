import { useEffect, useReducer, useState } from 'react'
import { followTail } from '../../api/live.ts'
import { changeTail, emptyTail, type TailState } from './tail-state.ts'

interface Place {
  project: string
  env: string
  filter: string
}

export interface Tail {
  state: TailState
  pause(): void
  resume(): void
  /** After a refusal. */
  retry(): void
}

/** Follows the environment while the screen is mounted; another filter starts again. */
export function useTail({ project, env, filter }: Place): Tail {
  const [state, change] = useReducer(changeTail, emptyTail)
  const [tries, setTries] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: every attempt reconnects.
  useEffect(() => {
    change({ type: 'restart' })
    return followTail(
      { project, env, filter },
      {
        onOpen: () => change({ type: 'open' }),
        onLost: () => change({ type: 'lost' }),
        onRefused: (problem) => change({ type: 'refused', problem }),
        onMessage: (message) => change({ type: 'message', message, now: Date.now() }),
      },
    )
  }, [project, env, filter, tries])

  return {
    state,
    pause: () => change({ type: 'pause' }),
    resume: () => change({ type: 'resume' }),
    retry: () => setTries(tries + 1),
  }
}
