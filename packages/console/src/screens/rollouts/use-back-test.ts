import { useEffect, useRef, useState } from 'react'
import { type BackTestMessage, followBackTest } from '../../api/back-test.ts'
import { type Problem, toProblem } from '../../api/problem.ts'

type Site = Extract<BackTestMessage, { type: 'site' }>
type Progress = Extract<BackTestMessage, { type: 'progress' }>
type End = Extract<BackTestMessage, { type: 'end' }>

export interface BackTestState {
  readonly phase: 'idle' | 'running' | 'stopped' | 'done'
  readonly site?: Site
  readonly rate?: NonNullable<Progress['rate']>
  /** How often each metric was the one that rolled back. */
  readonly byMetric: ReadonlyMap<string, number>
  readonly why?: End['why']
  readonly problem?: Problem
}

const idle: BackTestState = { phase: 'idle', byMetric: new Map() }

/** One trial at a time; leaving the screen ends it. */
export function useBackTest(place: { project: string; rollout: string }) {
  const [state, setState] = useState(idle)
  const running = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  function start() {
    running.current?.abort()
    const trial = new AbortController()
    running.current = trial
    setState({ ...idle, phase: 'running' })
    followBackTest(place, trial.signal, (message) => setState((before) => take(before, message))).catch(
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

  return { state, start, stop }
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
      return before
    case 'end':
      return { ...before, phase: 'done', why: message.why, ...(message.rate && { rate: message.rate }) }
  }
}
