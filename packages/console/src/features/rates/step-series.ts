export interface StepSeries {
  series: readonly { at: string; partial: boolean }[]
}

/** The steps of a chart: when each begins, and which are incomplete. */
export function stepsOfSeries({ series }: StepSeries) {
  return {
    times: series.map(({ at }) => Date.parse(at)),
    partial: new Set(series.flatMap(({ partial }, index) => (partial ? [index] : []))),
  }
}
