import { useEffect, useRef, useState } from 'react'
import { type BackTestMessage, followBackTest, type TriedGuard } from '../../../api/back-test.ts'
import { type Problem, toProblem } from '../../../api/problem.ts'

type Message<Type extends BackTestMessage['type']> = Extract<BackTestMessage, { type: Type }>
export type TriedStage = Message<'stages'>['stages'][number]
export type TriedPast = Omit<Message<'past'>, 'type'>

export interface BackTestState {
  readonly phase: 'idle' | 'running' | 'stopped' | 'done'
  readonly site?: Message<'site'>
  readonly rate?: NonNullable<Message<'progress'>['rate']>
  /** How often each metric caused the rollback. */
  readonly byMetric: ReadonlyMap<string, number>
  readonly stages: readonly TriedStage[]
  readonly past: readonly TriedPast[]
  readonly why?: Message<'end'>['why']
  readonly problem?: Problem
}

const idle: BackTestState = { phase: 'idle', byMetric: new Map(), stages: [], past: [] }

export type BackTesting = ReturnType<typeof useBackTest>

/** One back-test at a time; leaving the screen aborts it. */
export function useBackTest(guard: TriedGuard) {
  const [state, setState] = useState(idle)
  const [tried, setTried] = useState('')
  const running = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const now = JSON.stringify(guard)

  function start() {
    running.current?.abort()
    const trial = new AbortController()
    running.current = trial
    setTried(now)
    setState({ ...idle, phase: 'running' })
    followBackTest(guard, trial.signal, (message) => {
      if (!trial.signal.aborted) setState((before) => take(before, message))
    }).then(
      () => {
        if (!trial.signal.aborted) setState(broken)
      },
      (error: unknown) => {
        if (!trial.signal.aborted)
          setState((before) => ({ ...before, phase: 'done', problem: toProblem(error) }))
      },
    )
  }

  function stop() {
    running.current?.abort()
    setState((before) => ({ ...before, phase: 'stopped' }))
  }

  /** `isOld`: the plan changed after the back-test. */
  return { state, start, stop, isOld: state.phase !== 'idle' && tried !== now }
}

/** A stream that ends without its final message was cut off. */
function broken(before: BackTestState): BackTestState {
  return before.phase === 'running' ? { ...before, phase: 'stopped' } : before
}

function take(before: BackTestState, message: BackTestMessage): BackTestState {
  if (before.phase !== 'running') return before
  switch (message.type) {
    case 'site':
      return { ...before, site: message }
    case 'progress': {
      const byMetric = new Map(before.byMetric)
      for (const { metric, onRegression } of message.alarms)
        if (onRegression === 'roll-back') byMetric.set(metric, (byMetric.get(metric) ?? 0) + 1)
      return { ...before, byMetric, ...(message.rate && { rate: message.rate }) }
    }
    case 'stages':
      return { ...before, stages: message.stages }
    case 'past': {
      const { type: _type, ...past } = message
      return { ...before, past: [...before.past, past] }
    }
    case 'end':
      return { ...before, phase: 'done', why: message.why, ...(message.rate && { rate: message.rate }) }
  }
}
