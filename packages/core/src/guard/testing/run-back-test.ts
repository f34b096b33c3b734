// A run of a back-test, without a pause.

import { type Alarm, type AtStageEnd, type BackTest, stepThrough } from '../back-test/back-test.ts'

export function runBackTest(test: BackTest, run: number, atStageEnd?: AtStageEnd): Alarm[] {
  const steps = stepThrough(test, run, atStageEnd)
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value
}
